import type { Engine, Execution } from '../../../src/cli/engine/engine.ts';
import type { Refreshed } from '../../../src/contract/aftercare.ts';
import type { BatchInput, BatchResult } from '../../../src/contract/batch.ts';
import type { Act, Resolve } from '../../../src/contract/messages.ts';
import type { BatchStatus } from '../../../src/contract/status.ts';
import { BursarError, type ErrorNote } from '../../../src/domain/errors/bursar-error.ts';

export type FakeEngine = Engine & {
  /** Inputs of the batches that were really started. */
  readonly started: BatchInput[];
  readonly executions: Map<string, Execution>;
  readonly statuses: Map<string, BatchStatus>;
  readonly results: Map<string, BatchResult>;
  readonly updates: (Act | Resolve)[];
  /** Batches whose ends were asked for, and what a look at them tells. */
  readonly refreshed: string[];
  refreshing: () => Promise<Refreshed | ErrorNote | undefined>;
  /** The refusal of the next update. */
  refusal: ErrorNote | null;
  workers: boolean;
  /** Whether Temporal answers at all. */
  isDown: boolean;
  closed: number;
  /** Whether workflows close, and when: a promise that ends then. By default none ever does. */
  closing: () => Promise<void>;
};

/** A Temporal that keeps workflows in memory and runs none. */
export function fakeEngine(): FakeEngine {
  const reach = (): void => {
    if (engine.isDown)
      throw new BursarError('TEMPORAL_UNREACHABLE', { address: 'fake:7233', reason: 'down' });
  };
  const reachWorker = (): void => {
    reach();
    if (!engine.workers) throw new BursarError('WORKER_SILENT', { taskQueue: 'bursar' });
  };
  const engine: FakeEngine = {
    started: [],
    executions: new Map(),
    statuses: new Map(),
    results: new Map(),
    updates: [],
    refreshed: [],
    refreshing: () => Promise.resolve({ changedRows: 0, unread: 0, version: 1 }),
    refusal: null,
    workers: true,
    isDown: false,
    closed: 0,
    closing: () => new Promise(() => undefined),
    async start(input) {
      reach();
      if (engine.executions.has(input.batchId)) return 'exists';
      engine.started.push(input);
      engine.executions.set(input.batchId, running(input.file.sha256));
      return 'started';
    },
    async describe(batchId) {
      reach();
      return engine.executions.get(batchId);
    },
    async status(batchId) {
      reach();
      return engine.workers ? engine.statuses.get(batchId) : undefined;
    },
    async result(batchId) {
      const result = engine.results.get(batchId);
      if (result === undefined) throw new Error(`no result of ${batchId} in this test`);
      return result;
    },
    untilClosed: () => engine.closing(),
    async running() {
      reach();
      const open = [...engine.executions].filter(([, { status }]) => status === 'RUNNING');
      return new Map(open.map(([batchId, { state }]) => [batchId, state]));
    },
    async cancel(_batchId, act) {
      reachWorker();
      engine.updates.push(act);
      return engine.refusal;
    },
    async resolve(_batchId, answer) {
      reachWorker();
      engine.updates.push(answer);
      return engine.refusal;
    },
    async refresh(batchId) {
      reachWorker();
      engine.refreshed.push(batchId);
      return engine.refreshing();
    },
    async hasWorker() {
      reach();
      return engine.workers;
    },
    async close() {
      engine.closed += 1;
    },
  };
  return engine;
}

export const running = (fileSha256: string | undefined, state?: Execution['state']): Execution => ({
  status: 'RUNNING',
  fileSha256,
  state,
});

export const liveStatus = (more: Partial<BatchStatus> = {}): BatchStatus => ({
  state: 'PAYING',
  since: '2026-11-21T09:00:00.000Z',
  note: 'creates mass payouts',
  partitions: { total: 1, started: 1, sent: 0, settled: 0 },
  needsOperator: [],
  canceledBy: null,
  ...more,
});
