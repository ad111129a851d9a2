import { taggedRow } from '../rows/row-tag.ts';
import type { RowNumber, RowPayment } from '../rows/row.ts';

/** One entry of `errors.withdrawalErrors`. Spec: "Payout", mass payout record. */
export type WithdrawalError = Readonly<{
  withdrawalId: string;
  errors: readonly Readonly<{
    status?: string | undefined;
    errorResolved?: boolean | undefined;
    errorMessage?: string | undefined;
  }>[];
  /** Whether it cannot be read if these errors are resolved. */
  isResolutionUnreadable?: true | undefined;
}>;

/** The payout record of a withdrawal, as far as it helps to find its row and fate. */
export type WithdrawalRecord = Readonly<{
  id: string;
  state: string;
  depositAddress?: string | undefined;
  amount?: string | undefined;
  comment?: string | undefined;
  /** Whether it has a comment that cannot be read. */
  isCommentUnreadable?: true | undefined;
  transactionHash?: string | undefined;
  fee?: string | undefined;
  feeCurrency?: string | undefined;
}>;

/** The rows of a chunk with the comments that were really sent. */
export type SentRow = RowPayment;

/** Rows that an entry may mean. One: it is mapped. None or several: it is not. */
export type Candidates = readonly RowNumber[];

/** Finds rows by tag, else by address, amount and comment together. Where the comment cannot be read, any comment fits. */
export type RowFinder = (record: WithdrawalRecord) => Candidates;

export function createRowFinder(rows: readonly SentRow[], batchCode: string): RowFinder {
  const numbers = new Set(rows.map((row) => row.row));
  const byTriple = new Map<string, RowNumber[]>();
  const byPair = new Map<string, RowNumber[]>();
  for (const row of rows) {
    const triple = tripleOf(row.address, row.amount, row.comment);
    byTriple.set(triple, [...(byTriple.get(triple) ?? []), row.row]);
    const pair = pairOf(row.address, row.amount);
    byPair.set(pair, [...(byPair.get(pair) ?? []), row.row]);
  }
  return (record) => {
    const tagged = taggedRow(record.comment ?? '', batchCode);
    if (tagged !== undefined && numbers.has(tagged)) return [tagged];
    if (record.depositAddress === undefined || record.amount === undefined) return [];
    if (record.isCommentUnreadable === true) {
      return byPair.get(pairOf(record.depositAddress, record.amount)) ?? [];
    }
    const triple = tripleOf(record.depositAddress, record.amount, record.comment ?? '');
    return byTriple.get(triple) ?? [];
  };
}

const tripleOf = (address: string, amount: string, comment: string): string =>
  JSON.stringify([address, amount, comment]);

const pairOf = (address: string, amount: string): string => JSON.stringify([address, amount]);

/** An entry is resolved when it has errors and each of them is resolved. What cannot be read proves no resolution. */
export const isResolved = (entry: WithdrawalError): boolean =>
  entry.isResolutionUnreadable !== true &&
  entry.errors.length > 0 &&
  entry.errors.every((error) => error.errorResolved === true);

/** The service's own words for why a withdrawal failed. */
export function reasonOf(entry: WithdrawalError): string {
  const messages = entry.errors
    .filter((error) => error.errorResolved !== true)
    .map((error) => error.errorMessage ?? error.status ?? '')
    .filter((message) => message !== '');
  return messages.length === 0 ? 'the service gives no reason' : messages.join('; ');
}
