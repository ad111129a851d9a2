import type { Db, Tx } from '../../../src/store/database/db.ts';
import type { Access } from '../../../src/store/database/decide.ts';
import { changeBy } from '../../../src/domain/sending/reduce.ts';
import type { ChunkState } from '../../../src/domain/batch/chunk-state.ts';
import type { Lookup } from '../../../src/domain/sending/send-record.ts';
import { beginAttempt, endAttempt, insertLookup } from './attempts.ts';
import { ROWS_IN_FLIGHT } from '../../../src/store/batches/chunks.ts';
import { onChunk, type AuditNotes } from '../../../src/store/audit/audited.ts';
import type { AttemptEnd, AttemptStart, NewAttempt } from '../../../src/store/sending/attempts.ts';
import type { LookedUpPayout } from '../../../src/store/sending/found-payouts.ts';
import { otherOwners } from '../../../src/store/sending/other-owners.ts';
import { restoreOf, settledBy } from '../../../src/store/restore/restores.ts';
import { type ChangeChunk, createReferenceEnds, NO_ATTENTION, setState } from './sending-ends.ts';
import { type ChunkRef, answerOf, payoutOf } from '../../../src/store/sending/send-records.ts';
import type { Schema } from '../../../src/store/database/schema.ts';

/**
 * The durable facts about sending: intents, attempts, lookups, and their results. Every write is committed on return,
 * together with its entry in the audit log.
 */
export function createReferenceSends({ decide }: Access, nowMs: () => number) {
  const change: ChangeChunk = (ref, act, work) =>
    decide([{ batch: ref.batchId }], (tx) =>
      onChunk(tx, { ...ref, ...act, atMs: nowMs() }, (notes) => work(tx, notes)),
    );

  return {
    /**
     * Writes intent and attempt down before anything leaves; only `begun` allows to send. Throws INTENT_MISMATCH when the
     * key already stands for another content.
     */
    beginAttempt: (ref: ChunkRef, attempt: NewAttempt): Promise<AttemptStart> =>
      change(ref, { action: 'send' }, async (tx, notes) => {
        const start = await beginAttempt(tx, { ref, attempt }, notes);
        if (start === 'begun') {
          const settled = settledBy(await restoreOf(tx, ref.batchId), 'ATTEMPT');
          await setState(tx, ref, { state: 'SENDING', ...NO_ATTENTION, ...settled });
        }
        return start;
      }),

    /** Writes down how an attempt ended and, with it, the mass payout that the answer held. */
    endAttempt: (ref: ChunkRef, end: AttemptEnd, payout?: LookedUpPayout): Promise<void> =>
      change(ref, { action: 'answer' }, async (tx, notes) => {
        await endAttempt(tx, { ref, end }, notes);
        if (payout !== undefined) await setPayout(tx, { ref, payout }, notes);
      }),

    /** Stores a lookup and the mass payout that it found. */
    recordLookup: (ref: ChunkRef, lookup: Lookup, payout?: LookedUpPayout): Promise<void> =>
      change(ref, { action: 'lookup' }, async (tx, notes) => {
        await insertLookup(tx, { ref, lookup }, notes);
        if (payout !== undefined) await setPayout(tx, { ref, payout }, notes);
      }),

    setPayout: (ref: ChunkRef, payout: LookedUpPayout): Promise<void> =>
      change(ref, { action: 'found' }, (tx, notes) => setPayout(tx, { ref, payout }, notes)),

    ...createReferenceEnds(change),
  };
}

/**
 * A chunk that has its mass payout is CREATED, or waits for a person when the two differ. One mass payout never belongs
 * to two chunks, and a second one never replaces the first. Outcomes of the rows from before are dropped, unless the
 * chunk was settled since.
 */
async function setPayout(
  tx: Tx,
  { ref, payout }: Readonly<{ ref: ChunkRef; payout: LookedUpPayout }>,
  notes: AuditNotes,
): Promise<void> {
  const seen = {
    id: payout.id,
    differences: [...payout.differences, ...(await otherOwners(tx, ref, payout.id))],
  };
  const known = await tx
    .selectFrom('chunk')
    .select(['state', 'answer_json', 'mass_payout_id', 'differences_json'])
    .select(['other_payouts_json', 'fee', 'final', 'reopened', 'default_outcome'])
    .where('batch_id', '=', ref.batchId)
    .where('chunk', '=', ref.chunk)
    .executeTakeFirstOrThrow();
  const answer = answerOf(known.answer_json);
  const record = { ...payoutOf(known), ...answer };
  const change = changeBy({ record, state: known.state as ChunkState }, seen);
  Object.assign(notes.detail, { massPayoutId: payout.id });
  if (change === undefined) return setState(tx, ref, { fee: known.fee ?? payout.fee });
  const { differences } = change.payout;
  const created = differences.length === 0;
  if (!created) Object.assign(notes.detail, { differences });
  await setState(tx, ref, {
    mass_payout_id: change.payout.id,
    differences_json: JSON.stringify(differences),
    ...(change.payout.id === payout.id ? { mass_state: payout.state, fee: payout.fee } : {}),
    ...(change.others === undefined ? {} : { other_payouts_json: JSON.stringify(change.others) }),
    ...(!created && known.final === 1 ? await takenBack(tx, ref, known) : {}),
    ...(created ? { state: 'CREATED', ...NO_ATTENTION } : {}),
    ...(created && known.state !== 'CREATED'
      ? {
          ...(isShown(known) ? {} : { default_outcome: 'IN_FLIGHT', default_reason: '' }),
          final: 0,
        }
      : {}),
  });
}

/** Reopens the rows that a second mass payout may pay as well, unless the report of the batch is written. */
async function takenBack(
  db: Db,
  { batchId }: ChunkRef,
  { state, reopened }: Pick<Schema['chunk'], 'state' | 'reopened'>,
): Promise<Partial<Schema['chunk']>> {
  const { end_state } = await db
    .selectFrom('batch')
    .select('end_state')
    .where('batch_id', '=', batchId)
    .executeTakeFirstOrThrow();
  if (end_state !== null || state !== 'CREATED') return {};
  return {
    ...ROWS_IN_FLIGHT,
    payout_fingerprint: null,
    reopened: reopened + 1,
  };
}

/** Whether people were shown an end of these rows that no later answer may turn into unpaid (see `laterWord`). */
const isShown = (known: Readonly<{ default_outcome: string; reopened: number }>): boolean =>
  known.reopened > 0 && (known.default_outcome === 'PAID' || known.default_outcome === 'UNKNOWN');
