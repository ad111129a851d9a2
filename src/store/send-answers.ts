import { BursarError } from '../domain/errors/bursar-error.ts';
import { SENDABLE } from '../domain/sending/reduce.ts';
import type { OperatorAnswer } from '../domain/sending/send-record.ts';
import { type ChunkRef, readRecord } from './send-records.ts';
import type { Db } from './sqlite.ts';

/** Calls for a person; answers false when the chunk has come to an end since that was decided. */
export async function askOperator(
  tx: Db,
  ref: ChunkRef,
  { reason, sinceMs }: Readonly<{ reason: string; sinceMs: number }>,
): Promise<boolean> {
  const changed = await tx
    .updateTable('chunk')
    .set({ state: 'NEEDS_OPERATOR', attention_reason: reason, attention_since_ms: sinceMs })
    .where('batch_id', '=', ref.batchId)
    .where('chunk', '=', ref.chunk)
    .where(({ or, and, eb }) =>
      or([
        eb('state', 'in', [...SENDABLE]),
        and([eb('state', '=', 'CREATED'), eb('differences_json', '!=', '[]')]),
      ]),
    )
    .executeTakeFirst();
  return changed.numUpdatedRows > 0n;
}

/** A chunk that was answered for does not wait any more, until it asks again. */
export async function setAnswer(tx: Db, ref: ChunkRef, answer: OperatorAnswer): Promise<void> {
  const changed = await tx
    .updateTable('chunk')
    .set({ answer_json: JSON.stringify(answer), state: 'SENDING' })
    .where('batch_id', '=', ref.batchId)
    .where('chunk', '=', ref.chunk)
    .where(({ or, and, eb }) =>
      or([
        eb('state', '=', 'NEEDS_OPERATOR'),
        // A store that was brought back from an older copy does not know that it waits.
        and([eb('state', 'in', ['PLANNED', 'SENDING']), eb('answer_json', 'is', null)]),
      ]),
    )
    .executeTakeFirst();
  if (changed.numUpdatedRows > 0n) return;
  const { answer: given } = await readRecord(tx, ref);
  if (given !== undefined && isSameAnswer(given, answer)) return;
  throw new BursarError('CHUNK_NOT_WAITING', { batchId: ref.batchId, chunk: String(ref.chunk) });
}

const isSameAnswer = (a: OperatorAnswer, b: OperatorAnswer): boolean =>
  a.kind === 'adopt' && b.kind === 'adopt' ? a.massPayoutId === b.massPayoutId : a.kind === b.kind;
