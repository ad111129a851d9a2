import { log } from '@temporalio/activity';
import type {
  TaskResult,
  HealthCheckActivities,
  HousekeepingReport,
} from '../../contract/housekeeping.ts';
import { isBursarError } from '../../domain/errors/bursar-error.ts';
import { historyNoteOf } from '../../domain/errors/history-note.ts';
import type { Store } from '../../store/index.ts';
import { HEALTH_CHECKS } from '../../store/housekeeping/health-checks.ts';
import { atBoundary } from '../shared/boundary.ts';
import type { Service } from '../service/service.ts';
import type { HousekeepingTask } from './task.ts';

export type HealthCheckDeps = Readonly<{
  store: Store;
  service: Pick<Service, 'account' | 'lookupName'>;
  taskQueue: string;
  tasks: readonly HousekeepingTask[];
  /** How often the tasks are to run, in milliseconds. */
  everyMs: number;
  nowMs(): number;
}>;

/** Runs every task once, one after the other. */
export const createHealthCheckActivities = (deps: HealthCheckDeps): HealthCheckActivities => ({
  watchRound: () => atBoundary(() => runTasks(deps)),
});

async function runTasks({
  store,
  service,
  taskQueue,
  tasks,
  everyMs,
  nowMs,
}: HealthCheckDeps): Promise<HousekeepingReport> {
  const results: TaskResult[] = [];
  for (const task of tasks) results.push(await runTask(task));
  const atMs = nowMs();
  const isWell = results.every(({ ok }) => ok);
  const result = { condition: isWell ? 'OK' : 'FAILING', atMs, detail: detailOf(results) };
  await store.watches.note(HEALTH_CHECKS.housekeeping, result);
  await store.watches.note(HEALTH_CHECKS.served(taskQueue), { condition: 'OK', atMs, detail: '' });
  const at = new Date(atMs).toISOString();
  const lookup = await store.lookupVerification.find(service.account, service.lookupName);
  const ref = { ...(await store.identity.ref()), ...(lookup === undefined ? {} : { lookup }) };
  return { at, everyMs, rounds: results, store: ref };
}

async function runTask({ name, run }: HousekeepingTask): Promise<TaskResult> {
  try {
    return { name, ok: true, says: await run() };
  } catch (error) {
    const says = reasonOf(error);
    log.warn('a round of housekeeping failed', { round: name, why: says });
    return { name, ok: false, says };
  }
}

/** The text that the history of housekeeping may keep. */
function reasonOf(error: unknown): string {
  if (isBursarError(error)) return historyNoteOf(error).what;
  return error instanceof Error ? error.message : 'an unknown error';
}

const detailOf = (results: readonly TaskResult[]): string =>
  results
    .filter(({ ok }) => !ok)
    .map(({ name, says }) => `${name}: ${says}`)
    .join('; ');
