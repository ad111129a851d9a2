import type { Db } from '../database/db.ts';
import { type BatchFees, feesNow } from '../../domain/fees/batch-fees.ts';
import { sumByCurrency } from '../../domain/money/sum-by-currency.ts';
import type { Money } from '../../domain/plan/rules.ts';
import type { IngestSummary } from '../../domain/rows/staging.ts';

/** A schedule that runs, and what its last run wanted of the account, rows and fees together. */
export type ScheduleTotal = Readonly<{
  scheduleId: string;
  definitionJson: string;
  /** null: it never ran. */
  last: readonly Money[] | null;
}>;

/** The expected needs of schedules: those of their last runs. */
export const createScheduleTotals = (db: Db) => ({
  /** Schedules that are neither paused nor deleted, by name. */
  async running(): Promise<ScheduleTotal[]> {
    const schedules = await db
      .selectFrom('schedule')
      .select(['schedule_id', 'definition_json'])
      .where('paused_at_ms', 'is', null)
      .where('deleted_at_ms', 'is', null)
      .orderBy('schedule_id')
      .execute();
    const totals: ScheduleTotal[] = [];
    for (const { schedule_id: scheduleId, definition_json: definitionJson } of schedules) {
      totals.push({ scheduleId, definitionJson, last: await lastTotals(db, scheduleId) });
    }
    return totals;
  },
});

async function lastTotals(db: Db, scheduleId: string): Promise<Money[] | null> {
  const last = await db
    .selectFrom('schedule_run')
    .innerJoin('batch', 'batch.batch_id', 'schedule_run.batch_id')
    .select(['summary_json', 'fees_json'])
    .where('schedule_id', '=', scheduleId)
    .where('summary_json', 'is not', null)
    .orderBy('due_at_ms', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (last === undefined) return null;
  const { currencies } = JSON.parse(last.summary_json ?? '') as IngestSummary;
  const fees = feesNow(JSON.parse(last.fees_json ?? 'null') as BatchFees | null) ?? [];
  return sumByCurrency([
    ...currencies.map(({ currency, total }) => ({ currency, amount: total })),
    ...fees.map(({ currency, fee }) => ({ currency, amount: fee })),
  ]);
}
