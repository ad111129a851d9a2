import type { Money } from '../../domain/plan/rules.ts';
import type { ChunkFlow, QuotedFees, WrittenOutflow } from '../../domain/funds/outflow.ts';
import type { BalanceCheck } from '../../domain/funds/balance-check.ts';

/** The batches of an account that can have ordered money: those with these ids, and all that asked for money later. */
export type FlowScope = Readonly<{ batchIds: readonly string[]; afterSeq: number }>;

/** The orders of the batches of an account, at one moment. */
export type FlowLook = Readonly<{
  scope: FlowScope;
  chunks: readonly ChunkFlow[];
  quotes: QuotedFees;
}>;

/** The balance of an account before the first create of a batch, and what had left by then. */
export type OpeningBalance = Readonly<{
  atMs: number;
  balances: readonly Money[];
  flows: readonly WrittenOutflow[];
  scope: FlowScope;
  /** The counts of withdrawals (`withdrawal-count.ts`); missing where the service has no list of transactions. */
  withdrawals?: Readonly<{ counts: readonly Money[]; flows: readonly WrittenOutflow[] }>;
}>;

export type BatchBalance = Readonly<{
  opening: OpeningBalance;
  /** The result of the reads since the opening, with each difference that was found; null: none yet. */
  check: BalanceCheck | null;
}>;
