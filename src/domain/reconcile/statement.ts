import type { BatchState } from '../batch/batch-state.ts';
import type { ShownOutcome } from '../settling/outcome.ts';
import type { StatementDifference } from './differences.ts';

/** A number of things and their sum, decimal text. */
export type Counted = Readonly<{ count: number; amount: string }>;

/** A sum of fees in one currency, decimal text. */
export type FeeSum = Readonly<{ currency: string; amount: string }>;

/** One currency of a batch, from each side that has it. */
export type CurrencyStatement = Readonly<{
  currency: string;
  /** The rows of the file, refused rows with a readable amount included. */
  file: Counted;
  /** The outcomes of its rows by the batch. */
  engine: Readonly<Record<ShownOutcome, Counted>>;
  /** The present mass payouts by the service; `amount` and `fee` without those that lack them. */
  massPayouts: Counted & Readonly<{ fee: string; byState: Readonly<Record<string, number>> }>;
  /** The wallet's transactions for the rows; null when the service has no list of transactions. */
  transactions:
    | (Counted & Readonly<{ serviceFees: readonly FeeSum[]; networkFees: readonly FeeSum[] }>)
    | null;
}>;

/** Rows that have a transaction, by how sure it is that it is theirs; see `Certainty`. */
export type MatchedRows = Readonly<{ hash: number; only: number; equal: number }>;

/** The transactions of the window by their use; null when the service has no list of them. */
export type TransactionCounts = Readonly<{
  /** All that were read. */
  read: number;
  /** To addresses outside the file, and transactions that paid no recipient. */
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
  /** The window of the transactions. */
  from: string;
  to: string;
  /** Whether a person need not act. */
  ties: boolean;
  /** "available", or why the needed data could not be read. */
  available: Readonly<{ transactions: string; lookups: string; wallets: string }>;
  /** Of the file. A refused row whose amount cannot be read is in no currency. */
  rows: Readonly<{ total: number; refused: number }>;
  currencies: readonly CurrencyStatement[];
  matchedRows: MatchedRows;
  transactions: TransactionCounts | null;
  /** Other batches that pay from the account in this time. */
  otherBatches: readonly string[];
  wallets: readonly WalletBalance[] | null;
  differences: readonly StatementDifference[];
}>;
