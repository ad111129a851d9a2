import type { Db, Tx } from '../database/db.ts';
import type { Access } from '../database/decide.ts';
import { changeBy, type SendState } from '../../domain/sending/reduce.ts';
import type { ChunkState } from '../../domain/batch/chunk-state.ts';
import type { Lookup, SendRecord } from '../../domain/sending/send-record.ts';
import {
  type AttemptEnd,
  type AttemptStart,
  beginAttempt,
  endAttempt,
  insertLookup,
  type NewAttempt,
} from './attempts.ts';
import { ROWS_IN_FLIGHT } from '../batches/chunks.ts';
import { onChunk, type AuditNotes } from '../audit/audited.ts';
import { nearestUnderWay } from './headroom.ts';
import { settledBy } from '../restore/restores.ts';
import { type ChangeChunk, createSendEnds, NO_ATTENTION, setState } from './sending-ends.ts';
import {
  type ChunkRef,
  type Intent,
  answerOf,
  payoutOf,
  readIntent,
  readRecord,
  readSendState,
} from './send-records.ts';
import type { Schema } from '../database/schema.ts';

export type { AttemptEnd, AttemptStart, NewAttempt } from './attempts.ts';
export type { ChunkRef, Intent } from './send-records.ts';

/** The mass payout that the service has for a chunk, and how it differs from the intent. */
export type LookedUpPayout = Readonly<{
  id: string;
  state: string;
  fee: string | null;
  differences: readonly string[];
}>;

/**
 * The durable facts about sending: intents, attempts, lookups, and their results. Every write is committed on return,
 * together with its entry in the audit log.
 */
export function createSendStore({ db, decide }: Access, nowMs: () => number) {
  const change: ChangeChunk = (ref, act, work) =>
    decide([{ batch: ref.batchId }, 'chain'], (tx) =>
      onChunk(tx, { ...ref, ...act, atMs: nowMs() }, (notes) => work(tx, notes)),
    );

  return {
    /** All facts about the sending of a chunk, and the conclusions from them. */
    state: (ref: ChunkRef): Promise<SendState> => readSendState(db, ref),

    record: (ref: ChunkRef): Promise<SendRecord> => readRecord(db, ref),

    intent: (idempotencyKey: string): Promise<Intent | undefined> => readIntent(db, idempotencyKey),

    /**
     * Writes intent and attempt down before anything leaves; only `begun` allows to send. Throws INTENT_MISMATCH when the
     * key already stands for another content.
     */
    beginAttempt: (ref: ChunkRef, attempt: NewAttempt): Promise<AttemptStart> =>
      change(ref, { action: 'send' }, async (tx, notes) => {
        const start = await beginAttempt(tx, { ref, attempt }, notes);
        if (start === 'begun') {
          const settled = await settledBy(tx, ref.batchId, 'ATTEMPT');
          await setState(tx, ref, { state: 'SENDING', ...NO_ATTENTION, ...settled });
        }
        return start;
      }),

    /** Other chunks that a mass payout stands for already, in words. */
    otherOwners: (ref: ChunkRef, massPayoutId: string): Promise<string[]> =>
      otherOwners(db, ref, massPayoutId),

    /** The chunk that is under way and nearest to another one by its number; undefined when there is none. */
    nearestUnderWay: (ref: ChunkRef): Promise<number | undefined> => nearestUnderWay(db, ref),

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

    ...createSendEnds(change),
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

export async function otherOwners(db: Db, ref: ChunkRef, massPayoutId: string): Promise<string[]> {
  const others = await db
    .selectFrom('chunk')
    .select(['batch_id', 'chunk'])
    .where('mass_payout_id', '=', massPayoutId)
    .where('idempotency_key', '!=', ref.idempotencyKey)
    .execute();
  return others.map((other) => `it already stands for chunk ${other.chunk} of ${other.batch_id}`);
}
