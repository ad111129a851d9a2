import { type ChunkOutcomes, type OutcomeWithReason } from '../../domain/settling/outcome.ts';
import type { PayoutTimes } from '../../domain/settling/payout-times.ts';
import type { ChunkFacts, Decision } from '../chunk-writes/write.ts';
import type { Schema } from '../database/schema.ts';
import { outcomesIn, refuseUnpaidOfPaid } from './paid-stays.ts';
import { outcomesDetail, type StoredRowOutcome, toRow } from './row-outcomes.ts';

/**
 * The outcomes of a chunk as they are stored. `unclearSinceMs`: since when its withdrawals are unclear. `keepsLookups`:
 * whether the withdrawal lookups serve the next read too. `payoutFingerprint`: a hash of the mass payout, while its end
 * may change. `reopened`: how often the chunk had been reopened when the mass payout was read.
 */
export type StoredOutcomes = Omit<ChunkOutcomes, 'rows'> &
  Readonly<{
    rows: readonly StoredRowOutcome[];
    fee: string | null;
    unclearSinceMs: number | null;
    keepsLookups: boolean;
    payoutFingerprint: string | null;
    reopened: number;
  }>;

/** The outcomes of a chunk's rows while its mass payout is on its way again. */
export type RowsMeanwhile = Readonly<{
  defaultOutcome: OutcomeWithReason;
  rows: readonly StoredRowOutcome[];
}>;

/** A flag on an open chunk that a person should check. */
export type Attention = Readonly<{ reason: string; sinceMs: number }>;

/** Replaces the outcomes of an open chunk. */
export function settle(facts: ChunkFacts, outcomes: StoredOutcomes): Decision<boolean> {
  const { row } = facts;
  if (row.final !== 0 || row.reopened !== outcomes.reopened) return { result: false };
  // An open chunk that was never reopened has no row that is PAID.
  if (outcomes.reopened !== 0) {
    refuseUnpaidOfPaid(placeOf(row), outcomesIn(facts), { ...outcomes, unknownStays: () => true });
  }
  return {
    result: true,
    changes: {
      row: columnsOf(outcomes),
      rowOutcomes: outcomes.rows.map((one) => toRow(row.batch_id, one)),
      forgetsWithdrawals: !outcomes.keepsLookups,
    },
    detail: outcomesDetail(outcomes),
  };
}

const columnsOf = (outcomes: StoredOutcomes): Partial<Schema['chunk']> => ({
  mass_state: outcomes.massPayoutState,
  default_outcome: outcomes.defaultOutcome.outcome,
  default_reason: outcomes.defaultOutcome.reason,
  final: outcomes.final ? 1 : 0,
  unclear_since_ms: outcomes.unclearSinceMs,
  payout_fingerprint: outcomes.payoutFingerprint,
  ...(outcomes.final ? UNWATCHED : {}),
  ...(outcomes.fee === null ? {} : { fee: outcomes.fee }),
});

/** An ended chunk needs no check. */
const UNWATCHED: Partial<Schema['chunk']> = {
  open_since_ms: null,
  state_since_ms: null,
  unreadable_since_ms: null,
  attention_reason: null,
  attention_since_ms: null,
};

/** Notes that the mass payout of an open chunk differs from its request. */
export const disown = ({ row }: ChunkFacts, differences: readonly string[]): Decision<void> => ({
  result: undefined,
  ...(row.final === 0 && { changes: { row: { differences_json: JSON.stringify(differences) } } }),
  detail: { differences },
});

/** Takes the end of a chunk back. */
export function reopen(
  facts: ChunkFacts,
  reopened: number,
  { defaultOutcome, rows }: RowsMeanwhile,
): Decision<boolean> {
  const { row, isEnded } = facts;
  const isEnd = row.state === 'CREATED' && row.final === 1;
  if (!isEnd || row.reopened !== reopened || isEnded) return { result: false };
  const next = { defaultOutcome, rows, unknownStays: () => reopened > 0 };
  refuseUnpaidOfPaid(placeOf(row), outcomesIn(facts), next);
  return {
    result: true,
    changes: {
      row: {
        final: 0,
        default_outcome: defaultOutcome.outcome,
        default_reason: defaultOutcome.reason,
        unclear_since_ms: null,
        payout_fingerprint: null,
        reopened: reopened + 1,
      },
      rowOutcomes: rows.map((one) => toRow(row.batch_id, one)),
      forgetsWithdrawals: true,
    },
  };
}

/** Notes since when the mass payout of an open chunk has its state. */
export function setTimes(
  { row }: ChunkFacts,
  times: PayoutTimes,
  attention: Attention | undefined,
): Decision<void> {
  if (row.state !== 'CREATED' || row.final !== 0) return { result: undefined };
  return {
    result: undefined,
    changes: {
      row: {
        open_since_ms: times.openSinceMs,
        state_since_ms: times.stateSinceMs,
        unreadable_since_ms: times.unreadSinceMs,
        attention_reason: attention?.reason ?? null,
        attention_since_ms: attention?.sinceMs ?? null,
      },
    },
  };
}

const placeOf = ({ batch_id: batchId, chunk }: Schema['chunk']) => ({ batchId, chunk });
