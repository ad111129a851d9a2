import type { ScheduleDefinition } from '../../src/contract/schedule.ts';
import type { AuditEntry } from '../../src/domain/audit/chain.ts';
import type { Store } from '../../src/store/index.ts';

/** Daily at 09:00 UTC, ten minutes of catch-up, from `pay-{date}.csv`. */
export const definition = (more: Partial<ScheduleDefinition> = {}): ScheduleDefinition => ({
  scheduleId: 'rent',
  rule: 'daily 09:00',
  cron: '0 9 * * *',
  timezone: 'UTC',
  shift: 'none',
  weekend: [6, 7],
  holidays: null,
  leadMs: 0,
  catchUpMs: 600_000,
  accountRef: 'main',
  file: { pattern: 'pay-{date}.csv', allowUnchanged: false },
  options: {
    chunkRows: 10,
    chunksInFlight: 1,
    rowTag: 'append',
    currency: null,
    skipInvalid: false,
    expectCount: null,
    expectTotals: [],
    accept: [],
    at: null,
    executionDate: null,
    expectedDigest: null,
    canaryRows: 0,
    stopLoss: [],
    beforeScheduled: false,
    fundsWaitMs: null,
    pollMinMs: 100,
    pollMaxMs: 1_000,
  },
  ...more,
});

export const auditOf = (action: string): AuditEntry => ({
  atMs: 1,
  batchId: null,
  actor: 'alice',
  action,
  detail: {},
});

/** Writes a schedule down as `bursar schedule create` does. */
export const createSchedule = (
  store: Store,
  made: ScheduleDefinition,
  createdAtMs: number,
): Promise<'created' | 'known'> =>
  store.schedules.create(
    {
      scheduleId: made.scheduleId,
      createdBy: 'alice',
      statement: null,
      createdAtMs,
      definitionJson: JSON.stringify(made),
    },
    auditOf('schedule-create'),
  );
