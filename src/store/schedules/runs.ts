import type { Db, Tx } from '../database/db.ts';
import type { Access } from '../database/decide.ts';
import type { RunClaimDecision, RunRecord, RunState } from '../../domain/schedule/run-state.ts';
import type { AuditEntry } from '../../domain/audit/chain.ts';
import { appendAudit } from '../audit/append.ts';
import { neverPays } from './never-pays.ts';
import type { Schema } from '../database/schema.ts';

/** Names one run, for ever. */
export type RunKey = Readonly<{ scheduleId: string; nominal: string }>;

/** How a run came to its state. `audit`: an entry that is there exactly when the change is. */
export type RunChange = Readonly<{
  state: RunState;
  detail: string;
  atMs: number;
  audit?: AuditEntry;
}>;

export type ScheduleRunStore = ReturnType<typeof createScheduleRunStore>;

/** The result of each run of each schedule. A run has one row, for any worker and any number of tries. */
export const createScheduleRunStore = ({ db, decide: decideIn }: Access) => ({
  find: (key: RunKey): Promise<RunRecord | undefined> => readRun(db, key),

  /** The runs of a schedule that are due after an instant, the latest first. */
  async list(
    scheduleId: string,
    { dueAfterMs = 0, limit }: Readonly<{ dueAfterMs?: number; limit: number }>,
  ): Promise<RunRecord[]> {
    const rows = await db
      .selectFrom('schedule_run')
      .selectAll()
      .where('schedule_id', '=', scheduleId)
      .where('due_at_ms', '>', dueAfterMs)
      .orderBy('due_at_ms', 'desc')
      .orderBy('nominal', 'desc')
      .limit(limit)
      .execute();
    return rows.map(toRunRecord);
  },

  /** The runs of a schedule that came to their state after an instant. */
  changedAfter: (scheduleId: string, afterMs: number): Promise<RunRecord[]> =>
    changedAfter(db, scheduleId, afterMs),

  /** The runs of all schedules that a workflow has and that are not over. */
  open: (): Promise<(RunRecord & RunKey)[]> => listOpen(db),

  /**
   * Decides which workflow has a run, and stores it, in one step: of two workflows that claim at once, the second sees
   * the first. A run that goes on stays as it is.
   */
  claim: (
    claiming: Claiming,
    decide: (record: RunRecord | undefined) => RunVerdict,
  ): Promise<RunClaimDecision> =>
    decideIn([{ schedule: claiming.scheduleId }, 'chain'], (tx) => claimRun(tx, claiming, decide)),

  /**
   * Stores the file of a run, unless an earlier run of the schedule took the same file. The read and the write are one
   * step, so of two runs that find one file only one takes it.
   */
  takeFile: (key: RunKey, taking: Taking): Promise<FileDecision> =>
    decideIn([{ schedule: key.scheduleId }], (tx) => takeFile(tx, key, taking)),

  /** Stores a run that never began; a stored one stays. Returns whether it was new. */
  note: (key: RunKey, change: RunChange & Readonly<{ dueAtMs: number }>): Promise<boolean> =>
    decideIn([{ schedule: key.scheduleId }, 'chain'], (tx) => noteRun(tx, key, change)),

  /**
   * Changes a run that a workflow has under way. Returns whether it did. The file of a failed run counts as free.
   */
  change: (key: RunKey, claimant: string, change: RunChange): Promise<boolean> =>
    decideIn([{ schedule: key.scheduleId }, 'chain'], (tx) =>
      changeRun(tx, { ...key, claimant }, change),
    ),

  /**
   * Makes a run whose batch was rejected a failed one, whose next batch has another id. Returns whether it did. It does
   * so only for a batch that ended without chunks and without a release, and so never pays: read and write are one
   * step.
   */
  reject: (key: RunKey, claimant: string, change: Omit<RunChange, 'state'>): Promise<boolean> =>
    decideIn([{ schedule: key.scheduleId }, 'chain'], (tx) =>
      rejectRun(tx, { ...key, claimant }, change),
    ),
});

type Row = Schema['schedule_run'];

async function listOpen(db: Db): Promise<(RunRecord & RunKey)[]> {
  const rows = await db
    .selectFrom('schedule_run')
    .selectAll()
    .where('state', 'in', UNDER_WAY)
    .orderBy('changed_at_ms')
    .execute();
  return rows.map((row) => ({ ...toRunRecord(row), scheduleId: row.schedule_id }));
}

async function changedAfter(db: Db, scheduleId: string, afterMs: number): Promise<RunRecord[]> {
  const rows = await db
    .selectFrom('schedule_run')
    .selectAll()
    .where('schedule_id', '=', scheduleId)
    .where('changed_at_ms', '>', afterMs)
    .execute();
  return rows.map(toRunRecord);
}

async function readRun(db: Db, key: RunKey): Promise<RunRecord | undefined> {
  const row = await db
    .selectFrom('schedule_run')
    .selectAll()
    .where('schedule_id', '=', key.scheduleId)
    .where('nominal', '=', key.nominal)
    .executeTakeFirst();
  return row === undefined ? undefined : toRunRecord(row);
}

export type Claiming = RunKey & Readonly<{ dueAtMs: number; claimant: string; atMs: number }>;

/** The decision about a run, and its entry in the audit log. */
export type RunVerdict = Readonly<{ decision: RunClaimDecision; audit?: AuditEntry | undefined }>;

