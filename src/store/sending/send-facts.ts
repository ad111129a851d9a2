import type { Hold } from '../../domain/holds/hold.ts';
import type { SendState } from '../../domain/sending/reduce.ts';
import type { SendRecord } from '../../domain/sending/send-record.ts';
import { openHolds } from '../control/hold-records.ts';
import type { Db } from '../database/db.ts';
import { createSharedReads } from '../database/shared-reads.ts';
import { restoreOf, type StoredRestore } from '../restore/restores.ts';
import { type ChunkRef, readSendStates } from './send-records.ts';

/** All from which the sending of a chunk is decided. */
export type SendFacts = Readonly<{
  send: SendState;
  /** The restore that concerns its batch; undefined: the store lacks no send of it. */
  restore: StoredRestore | undefined;
  /** The oldest hold of its batch that is on. */
  hold: Hold | undefined;
}>;

export const createSendReads = (db: Db) => {
  const facts = createSharedReads((batchId: string, refs: readonly ChunkRef[]) =>
    readFacts(db, batchId, refs),
  );
  return {
    facts,
    /** All facts about the sending of a chunk, and the conclusions from them. */
    state: async (ref: ChunkRef): Promise<SendState> => (await facts(ref)).send,
    record: async (ref: ChunkRef): Promise<SendRecord> => (await facts(ref)).send.record,
  };
};

async function readFacts(
  db: Db,
  batchId: string,
  refs: readonly ChunkRef[],
): Promise<readonly (SendFacts | undefined)[]> {
  const restore = await restoreOf(db, batchId);
  const [hold] = await openHolds(db, batchId);
  const states = await readSendStates(db, { batchId, refs, restore });
  return states.map((send) => send && { send, restore, hold });
}
