import type { BatchState } from '../batch/batch-state.ts';
import type { ShownOutcome } from '../settling/outcome.ts';
import type { Difference } from './differences.ts';

/** A number of things and what they sum up to, decimal text. */
export type Counted = Readonly<{ count: number; amount: string }>;

/** A sum of fees in one currency, decimal text. */
export type FeeSum = Readonly<{ currency: string; amount: string }>;

/** One currency of a batch, told by each of those who know about it. */
export type CurrencyStatement = Readonly<{
  currency: string;
  /** What the file asks for, refused rows with a readable amount included. */
  file: Counted;
  /** What the batch says became of its rows. */
  engine: Readonly<Record<ShownOutcome, Counted>>;
  /** What the service says now of the mass payouts; `amount` and `fee` without those that do not tell. */
  massPayouts: Counted & Readonly<{ fee: string; byState: Readonly<Record<string, number>> }>;
  /** What the wallet shows for the rows; null when the service has no list of transactions. */
  transactions:
    | (Counted & Readonly<{ serviceFees: readonly FeeSum[]; networkFees: readonly FeeSum[] }>)
    | null;
}>;

/** Rows that have a transaction, by how sure it is that it is theirs; see `Certainty`. */
export type MatchedRows = Readonly<{ hash: number; only: number; equal: number }>;

/** Where the transactions of the time that was looked at went; null when the service has no list of them. */
export type TransactionCounts = Readonly<{
  /** All that were read. */
  read: number;
  /** To addresses that are not in the file, and what did not pay anybody. */
  elsewhere: number;
  /** Left to other batches of this store. */
  ofOtherBatches: number;
}>;

/** Balances of a wallet now, in currencies of the batch. Decimal text. */
export type WalletBalance = Readonly<{
  name: string;
  address: string;
  currency: string;
  amount: string;
}>;

/** File, engine, mass payouts and wallet side by side. Instants are ISO 8601 in UTC. */
export type Reconciliation = Readonly<{
  schema: 'bursar.reconciliation/v1';
  batchId: string;
  state: BatchState;
  generation: number;
  parentBatchId: string | null;
  at: string;
  /** The time whose transactions were looked at. */
  from: string;
  to: string;
  /** Whether there is nothing that a person must look at. */
  ties: boolean;
  /** "available", or why what was needed could not be read. */
  available: Readonly<{ transactions: string; lookups: string; wallets: string }>;
  /** Of the file. A refused row whose amount cannot be read is in no currency. */
  rows: Readonly<{ total: number; refused: number }>;
  currencies: readonly CurrencyStatement[];
  matchedRows: MatchedRows;
  transactions: TransactionCounts | null;
  /** Other batches that pay from the account in this time. */
  otherBatches: readonly string[];
  wallets: readonly WalletBalance[] | null;
  differences: readonly Difference[];
}>;
