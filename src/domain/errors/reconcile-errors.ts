import { counted, withCommas } from '../text/counted.ts';
import { entry } from './entry.ts';

/** What goes wrong when a batch is held against the wallet. */
export const RECONCILE_ERRORS = {
  TRANSACTIONS_TOO_MANY: entry<
    Readonly<{ pages: number; pagesMax: number; from: string; to: string }>
  >({
    category: 'usage',
    what: (f) =>
      `The wallet has ${counted(f.pages, 'page')} of transactions from ${f.from} to ${f.to}, or after it. Bursar reads at most ${withCommas(f.pagesMax)}.`,
    why: 'Without a limit a faulty service could return pages without end.',
    fix: 'Give a shorter time with --from and --to. It must include all payments of the batch.',
  }),
};
