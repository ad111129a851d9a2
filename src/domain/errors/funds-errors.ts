import { amountText, moneyText } from '../text/money-text.ts';
import { entry } from './entry.ts';

/** What keeps a batch from paying though its file is right: money, and the limit of a day. */
export const FUNDS_ERRORS = {
  FUNDS_TOO_LOW: entry<
    Readonly<{
      currency: string;
      needed: string;
      available: string;
      short: string;
      reserved: string;
      /** The batches that hold the reserved money, as text; empty: none. */
      holders: string;
      /** What else is short, as text; empty: nothing. */
      also: string;
    }>
  >({
    category: 'funds',
    what: (f) => {
      const holders = f.holders === '' ? '' : ` (${f.holders})`;
      const others =
        f.reserved === '0'
          ? ''
          : `; batches before it need ${amountText(f.reserved, f.currency)}${holders}`;
      const also = f.also === '' ? '' : ` Also short: ${f.also}.`;
      return `The batch needs ${moneyText(f.needed, f.currency)} with fees. The account has ${amountText(f.available, f.currency)}${others}. Short by ${amountText(f.short, f.currency)}.${also}`;
    },
    why: 'A batch starts only when its whole total is there. Earlier batches get the money first.',
    fix: 'Top up the account ("bursar funds" shows its batches), or cancel a batch. Then submit under another --id. --funds wait waits for the top-up. --before-scheduled uses money that is reserved for scheduled batches.',
  }),
  BALANCE_DIFFERS: entry<
    Readonly<{
      unexplained: string;
      dossier: string;
      /** Chunks of the batch that were created more than once, as text; empty: none. */
      suspects: string;
    }>
  >({
    category: 'funds',
    // A hold stores this sentence, and approvers sign it, so its amounts stay as they are.
    what: (f) => {
      const suspects = f.suspects === '' ? '' : ` Created more than once: ${f.suspects}.`;
      return `BALANCE_DIFFERS: ${f.unexplained} left the account that no batch of this store explains (${f.dossier}).${suspects}`;
    },
    why: 'The service may have paid a row twice or booked late, or another program may have paid.',
    fix: 'Compare with "bursar reconcile" and with the transactions that the service shows. The batch continues by itself when a later read explains the balance. If you know where the money went: "bursar resume BATCH --reason TEXT". Set funds.shared = true when other programs pay from this account.',
  }),
  DAY_LIMIT_PASSED: entry<
    Readonly<{ day: string; currency: string; limit: string; granted: string; total: string }>
  >({
    category: 'funds',
    // A hold stores this sentence, approvers sign it, and a later one is compared with it byte by byte.
    what: (f) =>
      `With this batch ${f.total} ${f.currency} would be paid on ${f.day} (UTC), of which other batches began ${f.granted}; limits.day is ${f.limit}.`,
    why: 'The limit bounds what a mistake or an attacker can pay in one day.',
    fix: 'Submit it for another day with --at, or raise limits.day for later plans.',
  }),
};