async function claimRun(
  tx: Tx,
  claiming: Claiming,
  decide: (record: RunRecord | undefined) => RunVerdict,
): Promise<RunClaimDecision> {
  const record = await readRun(tx, claiming);
  const { decision, audit } = decide(record);
  if (decision.kind === 'claim' && isUnderWay(record)) return decision;
  if (audit !== undefined) await appendAudit(tx, audit);
  if (decision.kind === 'taken' || decision.kind === 'early') return decision;
  const detail = decision.kind === 'claim' ? 'looks for its file' : decision.reason;
  const { rejected = 0 } = record ?? {};
  const row = newRow(claiming, { ...claiming, state: STATES[decision.kind], detail, rejected });
  await tx
    .insertInto('schedule_run')
    .values(row)
    .onConflict((conflict) => conflict.columns(['schedule_id', 'nominal']).doUpdateSet(row))
    .execute();
  return decision;
}

const STATES = { claim: 'STARTED', miss: 'MISSED', skip: 'SKIPPED' } as const;

const UNDER_WAY: readonly RunState[] = ['STARTED', 'RUNNING'];

const isUnderWay = (record: RunRecord | undefined): boolean =>
  record !== undefined && UNDER_WAY.includes(record.state);

/** A run without a file. */
const newRow = (
  key: RunKey,
  facts: RunChange & Readonly<{ dueAtMs: number; claimant: string | null; rejected: number }>,
): Row => ({
  schedule_id: key.scheduleId,
  nominal: key.nominal,
  due_at_ms: facts.dueAtMs,
  state: facts.state,
  claimed_by: facts.claimant,
  batch_id: null,
  rejected: facts.rejected,
  file_name: null,
  file_sha256: null,
  detail: facts.detail,
  changed_at_ms: facts.atMs,
});

async function noteRun(
  tx: Tx,
  key: RunKey,
  change: RunChange & Readonly<{ dueAtMs: number }>,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await tx
    .insertInto('schedule_run')
    .values(newRow(key, { ...change, claimant: null, rejected: 0 }))
    .onConflict((conflict) => conflict.columns(['schedule_id', 'nominal']).doNothing())
    .executeTakeFirst();
  if (numInsertedOrUpdatedRows === 0n) return false;
  if (change.audit !== undefined) await appendAudit(tx, change.audit);
  return true;
}

async function changeRun(
  tx: Tx,
  { scheduleId, nominal, claimant }: RunKey & Readonly<{ claimant: string }>,
  { state, detail, atMs, audit }: RunChange,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('schedule_run')
    .set({ state, detail, changed_at_ms: atMs })
    .$if(state === 'FAILED', (query) => query.set({ batch_id: null, file_sha256: null }))
    .where('schedule_id', '=', scheduleId)
    .where('nominal', '=', nominal)
    .where('claimed_by', '=', claimant)
    .where('state', 'in', UNDER_WAY)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
  if (audit !== undefined) await appendAudit(tx, audit);
  return true;
}

async function rejectRun(
  tx: Tx,
  key: RunKey & Readonly<{ claimant: string }>,
  change: Omit<RunChange, 'state'>,
): Promise<boolean> {
  const record = await readRun(tx, key);
  if (record === undefined || !(await neverPays(tx, record))) return false;
  if (!(await changeRun(tx, key, { ...change, state: 'FAILED' }))) return false;
  await tx
    .updateTable('schedule_run')
    .set({ rejected: record.rejected + 1 })
    .where('schedule_id', '=', key.scheduleId)
    .where('nominal', '=', key.nominal)
    .execute();
  return true;
}

export type RunFile = Readonly<{ name: string; sha256: string; batchId: string }>;

/** The result of taking a file: it is the run's own, it was taken before, or the run belongs to another workflow. */
export type FileDecision = Readonly<
  { kind: 'taken' } | { kind: 'unchanged'; nominal: string } | { kind: 'lost' }
>;

export type Taking = Readonly<{
  file: RunFile;
  claimant: string;
  /** Batches of the run that were rejected when the id of this one was made. */
  rejected: number;
  allowUnchanged: boolean;
  atMs: number;
}>;

async function takeFile(tx: Tx, key: RunKey, taking: Taking): Promise<FileDecision> {
  const { file, claimant, rejected, allowUnchanged, atMs } = taking;
  const record = await readRun(tx, key);
  if (record?.state !== 'STARTED' || record.claimedBy !== claimant) return { kind: 'lost' };
  if (record.rejected !== rejected) return { kind: 'lost' };
  const earlier = allowUnchanged ? undefined : await findTaken(tx, key, file.sha256);
  if (earlier !== undefined) return { kind: 'unchanged', nominal: earlier };
  await tx
    .updateTable('schedule_run')
    .set({
      state: 'RUNNING',
      batch_id: file.batchId,
      file_name: file.name,
      file_sha256: file.sha256,
      detail: 'its batch is under way',
      changed_at_ms: atMs,
    })
    .where('schedule_id', '=', key.scheduleId)
    .where('nominal', '=', key.nominal)
    .execute();
  return { kind: 'taken' };
}

/** The latest other run that took a file with these bytes. */
async function findTaken(db: Db, key: RunKey, sha256: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('schedule_run')
    .select('nominal')
    .where('schedule_id', '=', key.scheduleId)
    .where('nominal', '!=', key.nominal)
    .where('file_sha256', '=', sha256)
    .orderBy('due_at_ms', 'desc')
    .executeTakeFirst();
  return row?.nominal;
}

const toRunRecord = (row: Row): RunRecord => ({
  nominal: row.nominal,
  dueAtMs: row.due_at_ms,
  state: row.state as RunState,
  claimedBy: row.claimed_by,
  batchId: row.batch_id,
  rejected: row.rejected,
  fileName: row.file_name,
  fileSha256: row.file_sha256,
  detail: row.detail,
  changedAtMs: row.changed_at_ms,
});
