import type { Engine, Execution } from '../../../src/operations/engine/engine.ts';
import type { ScheduleEngine } from '../../../src/operations/engine/schedules.ts';
import type { Refreshed } from '../../../src/contract/aftercare.ts';
import type { BatchInput, BatchResult } from '../../../src/contract/batch.ts';
import type { Act, ApproveInput, Resolve } from '../../../src/contract/messages.ts';
import type { Demand, ScheduleDefinition } from '../../../src/contract/schedule.ts';
import type { BatchStatus } from '../../../src/contract/status.ts';
import type { StoreRef } from '../../../src/domain/store/identity.ts';
import { BursarError, type ErrorNote } from '../../../src/domain/errors/bursar-error.ts';

export type FakeEngine = Engine & {
  /** Inputs of the batches that were really started. */
  readonly started: BatchInput[];
  readonly executions: Map<string, Execution>;
  readonly statuses: Map<string, BatchStatus>;
  readonly results: Map<string, BatchResult>;
  readonly updates: (Act | Resolve | ApproveInput)[];
  /** What Temporal has of each schedule. */
  readonly timetables: Map<
    string,
    { definition: ScheduleDefinition; paused: boolean; note: string }
  >;
  /** Runs that were asked for; they run for ever. */
  readonly demands: (Demand & Readonly<{ scheduleId: string }>)[];
  /** Batches whose ends were asked for, and what a look at them tells. */
  readonly refreshed: string[];
  /** Batches whose workflow began anew, and batches that are followed after their end. */
  readonly begunAnew: string[];
  readonly followed: string[];
  refreshing: () => Promise<Refreshed | ErrorNote | undefined>;
  /** The refusal of the next update. */
  refusal: ErrorNote | null;
  workers: boolean;
  /** When Temporal saw a worker last, in milliseconds since 1970. */
  workerSeenAtMs: number | null;
  /** Batches that got the signal that the store has a hold or a cancel for them. */
  readonly signaled: string[];
  /** Batches of other task queues than that of the tests. */
  readonly queues: Map<string, string>;
  /** The store of the workers; undefined: no worker has written it down. */
  servedStore: StoreRef | undefined;
  /** Ids of the stores of the workers that asked for work of late. */
  storesSeen: string[];
  /** Whether Temporal answers at all. */
  isDown: boolean;
  closed: number;
  /** Whether workflows close, and when: a promise that ends then. By default none ever does. */
  closing: () => Promise<void>;
};

/** A Temporal that keeps workflows in memory and runs none. */
/** What a workflow tells besides, for the batch that follows. */
const FOLLOWED = { next: null, following: 0, paidTwice: 0, firstMs: 300_000, untilMs: 0 };

export function fakeEngine(): FakeEngine {
  const reach = (): void => {
    if (engine.isDown)
      throw new BursarError('TEMPORAL_UNREACHABLE', { address: 'fake:7233', reason: 'down' });
  };
  const reachWorker = (): void => {
    reach();
    if (!engine.workers) throw new BursarError('WORKER_SILENT', { taskQueue: 'bursar' });
  };
  const takeAct: Engine['cancel'] = async (_batchId, act) => {
    reachWorker();
    engine.updates.push(act);
    return engine.refusal;
  };
  const engine: FakeEngine = {
    started: [],
    executions: new Map(),
    statuses: new Map(),
    results: new Map(),
    updates: [],
    timetables: new Map(),
    demands: [],
    refreshed: [],
    begunAnew: [],
    followed: [],
    refreshing: () => Promise.resolve({ changedRows: 0, unread: 0, version: 1, ...FOLLOWED }),
    refusal: null,
    workers: true,
    workerSeenAtMs: null,
    signaled: [],
    queues: new Map(),
    servedStore: undefined,
    storesSeen: [],
    isDown: false,
    closed: 0,
    closing: () => new Promise(() => undefined),
    async start(input) {
      reach();
      if (engine.executions.has(input.batchId)) return 'exists';
      engine.started.push(input);
      const execution = running(input.file.sha256);
      const planDigest = input.options.expectedDigest?.digest;
      engine.executions.set(input.batchId, {
        ...execution,
        ...(planDigest === undefined ? {} : { planDigest }),
        ...(input.parentBatchId === null
          ? {}
          : { resend: { parentBatchId: input.parentBatchId, generation: input.generation } }),
      });
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
      const queueOf = (batchId: string): string => engine.queues.get(batchId) ?? 'bursar';
      return new Map(
        open.map(([batchId, { state }]) => [batchId, { state, taskQueue: queueOf(batchId) }]),
      );
    },
    cancel: takeAct,
    pause: takeAct,
    resume: takeAct,
    async resolve(_batchId, answer) {
      reachWorker();
      engine.updates.push(answer);
      return engine.refusal;
    },
    async approve(_batchId, input) {
      reachWorker();
      engine.updates.push(input);
      return engine.refusal;
    },
    schedules: fakeSchedules(() => engine, reach),
    recovery: {
      async startAgain(input, about) {
        if (engine.executions.get(input.batchId)?.status !== 'RUNNING') {
          engine.executions.delete(input.batchId);
        }
        return engine.start(input, about);
      },
      async beginAnew(batchId) {
        reach();
        engine.begunAnew.push(batchId);
        return true;
      },
      async batchIds() {
        reach();
        return [...engine.executions.keys()];
      },
      async followEnds({ batchId }) {
        reach();
        engine.followed.push(batchId);
        return 'started';
      },
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
    async worker() {
      reach();
      return { answers: engine.workers, seenAtMs: engine.workerSeenAtMs };
    },
    async controlsWritten(batchId) {
      reach();
      engine.signaled.push(batchId);
    },
    async served() {
      reach();
      return engine.servedStore;
    },
    async storesAtWork() {
      reach();
      return engine.storesSeen;
    },
    async serve(store) {
      reach();
      engine.servedStore = store;
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
  note: 'sending the payments',
  partitions: { total: 1, started: 1, sent: 0, settled: 0 },
  needsOperator: [],
  canceledBy: null,
  holds: [],
  outlook: null,
  approval: null,
  ...more,
});

const fakeSchedules = (engine: () => FakeEngine, reach: () => void): ScheduleEngine => ({
  async put(definition, { paused, note }) {
    reach();
    engine().timetables.set(definition.scheduleId, { definition, paused, note });
  },
  async describe(scheduleId) {
    reach();
    const known = engine().timetables.get(scheduleId);
    return known && { paused: known.paused, nextStartsMs: [] };
  },
  async pause(scheduleId, note) {
    reach();
    const known = engine().timetables.get(scheduleId);
    if (known !== undefined) Object.assign(known, { paused: true, note });
  },
  async remove(scheduleId) {
    reach();
    engine().timetables.delete(scheduleId);
  },
  async demand(scheduleId, demand) {
    reach();
    const asked = engine().demands;
    const isKnown = asked.some(
      (one) => one.scheduleId === scheduleId && one.nominal === demand.nominal,
    );
    if (!isKnown) asked.push({ scheduleId, ...demand });
    return isKnown ? 'exists' : 'started';
  },
});
