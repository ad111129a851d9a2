import { counted, withCommas } from '../text/counted.ts';
import { entry } from './entry.ts';

/** What goes wrong when a batch is held against the wallet. */
export const RECONCILE_ERRORS = {
  TRANSACTIONS_TOO_MANY: entry<
    Readonly<{ pages: number; pagesMax: number; from: string; to: string }>
  >({
    category: 'usage',
    what: (f) =>
      `The wallet has ${counted(f.pages, 'page')} of transactions from ${f.from} to ${f.to}, or after it; at most ${withCommas(f.pagesMax)} are read.`,
    why: 'Every walk has a limit, as a service that adds a page for each one that is read would never come to an end.',
    fix: 'Name a shorter time with --from and --to. It must hold all that the batch paid.',
  }),
};
