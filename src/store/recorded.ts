import { changesOf, isEmpty, type RecordFacts } from '../domain/audit/facts.ts';
import { appendAudit } from './audit.ts';
import { batchFacts, chunkFacts, NAMES, verdictsFact } from './audit-facts.ts';
import type { ChunkAt } from './looks.ts';
import type { Db } from './sqlite.ts';

/** As whom the engine acts in the audit log. */
export const ENGINE = 'Bursar';

/** What is done to a record. */
export type Act = Readonly<{ action: string; atMs: number; actor?: string }>;

/** What the work itself has to tell: more about what it did, and other records that it wrote. */
export type Told = {
  readonly detail: Record<string, unknown>;
  readonly facts: Record<string, RecordFacts>;
};

type Work<Result> = (told: Told) => Promise<Result>;

/**
 * Does something to a chunk, with an entry in the audit log that says what of it changed, in the same transaction. Work
 * that changes nothing, and tells of no record, leaves no entry.
 */
export function onChunk<Result>(tx: Db, on: ChunkAt & Act, work: Work<Result>): Promise<Result> {
  const read = () => readChunk(tx, on);
  const told: Told = { detail: { chunk: on.chunk }, facts: {} };
  return recorded(tx, { ...on, told, name: NAMES.chunk(on.chunk), read }, work);
}

/** The same for what is known of a batch as a whole. */
export function onBatch<Result>(
  tx: Db,
  on: Act & Readonly<{ batchId: string }>,
  work: Work<Result>,
): Promise<Result> {
  const read = () => readBatch(tx, on.batchId);
  return recorded(tx, { ...on, told: { detail: {}, facts: {} }, name: NAMES.batch, read }, work);
}

type Recorded = Act &
  Readonly<{ batchId: string; told: Told; name: string; read(): Promise<RecordFacts> }>;

async function recorded<Result>(
  tx: Db,
  { batchId, atMs, action, actor = ENGINE, told, name, read }: Recorded,
  work: Work<Result>,
): Promise<Result> {
  const before = await read();
  const result = await work(told);
  const changed = changesOf(before, await read());
  if (!isEmpty(changed)) told.facts[name] = changed;
  if (!isEmpty(told.facts)) await appendAudit(tx, { atMs, batchId, actor, action, ...told });
  return result;
}

async function readBatch(tx: Db, batchId: string): Promise<RecordFacts> {
  const row = await tx
    .selectFrom('batch')
    .selectAll()
    .where('batch_id', '=', batchId)
    .executeTakeFirst();
  return row === undefined ? {} : batchFacts(row);
}

async function readChunk(tx: Db, { batchId, chunk }: ChunkAt): Promise<RecordFacts> {
  const row = await tx
    .selectFrom('chunk')
    .selectAll()
    .where('batch_id', '=', batchId)
    .where('chunk', '=', chunk)
    .executeTakeFirstOrThrow();
  const verdicts = await tx
    .selectFrom('row_verdict')
    .selectAll()
    .where('batch_id', '=', batchId)
    .where('chunk', '=', chunk)
    .orderBy('row')
    .execute();
  return { ...chunkFacts(row), ...verdictsFact(verdicts) };
}
