import type { Db } from '../database/db.ts';
import type { RecordFacts } from '../../domain/audit/facts.ts';
import {
  approvalFacts,
  attemptFacts,
  batchFacts,
  changeFacts,
  chunkFacts,
  holdFacts,
  intentFacts,
  lookupFacts,
  NAMES,
  versionFacts,
} from './facts.ts';
import { readReading } from '../rows/imports.ts';
import { readRowOutcomes } from './audited.ts';
import type { Schema } from '../database/schema.ts';

/** A record by its name in the audit log, and its present facts. `payload`: of an intent, the text of its hash. */
export type KeptRecord = Readonly<{ name: string; facts: RecordFacts; payload?: string }>;

/** The records that the audit log covers. */
export const createRecordStore = (db: Db) => ({
  /** Whether the store has a batch, in any state. */
  async hasBatch(batchId: string): Promise<boolean> {
    const found = db.selectFrom('batch').select('batch_id').where('batch_id', '=', batchId);
    return (await found.executeTakeFirst()) !== undefined;
  },

  /** Every record of a batch, read as it is: nothing that stands in it is taken for granted. Memory holds one chunk. */
  ofBatch: (batchId: string): AsyncGenerator<KeptRecord> => recordsOf(db, batchId),
});

async function* recordsOf(db: Db, batchId: string): AsyncGenerator<KeptRecord> {
  const batch = await db
    .selectFrom('batch')
    .selectAll()
    .where('batch_id', '=', batchId)
    .executeTakeFirst();
  if (batch !== undefined) yield { name: NAMES.batch, facts: batchFacts(batch) };
  if (typeof batch?.ingest_id === 'string') {
    yield { name: NAMES.reading, facts: await readReading(db, batch.ingest_id) };
  }
  yield* decisionsOf(db, batchId);
  yield* chunksOf(db, batchId);
  yield* laterOf(db, batchId);
}

/** The decisions of people and rules. */
async function* decisionsOf(db: Db, batchId: string): AsyncGenerator<KeptRecord> {
  const approvals = db.selectFrom('approval').selectAll().where('batch_id', '=', batchId);
  for (const row of await approvals.execute()) {
    yield { name: NAMES.approval(row), facts: approvalFacts(row) };
  }
  const holds = db.selectFrom('hold').selectAll().where('batch_id', '=', batchId);
  for (const row of await holds.execute()) {
    yield { name: NAMES.hold(row.n), facts: holdFacts(row) };
  }
}

/** The changes after the end. */
async function* laterOf(db: Db, batchId: string): AsyncGenerator<KeptRecord> {
  const changes = db.selectFrom('recheck_change').selectAll().where('batch_id', '=', batchId);
  for (const row of await changes.execute()) {
    yield { name: NAMES.change(row.seq), facts: changeFacts(row) };
  }
  const versions = db.selectFrom('report_version').selectAll().where('batch_id', '=', batchId);
  for (const row of await versions.execute()) {
    yield { name: NAMES.version(row.version), facts: versionFacts(row) };
  }
}

async function* chunksOf(db: Db, batchId: string): AsyncGenerator<KeptRecord> {
  const numbers = await db
    .selectFrom('chunk')
    .select('chunk')
    .where('batch_id', '=', batchId)
    .union(db.selectFrom('row_outcome').select('chunk').where('batch_id', '=', batchId))
    .orderBy('chunk')
    .execute();
  for (const { chunk } of numbers) {
    const row = await db
      .selectFrom('chunk')
      .selectAll()
      .where('batch_id', '=', batchId)
      .where('chunk', '=', chunk)
      .executeTakeFirst();
    const outcomes = await readRowOutcomes(db, { batchId, chunk });
    // Outcomes of a missing chunk are a record that no entry covers.
    const facts = row === undefined ? {} : chunkFacts(row);
    yield { name: NAMES.chunk(chunk), facts: { ...facts, ...outcomes } };
    if (row !== undefined) yield* sendingOf(db, row);
  }
}

/** The sends of a chunk, and the questions and answers about it. */
async function* sendingOf(
  db: Db,
  { chunk, idempotency_key: key }: Schema['chunk'],
): AsyncGenerator<KeptRecord> {
  const intents = db.selectFrom('intent').selectAll().where('idempotency_key', '=', key);
  for (const row of await intents.execute()) {
    yield { name: NAMES.intent(chunk), facts: intentFacts(row), payload: row.payload };
  }
  const attempts = db.selectFrom('attempt').selectAll().where('idempotency_key', '=', key);
  for (const row of await attempts.execute()) {
    yield { name: NAMES.attempt(chunk, row.n), facts: attemptFacts(row) };
  }
  const lookups = db
    .selectFrom('lookup')
    .selectAll()
    .where('idempotency_key', '=', key)
    // They were counted as they came in.
    .orderBy('n');
  for (const [index, row] of (await lookups.execute()).entries()) {
    yield { name: NAMES.lookup(chunk, row.n ?? index + 1), facts: lookupFacts(row) };
  }
}
