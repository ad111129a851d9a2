import { sql } from 'kysely';
import type { EndState } from '../domain/batch/batch-state.ts';
import { BursarError, type ErrorNote } from '../domain/errors/bursar-error.ts';
import type { Finding } from '../domain/plan/finding.ts';
import type { HouseRules } from '../domain/plan/rules.ts';
import type { IngestSummary } from '../domain/rows/staging.ts';
import type { Schema } from './schema.ts';
import type { Db } from './sqlite.ts';

/** What is known of a batch from the moment it is submitted. */
export type NewBatch = Readonly<{
  batchId: string;
  code: string;
  accountRef: string;
  account: string;
  fileName: string;
  fileSha256: string;
  submittedBy: string;
  submittedAtMs: number;
  /** The submitter's choices as JSON; the workflow's input has them too. */
  optionsJson: string;
  generation: number;
  parentBatchId: string | null;
}>;

/** The fee of a whole batch in one currency, as the service quoted it. Canonical decimal text. */
export type FeeQuote = Readonly<{ currency: string; fee: string; estimated: boolean }>;
/** `null` quotes: the service has no fee operation. */
export type BatchFees = Readonly<{ quotes: readonly FeeQuote[] | null }>;

export type BatchRecord = NewBatch &
  Readonly<{
    ingestId: string | null;
    summary: IngestSummary | null;
    digest: string | null;
    findings: readonly Finding[];
    fees: BatchFees | null;
    endState: EndState | null;
    endedAtMs: number | null;
    error: ErrorNote | null;
    /** The rules under which it was planned; null before, and for plans that are older than rules. */
    rules: HouseRules | null;
    /** When it was allowed to pay. */
    releasedAtMs: number | null;
    reportVersion: number;
  }>;

export type BatchFacts = Pick<BatchRecord, 'batchId' | 'code' | 'account' | 'optionsJson'> &
  Readonly<{ ingestId: string; digest: string }>;

/** The decision that a digest names, and what a person must have seen before it is carried out. */
export type BatchPlan = Readonly<{ digest: string; findings: readonly Finding[] }>;

/** Batches as a whole: who submitted what, what was planned, how it ended. */
export const createBatchStore = (db: Db) => ({
  /** Writes a batch down unless its id is known; answers with what is written down now. */
  register: (batch: NewBatch): Promise<BatchRecord> => insertBatch(db, batch),

  find: (batchId: string): Promise<BatchRecord | undefined> => findBatch(db, batchId),

  /** The few facts about a planned batch that every chunk needs. Throws when it was not planned. */
  facts: (batchId: string): Promise<BatchFacts> => findFacts(db, batchId),

  /** The newest batches first, at most `limit`. */
  async list(limit: number): Promise<BatchRecord[]> {
    const rows = await db
      .selectFrom('batch')
      .selectAll()
      .orderBy('submitted_at_ms', 'desc')
      .limit(limit)
      .execute();
    return rows.map(toRecord);
  },

  /**
   * Makes the plan of a batch, once: a plan that was written down stays. `decide` learns of another batch of the
   * account with the same rows that was or may yet be sent; the look and the writing are one step, so that of two
   * batches with the same rows the second always sees the first.
   */
  planOnce: (
    batch: { batchId: string; account: string; contentSha256: string },
    decide: (earlier: BatchRecord | undefined) => BatchPlan,
  ): Promise<BatchPlan> => db.transaction().execute((tx) => planOnce(tx, batch, decide)),

  setFees: (batchId: string, fees: BatchFees): Promise<void> =>
    update(db, batchId, { fees_json: JSON.stringify(fees) }),

  /** Writes the end of a batch down and frees what it reserved, together. Writing it twice changes nothing. */
  end: (
    batchId: string,
    end: { state: EndState; atMs: number; error: ErrorNote | null },
  ): Promise<void> =>
    db.transaction().execute(async (tx) => {
      await tx
        .updateTable('batch')
        .set({
          end_state: end.state,
          ended_at_ms: end.atMs,
          error_json: end.error === null ? null : JSON.stringify(end.error),
          report_version: 1,
        })
        .where('batch_id', '=', batchId)
        .where('end_state', 'is', null)
        .execute();
      await tx.deleteFrom('reservation').where('batch_id', '=', batchId).execute();
    }),
});

/** Writes a batch down, unless its id is known; answers with what is written down now. */
export async function insertBatch(db: Db, batch: NewBatch): Promise<BatchRecord> {
  await db
    .insertInto('batch')
    .values(toRow(batch))
    .onConflict((conflict) => conflict.column('batch_id').doNothing())
    .execute();
  const written = await findBatch(db, batch.batchId);
  if (written === undefined) throw new Error(`batch ${batch.batchId} was not written`);
  return written;
}

