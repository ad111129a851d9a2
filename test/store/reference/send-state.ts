import type { SendState } from '../../../src/domain/sending/reduce.ts';
import type { SendRecord } from '../../../src/domain/sending/send-record.ts';
import type { Db } from '../../../src/store/database/db.ts';
import { restoreOf } from '../../../src/store/restore/restores.ts';
import { type ChunkRef, readSendStates } from '../../../src/store/sending/send-records.ts';

/** All facts about the sending of one chunk, as a transaction sees them. */
export async function readSendState(db: Db, ref: ChunkRef): Promise<SendState> {
  const { batchId } = ref;
  const restore = await restoreOf(db, batchId);
  const [state] = await readSendStates(db, { batchId, refs: [ref], restore });
  if (state === undefined) throw new Error('the chunk has no state');
  return state;
}

export const readRecord = async (db: Db, ref: ChunkRef): Promise<SendRecord> =>
  (await readSendState(db, ref)).record;
