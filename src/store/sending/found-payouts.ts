import type { ChunkState } from '../../domain/batch/chunk-state.ts';
import { changeBy } from '../../domain/sending/reduce.ts';
import { ROWS_IN_FLIGHT } from '../batches/chunks.ts';
import type { ChunkFacts, Decision } from '../chunk-writes/write.ts';
import type { Schema } from '../database/schema.ts';
import { NO_ATTENTION } from './attempts.ts';
import { answerOf, payoutOf } from './send-records.ts';

/** The mass payout that the service has for a chunk, and how it differs from the intent. */
export type LookedUpPayout = Readonly<{
  id: string;
  state: string;
  fee: string | null;
  differences: readonly string[];
}>;

/** The same decision, and the mass payout that the same answer of the service held. */
export function withPayout(
  facts: ChunkFacts,
  decision: Decision<void>,
  payout: LookedUpPayout | undefined,
): Decision<void> {
  if (payout === undefined) return decision;
  const found = setPayout(facts, payout);
  return {
    ...decision,
    changes: { ...decision.changes, ...found.changes },
    detail: { ...decision.detail, ...found.detail },
  };
}

/**
 * A chunk that has its mass payout is CREATED, or waits for a person when the two differ. One mass payout never belongs
 * to two chunks, and a second one never replaces the first. Outcomes of the rows from before are dropped, unless the
 * chunk was settled since.
 */
export function setPayout(facts: ChunkFacts, payout: LookedUpPayout): Decision<void> {
  const { row: known } = facts;
  const seen = {
    id: payout.id,
    differences: [...payout.differences, ...facts.otherOwners(payout.id)],
  };
  const record = { ...payoutOf(known), ...answerOf(known.answer_json) };
  const change = changeBy({ record, state: known.state as ChunkState }, seen);
  const massPayoutId = payout.id;
  if (change === undefined) {
    const row = { fee: known.fee ?? payout.fee };
    return { result: undefined, changes: { row }, detail: { massPayoutId } };
  }
  const { differences } = change.payout;
  const created = differences.length === 0;
  const row = {
    mass_payout_id: change.payout.id,
    differences_json: JSON.stringify(differences),
    ...(change.payout.id === payout.id ? { mass_state: payout.state, fee: payout.fee } : {}),
    ...(change.others === undefined ? {} : { other_payouts_json: JSON.stringify(change.others) }),
    ...(created ? createdNow(known) : takenBack(facts)),
  };
  const detail = created ? { massPayoutId } : { massPayoutId, differences };
  return { result: undefined, changes: { row }, detail };
}

const createdNow = (known: Schema['chunk']): Partial<Schema['chunk']> => ({
  state: 'CREATED',
  ...NO_ATTENTION,
  ...(known.state === 'CREATED'
    ? {}
    : {
        ...(isShown(known) ? {} : { default_outcome: 'IN_FLIGHT', default_reason: '' }),
        final: 0,
      }),
});

/** Reopens the rows that a second mass payout may pay as well, unless the report of the batch is written. */
const takenBack = ({ row, isEnded }: ChunkFacts): Partial<Schema['chunk']> =>
  row.final === 0 || isEnded || row.state !== 'CREATED'
    ? {}
    : { ...ROWS_IN_FLIGHT, payout_fingerprint: null, reopened: row.reopened + 1 };

/** Whether people were shown an end of these rows that no later answer may turn into unpaid (see `laterWord`). */
const isShown = (known: Schema['chunk']): boolean =>
  known.reopened > 0 && (known.default_outcome === 'PAID' || known.default_outcome === 'UNKNOWN');