async function findFacts(db: Db, batchId: string): Promise<BatchFacts> {
  const row = await db
    .selectFrom('batch')
    .select(['code', 'account', 'ingest_id', 'digest', 'options_json'])
    .where('batch_id', '=', batchId)
    .executeTakeFirstOrThrow();
  if (row.ingest_id === null || row.digest === null) {
    throw new BursarError('INTERNAL', { message: `batch ${batchId} was not planned` });
  }
  const { code, account, digest, ingest_id: ingestId, options_json: optionsJson } = row;
  return { batchId, code, account, digest, ingestId, optionsJson };
}

async function planOnce(
  tx: Db,
  batch: { batchId: string; account: string; contentSha256: string },
  decide: (earlier: BatchRecord | undefined) => BatchPlan,
): Promise<BatchPlan> {
  const written = await findBatch(tx, batch.batchId);
  if (written !== undefined && written.digest !== null) {
    return { digest: written.digest, findings: written.findings };
  }
  const plan = decide(await findSameContent(tx, batch));
  await update(tx, batch.batchId, {
    digest: plan.digest,
    content_sha256: batch.contentSha256,
    findings_json: JSON.stringify(plan.findings),
  });
  return plan;
}

export async function findBatch(db: Db, batchId: string): Promise<BatchRecord | undefined> {
  const row = await db
    .selectFrom('batch')
    .selectAll()
    .where('batch_id', '=', batchId)
    .executeTakeFirst();
  return row === undefined ? undefined : toRecord(row);
}

async function findSameContent(
  db: Db,
  batch: { batchId: string; account: string; contentSha256: string },
): Promise<BatchRecord | undefined> {
  const row = await db
    .selectFrom('batch')
    .selectAll()
    .where('account', '=', batch.account)
    .where('content_sha256', '=', batch.contentSha256)
    .where('batch_id', 'not in', lineageOf(batch.batchId))
    .where(({ or, eb, exists, selectFrom }) =>
      or([
        eb('end_state', 'is', null),
        exists(
          selectFrom('chunk')
            .select('chunk.chunk')
            .whereRef('chunk.batch_id', '=', 'batch.batch_id')
            .where('chunk.state', 'in', ['SENDING', 'CREATED', 'NEEDS_OPERATOR', 'ABANDONED']),
        ),
      ]),
    )
    .orderBy('submitted_at_ms')
    .executeTakeFirst();
  return row === undefined ? undefined : toRecord(row);
}

/** The batch itself and those that it is a resend of: their rows are sent again on purpose. */
const lineageOf = (batchId: string) =>
  sql<string>`(with recursive line (id) as (values (${batchId}) union
    select parent_batch_id from batch join line on batch_id = id where parent_batch_id is not null)
    select id from line)`;

async function update(db: Db, batchId: string, set: Partial<Schema['batch']>): Promise<void> {
  await db.updateTable('batch').set(set).where('batch_id', '=', batchId).execute();
}

const toRow = (batch: NewBatch): Schema['batch'] => ({
  batch_id: batch.batchId,
  code: batch.code,
  account_ref: batch.accountRef,
  account: batch.account,
  file_name: batch.fileName,
  file_sha256: batch.fileSha256,
  submitted_by: batch.submittedBy,
  submitted_at_ms: batch.submittedAtMs,
  options_json: batch.optionsJson,
  generation: batch.generation,
  parent_batch_id: batch.parentBatchId,
  ingest_id: null,
  summary_json: null,
  content_sha256: null,
  digest: null,
  findings_json: null,
  fees_json: null,
  end_state: null,
  ended_at_ms: null,
  error_json: null,
  rules_json: null,
  released_at_ms: null,
  report_version: 0,
});

export const toRecord = (row: Schema['batch']): BatchRecord => ({
  batchId: row.batch_id,
  code: row.code,
  accountRef: row.account_ref,
  account: row.account,
  fileName: row.file_name,
  fileSha256: row.file_sha256,
  submittedBy: row.submitted_by,
  submittedAtMs: row.submitted_at_ms,
  optionsJson: row.options_json,
  generation: row.generation,
  parentBatchId: row.parent_batch_id,
  ingestId: row.ingest_id,
  summary: readJson<IngestSummary>(row.summary_json),
  digest: row.digest,
  findings: readJson<Finding[]>(row.findings_json) ?? [],
  fees: readJson<BatchFees>(row.fees_json),
  endState: row.end_state as EndState | null,
  endedAtMs: row.ended_at_ms,
  error: readJson<ErrorNote>(row.error_json),
  rules: readJson<HouseRules>(row.rules_json),
  releasedAtMs: row.released_at_ms,
  reportVersion: row.report_version,
});

const readJson = <T>(text: string | null): T | null =>
  text === null ? null : (JSON.parse(text) as T);
