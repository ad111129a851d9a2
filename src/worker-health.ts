import type { NativeConnection, Worker } from '@temporalio/worker';
import type { StoreGuard } from './activities/shared/store-guard.ts';
import { readApiSecret, type Settings } from './config.ts';
import { noteOf } from './domain/errors/bursar-error.ts';
import type { ReadinessCheck, Standstill } from './monitoring/index.ts';
import type { Figures } from './store/figures/read-figures.ts';
import type { Store } from './store/index.ts';

/** How long Temporal may take to answer a check, in milliseconds. */
const ANSWER_MS_MAX = 2_000;

/** What of a running worker its health is read from. */
export type WorkerAtWork = Readonly<{
  store: Readonly<{ probeWrite: Store['probeWrite']; figures: Store['figures'] }>;
  guard: Readonly<{ isClosed: StoreGuard['isClosed'] }>;
  connection: NativeConnection;
  worker: Readonly<{ getStatus: Worker['getStatus'] }>;
}>;

export type WorkerHealth = ReturnType<typeof createWorkerHealth>;

/**
 * The health of this worker alone: another worker of its task queue changes nothing about it. Until `use` it is live and not
 * ready.
 */
export function createWorkerHealth(settings: Settings) {
  let atWork: WorkerAtWork | undefined;
  const now = (): WorkerAtWork => {
    if (atWork === undefined) throw new Error('The worker is starting, or waits for Temporal.');
    return atWork;
  };
  const checks: readonly ReadinessCheck[] = [
    {
      name: 'store',
      fix: 'See to the file of store.url: its disk, its rights, and other programs that lock it.',
      async run() {
        if (now().guard.isClosed()) {
          throw new Error('The task queue belongs to another store, so this worker does nothing.');
        }
        await now().store.probeWrite();
      },
    },
    {
      name: 'temporal',
      fix: 'See to Temporal, its address in TEMPORAL_ADDRESS, and the network between.',
      async run() {
        const { connection } = now();
        await connection.withDeadline(Date.now() + ANSWER_MS_MAX, () =>
          connection.workflowService.getSystemInfo({}),
        );
      },
    },
    {
      name: 'secret',
      fix: noteOf('SECRET_FILE_UNREADABLE', { file: 'api.secret_file', reason: '' }).fix,
      async run() {
        readApiSecret(settings);
      },
    },
    {
      name: 'pollers',
      fix: 'Read the log of the worker. If it stays so, restart the worker.',
      async run() {
        const { runState, workflowPollerState, activityPollerState } = now().worker.getStatus();
        const states = [workflowPollerState, activityPollerState];
        if (runState === 'RUNNING' && states.every((state) => state === 'POLLING')) return;
        throw new Error(`The worker is ${runState}; its pollers are ${states.join(' and ')}.`);
      },
    },
  ];
  return {
    /** From here on the worker runs with these. */
    use(running: WorkerAtWork): void {
      atWork = running;
    },
    hasSdk: true,
    checks: (): readonly ReadinessCheck[] => checks,
    readFigures: async (nowMs: number): Promise<Figures> => now().store.figures.read(nowMs),
    /** A poller that failed is never started again by itself. */
    standstill(): Standstill {
      if (atWork === undefined) return null;
      const { runState, workflowPollerState, activityPollerState } = atWork.worker.getStatus();
      const hasFailed = [runState, workflowPollerState, activityPollerState].includes('FAILED');
      if (!hasFailed) return null;
      return {
        what: 'This worker takes no more work.',
        why: 'A poller of it failed, and does not begin again by itself.',
        fix: 'Restart the worker. Its log names the reason.',
      };
    },
  };
}
