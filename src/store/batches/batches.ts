import type { BatchRecord, Canceled, NewBatch } from './types.ts';
import type { Db, Tx } from '../database/db.ts';
import type { Access } from '../database/decide.ts';
import type { Scopes } from '../engine/scopes.ts';
import type { AuditEntry } from '../../domain/audit/chain.ts';
import { readBatchId } from '../../domain/batch/batch-id.ts';
import { BursarError } from '../../domain/errors/bursar-error.ts';
import type { BatchFees } from '../../domain/fees/batch-fees.ts';
import type { Finding } from '../../domain/plan/finding.ts';
import type { HouseRules } from '../../domain/plan/rules.ts';
import type { IngestSummary } from '../../domain/rows/staging.ts';
import { refuseOtherSpelling } from './account-spelling.ts';
import { readJson, toRecord, toRow } from './batch-record.ts';
import { type BatchEnd, cancel, canceledOf, end, setFees, takeEarlyCancel } from './changes.ts';
import { otherIds } from '../rows/fingerprints.ts';
import { lineageOf } from './lineage.ts';
import { type ReleaseResult, releaseIfApproved } from '../control/lifts.ts';
import { countsAsPayment } from '../rows/counted-payments.ts';
import { onBatch } from '../audit/audited.ts';
import type { Schema } from '../database/schema.ts';
import type { UnsignedAct } from '../control/unsigned-acts.ts';

/** The actor of the entry that a batch was taken; missing: its submitter. */
export type Taken = Readonly<{ takenBy?: string }>;

/** A stop for good. `policy`: that of the settings, under which the name is marked in the log. */
export type StopEntry = Canceled & Pick<UnsignedAct, 'policy'>;

export type BatchFacts = Pick<
  BatchRecord,
  | 'batchId'
  | 'code'
  | 'account'
  | 'optionsJson'
  | 'parentBatchId'
  | 'rules'
  | 'releasedAtMs'
  | 'submittedAtMs'
  | 'canceled'
> &
  Readonly<{ ingestId: string; digest: string }>;

/** The plan: its digest, the facts that a person must see before it is paid, and its rules. */
export type BatchPlan = Readonly<{
  digest: string;
  findings: readonly Finding[];
  /** null in plans that are older than rules. */
  rules: HouseRules | null;
  /** Chunks of one partition; null in plans of older workers. */
  partitionChunks: number | null;
}>;

/** A plan that may be stored. `audit`: its entry in the audit log; missing: an entry that Bursar planned it. */
export type NewPlan = BatchPlan & Readonly<{ audit?: Omit<AuditEntry, 'facts'> }>;

type Decide<Plan> = (earlier: BatchRecord | undefined, others: readonly string[]) => Plan;

/** The rows of a batch, by name: to find another batch that pays the same. */
export type BatchContent = Pick<NewBatch, 'batchId' | 'account' | 'parentBatchId'> &
  Pick<IngestSummary, 'contentSha256' | 'rowSet'>;

/** A new batch, or a new plan, is compared with the other batches of its account. */
export const scopesOf = ({ account, batchId }: BatchName): Scopes => [
  { account },
  { batch: batchId },
  'chain',
];

type BatchName = Readonly<{ account: string; batchId: string }>;

/** Batches as a whole: submit, plan and end. */
export const createBatchStore = ({ db, decide: decideIn }: Access, nowMs: () => number) => ({
  checkAccount: (account: string): Promise<void> => refuseOtherSpelling(db, account),

  /** Stores a batch unless its id exists. Returns the stored record. Throws ACCOUNT_SPELLED_OTHERWISE. */
  register: (batch: NewBatch & Taken): Promise<BatchRecord> =>
    decideIn(scopesOf(batch), (tx) => insertBatch(tx, batch)),

  find: (batchId: string): Promise<BatchRecord | undefined> => findBatch(db, batchId),

  /** The few facts about a planned batch that every chunk needs. Throws when it was not planned. */
  facts: (batchId: string): Promise<BatchFacts> => findFacts(db, batchId),

  /** The newest batches first, at most `limit`. */
  list: (limit: number): Promise<BatchRecord[]> => listNewest(db, limit),

  /** The batches that have not ended, in the order in which they were submitted. */
  listOpen: (): Promise<BatchRecord[]> => listOpen(db),

  /**
   * Makes the plan of a batch, once: a stored plan stays. `decide` receives another batch with the same rows that may
   * yet pay, and the names of all planned ones. Where it returns undefined, nothing is stored. The read and the write
   * are one step, so of two batches with the same rows the second sees the first.
   */
  planOnce: <Plan extends NewPlan | undefined>(
    batch: BatchContent,
    decide: Decide<Plan>,
  ): Promise<BatchPlan | Extract<Plan, undefined>> =>
    decideIn(scopesOf(batch), (tx) => planOnce(tx, { batch, atMs: nowMs() }, decide)),

  /**
   * Releases a batch: from then on it may pay. Under a policy, statements in the store must approve its plan. An ended
   * batch stays as it is.
   */
  release: (batchId: string, atMs: number): Promise<ReleaseResult> =>
    decideIn([{ batch: batchId }, 'chain'], (tx) => releaseIfApproved(tx, { batchId, atMs })),

  /**
   * Stops a batch for good; a second stop has its entry in the audit log, too. A batch that no worker has written down yet is canceled
   * from the moment when it is.
   */
  cancel: (batchId: string, act: StopEntry, atMs: number): Promise<void> =>
    decideIn([{ batch: batchId }], (tx) => cancel(tx, { batchId, ...act, atMs })),

  /** Who canceled a batch, also before it was stored; null: it was not canceled. */
  canceled: (batchId: string): Promise<Canceled | null> => canceledOf(db, batchId),

  /** The batch that `planOnce` would find now. */
  sameContent: (batch: BatchContent): Promise<BatchRecord | undefined> =>
    findSameContent(db, batch),

  setFees: (batchId: string, fees: BatchFees): Promise<void> =>
    decideIn([{ batch: batchId }], (tx) => setFees(tx, { batchId, fees, atMs: nowMs() })),

  /**
   * Stores the end of a batch and frees its claim, together. A second call changes nothing. Throws BATCH_MAY_HAVE_BEGUN
   * while the batch must be verified.
   */
  end: (batchId: string, how: BatchEnd): Promise<void> =>
    decideIn([{ batch: batchId }, 'store', 'chain'], (tx) => end(tx, { batchId, ...how })),
});

