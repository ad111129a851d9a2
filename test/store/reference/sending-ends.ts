import type { Db, Tx } from '../../../src/store/database/db.ts';
import type { ChunkState } from '../../../src/domain/batch/chunk-state.ts';
import { forbidsSending } from '../../../src/domain/sending/answers.ts';
import { reduceSend, SENDABLE } from '../../../src/domain/sending/reduce.ts';
import type { OperatorAnswer } from '../../../src/domain/sending/send-record.ts';
import type { Outcome } from '../../../src/domain/settling/outcome.ts';
import { type AuditedAct, ENGINE, type AuditNotes } from '../../../src/store/audit/audited.ts';
import type { Answering, Decided } from '../../../src/store/sending/sending-ends.ts';
import type { Schema } from '../../../src/store/database/schema.ts';
import { askOperator, setAnswer } from './operator-answers.ts';
import type { ChunkRef } from '../../../src/store/sending/send-records.ts';
import { readRecord, readSendState } from './send-state.ts';

/** Does something to a chunk in a transaction of its own, with an entry in the audit log. */
export type ChangeChunk = <Result>(
  ref: ChunkRef,
  act: Omit<AuditedAct, 'atMs'>,
  work: (tx: Tx, notes: AuditNotes) => Promise<Result>,
) => Promise<Result>;

/** The end of the sending of a chunk, and the answers of a person about it. */
export const createReferenceEnds = (change: ChangeChunk) => ({
  /** The service refused the create for certain: its rows were not paid. */
  setRejected: (ref: ChunkRef, decided: Decided): Promise<boolean> =>
    change(ref, { action: 'reject' }, (tx) =>
      conclude(tx, { ref, decided }, atEnd('REJECTED', 'FAILED', decided.reason)),
    ),

  /** Nothing was created and nothing will be: the batch was stopped first. */
  setNotSent: (ref: ChunkRef, decided: Decided): Promise<boolean> =>
    change(ref, { action: 'close' }, (tx) =>
      conclude(tx, { ref, decided }, atEnd('NOT_SENT', 'NOT_SENT', decided.reason)),
    ),

  /** A person gave the chunk up: its rows may or may not be paid, and no resend takes them. */
  setAbandoned: (ref: ChunkRef, reason: string): Promise<void> =>
    change(ref, { action: 'abandon' }, (tx) =>
      setState(tx, ref, atEnd('ABANDONED', 'UNKNOWN', reason)),
    ),

  /**
   * Returns false, and changes nothing, when the chunk was sent, found, refused, closed or answered since the decision.
   */
  setNeedsOperator: (ref: ChunkRef, decided: Decided, sinceMs: number): Promise<boolean> =>
    change(ref, { action: 'ask-operator' }, async (tx) =>
      (await isAllThereIs(tx, ref, decided))
        ? askOperator(tx, ref, { ...decided, sinceMs })
        : false,
    ),

  /**
   * Withdraws a question whose only cause was a missing verification or answer. From here on an answer to it clears no
   * attempt. Returns false when a person has answered, or a send or a find happened, since the decision.
   */
  withdrawQuestion: (ref: ChunkRef, attempts: number): Promise<boolean> =>
    change(ref, { action: 'withdraw-question' }, async (tx, notes) => {
      const before = await readSendState(tx, ref);
      const after = reduceSend(before, { kind: 'question-withdrawn', attempts });
      if (after === undefined) return false;
      notes.detail['reason'] = before.reason;
      await setState(tx, ref, { state: after.state, ...NO_ATTENTION });
      return true;
    }),

  /**
   * Stores an operator's answer, once: of two people who answer at the same time the second is refused, unless both
   * answers are equal. Throws CHUNK_NOT_WAITING.
   */
  setAnswer: (
    ref: ChunkRef,
    answer: OperatorAnswer,
    by: Answering = { actor: ENGINE, detail: {} },
  ): Promise<void> =>
    change(ref, { action: 'resolve', actor: by.actor }, async (tx, notes) => {
      Object.assign(notes.detail, by.detail);
      await setAnswer(tx, ref, answer);
    }),

  /** Drops the adoption of a mass payout that led to nothing; another answer of a person stays. */
  clearAdoption: (ref: ChunkRef, massPayoutId: string): Promise<void> =>
    change(ref, { action: 'drop-answer' }, async (tx) => {
      const { answer } = await readRecord(tx, ref);
      if (answer?.kind !== 'adopt' || answer.massPayoutId !== massPayoutId) return;
      await setState(tx, ref, { answer_json: null });
    }),
});

/**
 * Closes a chunk's rows as unpaid for good, if the facts of the decision are still complete. Returns false when another
 * worker has sent or found something since, a person was asked or has answered, or the chunk must be verified. The caller
 * then decides again.
 */
async function conclude(
  tx: Tx,
  { ref, decided }: { ref: ChunkRef; decided: Decided },
  end: Partial<Schema['chunk']>,
): Promise<boolean> {
  if (!SENDABLE.includes(decided.from) || !(await isAllThereIs(tx, ref, decided))) return false;
  const { record, verification } = await readSendState(tx, ref);
  if (forbidsSending(record.answer) || verification === 'due') return false;
  const changed = await tx
    .updateTable('chunk')
    .set(end)
    .where('batch_id', '=', ref.batchId)
    .where('chunk', '=', ref.chunk)
    .where('state', '=', decided.from)
    .where('mass_payout_id', 'is', null)
    .executeTakeFirst();
  return changed.numUpdatedRows > 0n;
}

/** Whether no worker has written an attempt down since it was decided. */
async function isAllThereIs(
  db: Db,
  { idempotencyKey }: ChunkRef,
  { attempts }: Decided,
): Promise<boolean> {
  const { known } = await db
    .selectFrom('attempt')
    .select(({ fn }) => fn.countAll<number>().as('known'))
    .where('idempotency_key', '=', idempotencyKey)
    .executeTakeFirstOrThrow();
  return known === attempts;
}

export const NO_ATTENTION = { attention_reason: null, attention_since_ms: null } as const;

const atEnd = (state: ChunkState, outcome: Outcome, reason: string): Partial<Schema['chunk']> => ({
  state,
  ...NO_ATTENTION,
  default_outcome: outcome,
  default_reason: reason,
  final: 1,
});

export async function setState(
  tx: Tx,
  ref: ChunkRef,
  set: Partial<Schema['chunk']>,
): Promise<void> {
  await tx
    .updateTable('chunk')
    .set(set)
    .where('batch_id', '=', ref.batchId)
    .where('chunk', '=', ref.chunk)
    .execute();
}
