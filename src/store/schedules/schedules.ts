import type { Db, Tx } from '../database/db.ts';
import type { Access, Decide } from '../database/decide.ts';
import type { Approval } from '../../domain/approval/statement.ts';
import type { AuditEntry } from '../../domain/audit/chain.ts';
import { BursarError } from '../../domain/errors/bursar-error.ts';
import { appendAudit } from '../audit/append.ts';
import type { Schema } from '../database/schema.ts';

/** A schedule as it was created, and whether it is at work. */
export type ScheduleRecord = Readonly<{
  scheduleId: string;
  definitionJson: string;
  createdBy: string;
  /** The signed statement that created it; null without a policy. */
  statement: Approval | null;
  createdAtMs: number;
  /** Since when nothing of it begins, and why; null: it is at work. */
  paused: Readonly<{ sinceMs: number; note: string }> | null;
  /** Runs whose last moment to begin lies before it were held against what happened. */
  watchedUntilMs: number;
  deletedAtMs: number | null;
}>;

export type NewSchedule = Pick<
  ScheduleRecord,
  'scheduleId' | 'definitionJson' | 'createdBy' | 'createdAtMs' | 'statement'
>;

export type ScheduleStore = ReturnType<typeof createScheduleStore>;

/** Schedules as they were created, and whether they are at work. */
export const createScheduleStore = ({ db, decide }: Access) => ({
  /**
   * Stores a schedule. Returns whether it was new. The same definition again changes nothing. A deleted id may be used
   * again; its runs stay, so that none of them happens twice. Throws SCHEDULE_EXISTS.
   */
  create: (schedule: NewSchedule, audit: AuditEntry): Promise<'created' | 'known'> =>
    decide([{ schedule: schedule.scheduleId }, 'chain'], (tx) => create(tx, schedule, audit)),

  /** A schedule, deleted ones too. */
  find: (scheduleId: string): Promise<ScheduleRecord | undefined> => find(db, scheduleId),

  /** Every schedule that was not deleted, by id. */
  async list(): Promise<ScheduleRecord[]> {
    const rows = await db
      .selectFrom('schedule')
      .selectAll()
      .where('deleted_at_ms', 'is', null)
      .orderBy('schedule_id')
      .execute();
    return rows.map(toRecord);
  },

  /** Pauses it, unless it is; a second note replaces the first, and the time stays. */
  pause: (
    scheduleId: string,
    paused: { sinceMs: number; note: string },
    audit: AuditEntry,
  ): Promise<void> =>
    update(decide, { scheduleId, audit }, (row) => ({
      paused_at_ms: row.paused_at_ms ?? paused.sinceMs,
      note: paused.note,
    })),

  resume: (scheduleId: string, audit: AuditEntry): Promise<void> =>
    update(decide, { scheduleId, audit }, () => ({ paused_at_ms: null, note: '' })),

  remove: (scheduleId: string, atMs: number, audit: AuditEntry): Promise<void> =>
    update(decide, { scheduleId, audit }, (row) => ({ deleted_at_ms: row.deleted_at_ms ?? atMs })),

  /** Never goes back. */
  setWatchedUntil: (scheduleId: string, untilMs: number): Promise<void> =>
    update(decide, { scheduleId }, (row) => ({
      checked_until_ms: Math.max(row.checked_until_ms, untilMs),
    })),
});

async function create(
  tx: Tx,
  schedule: NewSchedule,
  audit: AuditEntry,
): Promise<'created' | 'known'> {
  const { scheduleId, definitionJson } = schedule;
  const known = await find(tx, scheduleId);
  if (known !== undefined && known.deletedAtMs === null) {
    if (known.definitionJson === definitionJson) return 'known';
    throw new BursarError('SCHEDULE_EXISTS', { scheduleId });
  }
  const row = toRow(schedule);
  await tx
    .insertInto('schedule')
    .values(row)
    .onConflict((conflict) => conflict.column('schedule_id').doUpdateSet(row))
    .execute();
  await appendAudit(tx, audit);
  return 'created';
}

async function find(db: Db, scheduleId: string): Promise<ScheduleRecord | undefined> {
  const row = await db
    .selectFrom('schedule')
    .selectAll()
    .where('schedule_id', '=', scheduleId)
    .executeTakeFirst();
  return row === undefined ? undefined : toRecord(row);
}

type Row = Schema['schedule'];

type Which = Readonly<{ scheduleId: string; audit?: AuditEntry }>;

const update = (
  decide: Decide,
  { scheduleId, audit }: Which,
  change: (row: Row) => Partial<Row>,
): Promise<void> =>
  decide([{ schedule: scheduleId }, 'chain'], async (tx) => {
    const row = await tx
      .selectFrom('schedule')
      .selectAll()
      .where('schedule_id', '=', scheduleId)
      .executeTakeFirst();
    if (row === undefined) throw new BursarError('SCHEDULE_NOT_FOUND', { scheduleId });
    const changed = tx.updateTable('schedule').set(change(row));
    await changed.where('schedule_id', '=', scheduleId).execute();
    if (audit !== undefined) await appendAudit(tx, audit);
  });

const toRow = (schedule: NewSchedule): Row => ({
  schedule_id: schedule.scheduleId,
  definition_json: schedule.definitionJson,
  created_by: schedule.createdBy,
  statement_json: schedule.statement === null ? null : JSON.stringify(schedule.statement),
  created_at_ms: schedule.createdAtMs,
  paused_at_ms: null,
  note: '',
  checked_until_ms: schedule.createdAtMs,
  deleted_at_ms: null,
});

const toRecord = (row: Row): ScheduleRecord => ({
  scheduleId: row.schedule_id,
  definitionJson: row.definition_json,
  createdBy: row.created_by,
  statement: row.statement_json === null ? null : (JSON.parse(row.statement_json) as Approval),
  createdAtMs: row.created_at_ms,
  paused: row.paused_at_ms === null ? null : { sinceMs: row.paused_at_ms, note: row.note },
  watchedUntilMs: row.checked_until_ms,
  deletedAtMs: row.deleted_at_ms,
});