async function listNewest(db: Db, limit: number): Promise<BatchRecord[]> {
  const rows = await db
    .selectFrom('batch')
    .selectAll()
    .orderBy('submitted_at_ms', 'desc')
    .limit(limit)
    .execute();
  return rows.map(toRecord);
}

async function listOpen(db: Db): Promise<BatchRecord[]> {
  const rows = await db
    .selectFrom('batch')
    .selectAll()
    .where('end_state', 'is', null)
    .orderBy('submitted_at_ms')
    .orderBy('batch_id')
    .execute();
  return rows.map(toRecord);
}

/**
 * Stores a batch, unless its id exists. Returns the stored record. Throws ACCOUNT_SPELLED_OTHERWISE, and
 * BATCH_ID_INVALID: the starter of a workflow chooses the id, and the folder of the report has its name.
 */
export async function insertBatch(tx: Tx, batch: NewBatch & Taken): Promise<BatchRecord> {
  readBatchId(batch.batchId);
  await refuseOtherSpelling(tx, batch.account);
  const { batchId, submittedAtMs: atMs, takenBy: actor = batch.submittedBy } = batch;
  await onBatch(tx, { batchId, atMs, actor, action: 'take' }, async ({ detail }) => {
    const { fileName: name, fileSha256: sha256, parentBatchId, generation } = batch;
    Object.assign(detail, { file: { name, sha256 }, parentBatchId, generation });
    await tx
      .insertInto('batch')
      .values(toRow(batch, await takeEarlyCancel(tx, batchId)))
      .onConflict((conflict) => conflict.column('batch_id').doNothing())
      .execute();
  });
  const written = await findBatch(tx, batch.batchId);
  if (written === undefined) throw new Error(`batch ${batch.batchId} was not written`);
  return written;
}

async function findFacts(db: Db, batchId: string): Promise<BatchFacts> {
  const row = await db
    .selectFrom('batch')
    .select([
      ...(['code', 'account', 'ingest_id', 'digest'] as const),
      ...(['options_json', 'parent_batch_id', 'rules_json', 'released_at_ms'] as const),
      ...(['submitted_at_ms', 'canceled_json'] as const),
    ])
    .where('batch_id', '=', batchId)
    .executeTakeFirstOrThrow();
  if (row.ingest_id === null || row.digest === null) {
    throw new BursarError('INTERNAL', { message: `batch ${batchId} was not planned` });
  }
  const { code, account, digest, ingest_id: ingestId, options_json: optionsJson } = row;
  const rules = readJson<HouseRules>(row.rules_json);
  return {
    batchId,
    code,
    account,
    digest,
    ingestId,
    optionsJson,
    rules,
    parentBatchId: row.parent_batch_id,
    releasedAtMs: row.released_at_ms,
    submittedAtMs: row.submitted_at_ms,
    canceled: readJson<Canceled>(row.canceled_json),
  };
}

async function planOnce<Plan extends NewPlan | undefined>(
  tx: Tx,
  { batch, atMs }: Readonly<{ batch: BatchContent; atMs: number }>,
  decide: Decide<Plan>,
): Promise<BatchPlan | Extract<Plan, undefined>> {
  const written = await findBatch(tx, batch.batchId);
  if (written !== undefined && written.digest !== null) {
    const { digest, findings, rules, partitionChunks } = written;
    return { digest, findings, rules, partitionChunks };
  }
  const decided = decide(await findSameContent(tx, batch), await otherIds(tx, batch));
  if (decided === undefined) return undefined as Extract<Plan, undefined>;
  const { audit, ...plan } = decided;
  const { batchId } = batch;
  const act = { action: 'plan', atMs, ...audit, batchId };
  await onBatch(tx, act, async ({ detail }) => {
    Object.assign(detail, audit?.detail ?? { digest: plan.digest });
    await update(tx, batchId, {
      digest: plan.digest,
      planned_at_ms: atMs,
      content_sha256: batch.contentSha256,
      row_set: batch.rowSet,
      findings_json: JSON.stringify(plan.findings),
      rules_json: plan.rules === null ? null : JSON.stringify(plan.rules),
      partition_chunks: plan.partitionChunks,
    });
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

async function findSameContent(db: Db, batch: BatchContent): Promise<BatchRecord | undefined> {
  const row = await db
    .selectFrom('batch')
    .selectAll()
    .where('account', '=', batch.account)
    .where(({ or, eb }) =>
      or([eb('content_sha256', '=', batch.contentSha256), eb('row_set', '=', batch.rowSet)]),
    )
    .where('batch_id', 'not in', await lineageOf(db, batch))
    .where(countsAsPayment)
    .orderBy('submitted_at_ms')
    .orderBy('batch_id')
    .executeTakeFirst();
  return row === undefined ? undefined : toRecord(row);
}

async function update(tx: Tx, batchId: string, set: Partial<Schema['batch']>): Promise<void> {
  await tx.updateTable('batch').set(set).where('batch_id', '=', batchId).execute();
}
