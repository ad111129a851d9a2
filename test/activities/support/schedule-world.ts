import { decisionsIn } from '../../support/decisions.ts';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import type { ScheduleDeps, ScheduleNews } from '../../../src/activities/schedules/deps.ts';
import { createScheduleActivities } from '../../../src/activities/schedules/schedules.ts';
import type { ScheduleActivities, ScheduleDefinition } from '../../../src/contract/schedule.ts';
import { createFiles } from '../../../src/files/index.ts';
import { createSchedule, definition } from '../../support/schedule-definitions.ts';
import { openTestStore } from '../../support/test-database.ts';

export type ScheduleWorld = Awaited<ReturnType<typeof scheduleWorld>>;

/** The day before the run of the tests. */
export const CREATED = Date.parse('2026-05-03T12:00:00Z');
export const NOMINAL = '2026-05-04T09:00';
export const DUE = Date.parse('2026-05-04T09:00:00Z');

/** A real store, real files, a clock of the test's, and a Temporal in which nothing runs. */
export async function scheduleWorld(folder: string, more: Partial<ScheduleDefinition> = {}) {
  const store = await openTestStore(folder);
  const incoming = join(folder, 'incoming');
  mkdirSync(incoming);
  const told: ScheduleNews[] = [];
  const running = new Set<string>();
  const renewed: string[] = [];
  const clock = { nowMs: DUE };
  const temporal: { standing: 'at work' | 'paused' | 'unknown' } = { standing: 'at work' };
  const deps: ScheduleDeps = {
    store,
    blobs: createFiles(`file:${join(folder, 'blobs')}`),
    timetables: {
      sync: async () => temporal.standing,
      renewIds: async (scheduleId, tag) => void renewed.push(`${scheduleId} ${tag}`),
      isRunning: async (workflowId) => running.has(workflowId),
    },
    folder: incoming,
    bucket: null,
    policy: null,
    notify: async (news) => void told.push(news),
    nowMs: () => clock.nowMs,
  };
  await createSchedule(store, definition(more), CREATED);
  return {
    store,
    incoming,
    told,
    running,
    renewed,
    clock,
    temporal,
    deps,
    /** Runs an activity as one of a workflow. */
    async as<Result>(
      workflowId: string,
      work: (activities: ScheduleActivities) => Promise<Result>,
    ): Promise<Result> {
      const environment = new MockActivityEnvironment(
        { workflowExecution: { workflowId, runId: `${workflowId}-run` } },
        { logger: new DefaultLogger('ERROR') },
      );
      return environment.run(() => work(createScheduleActivities(deps)));
    },
    put: (name: string, text = `address,amount\n${name},1\n`) =>
      writeFileSync(join(incoming, name), text),
    actions: async () => (await decisionsIn(store)).map(({ action }) => action),
  };
}
