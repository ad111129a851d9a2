import { moneyText } from '../text/money-text.ts';
import type { BalanceLine } from './compare-balance.ts';
import type { BalanceDifference } from './difference.ts';

/** The result of the balances before the first create and after the last end of a batch. Part of `report.json`. */
export type BalanceCheck = Readonly<{
  /**
   * `differs`: money left the account that no batch explains. The people in `accepted` let the batch end all the same;
   * without them the batch may not end.
   */
  result: 'explained' | 'differs' | 'not-checkable';
  /** Why nothing was proven; null otherwise. */
  because: string | null;
  lines: readonly BalanceLine[];
  accepted: readonly Accepted[];
  /** Chunks that were created more than once; missing when none was. Their rows are the first to compare with the service. */
  createdAgain?: readonly CreatedAgain[];
}>;

/** Who accepted a difference. `at` is ISO 8601 in UTC. */
export type Accepted = Readonly<{ by: string; reason: string; at: string }>;

export const NOT_READ: BalanceCheck = notCheckable(
  'the balance was not read both before the first create and after the last end',
);

export function notCheckable(because: string): BalanceCheck {
  return { result: 'not-checkable', because, lines: [], accepted: [] };
}

/** The stored result of a read. A difference that no person accepted is kept with its own lines alone. */
export function checkOf(found: BalanceDifference, accepted: readonly Accepted[]): BalanceCheck {
  const { lines } = found;
  switch (found.kind) {
    case 'explained':
      return { result: 'explained', because: null, lines, accepted: [] };
    case 'accepted':
      return { result: 'differs', because: null, lines, accepted };
    case 'differs':
      return { result: 'differs', because: null, lines: lines.filter(isUnexplained), accepted: [] };
    case 'not-checkable':
      return { ...notCheckable(found.because), lines };
  }
}

/** The difference that earlier reads showed. */
export const seenLines = (check: BalanceCheck | null): readonly BalanceLine[] =>
  check?.result === 'differs' ? check.lines.filter(isUnexplained) : [];

/** Whether a difference was seen that no person accepted: the batch may not end. */
export const isOpenDifference = ({ result, accepted }: BalanceCheck): boolean =>
  result === 'differs' && accepted.length === 0;

const isUnexplained = ({ unexplained }: BalanceLine): boolean => unexplained !== '0';

/** The result of a check, in sentences for people. */
export function balanceText(check: BalanceCheck): string {
  const { createdAgain = [] } = check;
  if (createdAgain.length === 0) return resultText(check);
  return `${resultText(check)} Created more than once: ${suspectsText(createdAgain)}.`;
}

function resultText({ result, because, lines, accepted }: BalanceCheck): string {
  switch (result) {
    case 'explained':
      return 'Balance explained: no more left the account than this store ordered.';
    case 'not-checkable':
      return `Balance not checkable because ${because ?? 'it was not read'}.`;
    case 'differs': {
      const by = accepted.map((one) => `${one.by} (${one.reason})`).join(', ') || 'no person';
      return `Balance differs: ${shownDifference(lines)} left the account that no batch explains. Accepted by ${by}.`;
    }
  }
}

/** A difference for people, as `1,100 USDT_TRC20`. */
const shownDifference = (lines: readonly BalanceLine[]): string =>
  lines
    .filter(isUnexplained)
    .map(({ unexplained, currency }) => moneyText(unexplained, currency))
    .join(', ');

/** A difference in a few words, as `1100 USDT_TRC20`. A hold stores it, and approvers sign it. */
export const unexplainedText = (lines: readonly BalanceLine[]): string =>
  lines
    .filter(isUnexplained)
    .map(({ unexplained, currency }) => `${unexplained} ${currency}`)
    .join(', ');

/** The figures behind a difference, by currency. */
export const dossierText = (lines: readonly BalanceLine[]): string =>
  lines
    .filter(isUnexplained)
    .map(
      ({ currency, opening, closing, left, atMost }) =>
        `${currency}: opening ${opening}, now ${closing}, left ${left}, explained at most ${atMost ?? 'unknown'}`,
    )
    .join('; ');

/** A chunk of which more than one create may have arrived, and its rows. */
export type CreatedAgain = Readonly<{ chunk: number; firstRow: number; lastRow: number }>;

/** Chunks that are named; more are counted. */
const SUSPECTS_MAX = 20;

/** Chunks and their rows, as `chunk 3 (rows 41 to 60)`; empty for none. */
export function suspectsText(suspects: readonly CreatedAgain[]): string {
  const named = suspects
    .slice(0, SUSPECTS_MAX)
    .map(({ chunk, firstRow, lastRow }) => `chunk ${chunk} (rows ${firstRow} to ${lastRow})`);
  const more = suspects.length - named.length;
  return [...named, ...(more > 0 ? [`${more} more chunks`] : [])].join(', ');
}
