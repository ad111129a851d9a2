import { setImmediate } from 'node:timers/promises';
import type { Hold } from '../../domain/holds/hold.ts';
import type { SendState } from '../../domain/sending/reduce.ts';
import type { SendRecord } from '../../domain/sending/send-record.ts';
import { openHolds } from '../control/hold-records.ts';
import type { Db } from '../database/db.ts';
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
  const facts = createSendFactsReader(db);
  return {
    facts,
    /** All facts about the sending of a chunk, and the conclusions from them. */
    state: async (ref: ChunkRef): Promise<SendState> => (await facts(ref)).send,
    record: async (ref: ChunkRef): Promise<SendRecord> => (await facts(ref)).send.record,
  };
};

type Reading = Readonly<{ refs: ChunkRef[]; facts: Promise<readonly SendFacts[]> }>;

/**
 * Reads the facts of chunks. Reads of one batch that begin in the same turn of the event loop share their statements. All
 * facts are read after the call.
 */
function createSendFactsReader(db: Db): (ref: ChunkRef) => Promise<SendFacts> {
  const open = new Map<string, Reading>();

  const begin = (batchId: string): Reading => {
    const refs: ChunkRef[] = [];
    const read = async (): Promise<readonly SendFacts[]> => {
      await setImmediate();
      open.delete(batchId);
      return readFacts(db, batchId, refs);
    };
    const reading = { refs, facts: read() };
    open.set(batchId, reading);
    return reading;
  };

  return async (ref) => {
    const reading = open.get(ref.batchId) ?? begin(ref.batchId);
    const place = reading.refs.push(ref) - 1;
    const facts = (await reading.facts)[place];
    if (facts === undefined) throw new Error(`batch ${ref.batchId} has no facts of ${ref.chunk}`);
    return facts;
  };
}

async function readFacts(
  db: Db,
  batchId: string,
  refs: readonly ChunkRef[],
): Promise<readonly SendFacts[]> {
  const restore = await restoreOf(db, batchId);
  const [hold] = await openHolds(db, batchId);
  const states = await readSendStates(db, { batchId, refs, restore });
  return states.map((send) => ({ send, restore, hold }));
}
