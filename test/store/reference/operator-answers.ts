import type { Tx } from '../../../src/store/database/db.ts';
import { BursarError } from '../../../src/domain/errors/bursar-error.ts';
import type { ChunkState } from '../../../src/domain/batch/chunk-state.ts';
import { unasked } from '../../../src/domain/sending/answers.ts';
import { SENDABLE } from '../../../src/domain/sending/reduce.ts';
import type { OperatorAnswer } from '../../../src/domain/sending/send-record.ts';
import type { Schema } from '../../../src/store/database/schema.ts';
import { restoreOf, settledByAnswer } from '../../../src/store/restore/restores.ts';
import type { ChunkRef } from '../../../src/store/sending/send-records.ts';
import { readRecord } from './send-state.ts';

/** Calls for a person; answers false when the state of the chunk is another one than `from`, or an end. */
export async function askOperator(
  tx: Tx,
  ref: ChunkRef,
  { from, reason, sinceMs }: Readonly<{ from: ChunkState; reason: string; sinceMs: number }>,
): Promise<boolean> {
  const changed = await tx
    .updateTable('chunk')
    .set({ state: 'NEEDS_OPERATOR', attention_reason: reason, attention_since_ms: sinceMs })
    .where('batch_id', '=', ref.batchId)
    .where('chunk', '=', ref.chunk)
    .where('state', '=', from)
    .where(({ or, and, eb }) =>
      or([
        eb('state', 'in', [...SENDABLE]),
        and([eb('state', '=', 'CREATED'), eb('differences_json', '!=', '[]'), eb('final', '=', 0)]),
      ]),
    )
    .executeTakeFirst();
  return changed.numUpdatedRows > 0n;
}

/** A chunk with an answer no longer waits, until it asks again. */
export async function setAnswer(tx: Tx, ref: ChunkRef, answer: OperatorAnswer): Promise<void> {
  const settled = settledByAnswer(await restoreOf(tx, ref.batchId), {
    answer,
    state: 'NEEDS_OPERATOR',
  });
  const write = async (
    set: Partial<Schema['chunk']>,
    states: readonly ChunkState[],
  ): Promise<boolean> => {
    const { numUpdatedRows } = await tx
      .updateTable('chunk')
      .set({ state: 'SENDING', ...set })
      .where('batch_id', '=', ref.batchId)
      .where('chunk', '=', ref.chunk)
      .where('state', 'in', [...states])
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  };
  if (await write({ answer_json: JSON.stringify(answer), ...settled }, ['NEEDS_OPERATOR'])) return;
  const { answer: given } = await readRecord(tx, ref);
  // A restored store may lack the question.
  const kept = { answer_json: JSON.stringify(unasked(answer)) };
  if (given === undefined && (await write(kept, ['PLANNED', 'SENDING']))) return;
  if (given !== undefined && isSameAnswer(given, answer)) return;
  throw new BursarError('CHUNK_NOT_WAITING', { batchId: ref.batchId, chunk: String(ref.chunk) });
}

const isSameAnswer = (a: OperatorAnswer, b: OperatorAnswer): boolean =>
  a.kind === 'adopt' && b.kind === 'adopt' ? a.massPayoutId === b.massPayoutId : a.kind === b.kind;
