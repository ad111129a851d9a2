import type { RowNumber } from '../rows/row.ts';
import { type Outcome, OUTCOMES } from '../settling/outcome.ts';
import { createChains, NONE } from './chains.ts';
import { type Certainty, type ClassMatch, type ClassRow, mayBeOfOthers } from './match-class.ts';
import { createNumberList } from './number-list.ts';
import type { Payment } from './payment.ts';
import {
  isOfMassPayout,
  packTransaction,
  unpackTransaction,
  type WalletTransaction,
} from './wallet-transaction.ts';

/** A row of the batch that is reconciled. Before `sinceMs` its transaction cannot be; 0 when it was never sent. */
export type BookRow = Payment & Readonly<{ row: RowNumber; outcome: Outcome; sinceMs: number }>;

/** Rows in a few numbers each. */
export function createRowColumns() {
  const numbers = createNumberList();
  const outcomes = createNumberList();
  const sinces = createNumberList();
  /** All instants that rows have, each once: there is one for each chunk. */
  const instants = new Map<number, number>();
  const instantsMs: number[] = [];
  const hashes = new Map<number, string>();
  return {
    add({ row, outcome, sinceMs }: BookRow): number {
      const index = numbers.length();
      const since = instants.get(sinceMs) ?? instantsMs.push(sinceMs) - 1;
      instants.set(sinceMs, since);
      numbers.push(row);
      outcomes.push(OUTCOMES.indexOf(outcome));
      sinces.push(since);
      return index;
    },
    knowHash: (index: number, hash: string): void => void hashes.set(index, hash),
    at: (index: number): ClassRow => ({
      index,
      outcome: OUTCOMES[outcomes.at(index)] ?? 'UNKNOWN',
      sinceMs: instantsMs[sinces.at(index)] ?? 0,
      hash: hashes.get(index),
    }),
    numberOf: (index: number): RowNumber => numbers.at(index),
    length: () => numbers.length(),
  };
}

/** Transactions by their classes, each as one text. */
export function createTransactionColumns() {
  const packed: string[] = [];
  const chains = createChains();
  const at = (index: number): WalletTransaction => {
    const text = packed[index];
    if (text === undefined) throw new RangeError(`there is no transaction ${index}`);
    return unpackTransaction(text);
  };
  return {
    at,
    add(classNumber: number, transaction: WalletTransaction): void {
      packed.push(packTransaction(transaction));
      chains.add(classNumber);
    },
    ofClass: (classNumber: number) =>
      chains.membersOf(classNumber).map((index) => {
        const transaction = at(index);
        const { atMs, hash } = transaction;
        return { index, atMs, hash, isOfMassPayout: isOfMassPayout(transaction) };
      }),
  };
}

const CERTAINTIES: readonly Certainty[] = ['hash', 'only', 'equal'];

/** The result of each row; rows and transactions by their numbers. */
export function createFindings(length: number) {
  const transactionOf = new Int32Array(length).fill(NONE);
  const certaintyOf = new Uint8Array(length);
  const equalRowsOf = new Int32Array(length);
  const contested = new Uint8Array(length);
  return {
    keep(indexes: readonly number[], { pairs, short }: ClassMatch): void {
      for (const index of indexes) equalRowsOf[index] = indexes.length;
      for (const pair of pairs) {
        const { index } = pair.row;
        transactionOf[index] = pair.transaction.index;
        certaintyOf[index] = CERTAINTIES.indexOf(pair.certainty);
        contested[index] = short > 0 && mayBeOfOthers(pair) ? 1 : 0;
      }
    },
    /** The number of the row's transaction; NONE when it has none. */
    transactionOf: (index: number): number => transactionOf[index] ?? NONE,
    certaintyOf: (index: number): Certainty | undefined => CERTAINTIES[certaintyOf[index] ?? 0],
    equalRowsOf: (index: number): number => equalRowsOf[index] ?? 1,
    isContested: (index: number): boolean => contested[index] === 1,
  };
}
