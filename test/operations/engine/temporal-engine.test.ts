import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { runSinks } from '../../../src/activities/shared/tracing.ts';
import type { Engine } from '../../../src/operations/engine/engine.ts';
import { FAILED_TASKS_MIN } from '../../../src/operations/engine/limits.ts';
import { stuckWorkflows } from '../../../src/operations/engine/stuck.ts';
import { connectEngine } from '../../../src/operations/engine/temporal-engine.ts';
import { loadTemporalAccess } from '../../../src/codec/temporal-access.ts';
import { readSettings } from '../../../src/config.ts';
import type { BatchInput, BatchResult } from '../../../src/contract/batch.ts';
import {
  batchWorkflowId,
  demandWorkflowId,
  temporalScheduleId,
} from '../../../src/contract/names.ts';
import type { ClaimInput } from '../../../src/contract/schedule.ts';
import { nextRuns } from '../../../src/domain/schedule/runs.ts';
import { definition } from '../../support/schedule-definitions.ts';
import { PLAN_PARTS, type PlanParts } from '../../../src/domain/plan/digest.ts';
import { noteOf } from '../../../src/domain/errors/bursar-error.ts';
import { eventually } from '../../support/eventually.ts';
import { freePort } from '../../support/free-port.ts';
import { clearPlace } from '../../support/temporal/clear-place.ts';
import { sharedTemporal } from '../../support/temporal/shared-temporal.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const ABOUT = { summary: '3 rows', details: 'File `abc`' };

const inputOf = (batchId: string): BatchInput => ({
  batchId,
  accountRef: 'main',
  file: { name: 'good.csv', sha256: 'abc' },
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
    fundsWaitMs: null,
    beforeScheduled: false,
    pollMinMs: 100,
    pollMaxMs: 1_000,
  },
  submittedBy: 'alice',
  submittedAt: '2026-11-21T09:00:00.000Z',
  generation: 0,
  parentBatchId: null,
});

const PARTS = Object.fromEntries(PLAN_PARTS.map((part) => [part, part])) as PlanParts;

const RESULT: BatchResult = {
  state: 'REJECTED',
  digest: null,
  amounts: [],
  reportUrl: null,
  rows: { total: 0, paid: 0, failed: 0, unknown: 0, notSent: 0, inFlight: 0 },
  error: noteOf('FILE_EMPTY', { file: 'good.csv' }),
};

const connect = (taskQueue: string): Promise<Engine> => {
  const { address, namespace } = sharedTemporal();
  return connectEngine({ ...clearPlace(address, namespace), taskQueue });
};

/** The updates that a worker takes which comes later. */
async function updatesTaken(taskQueue: string, batchId: string): Promise<string[]> {
  const { address, namespace, workflowBundle } = sharedTemporal();
  const native = await NativeConnection.connect({ address });
  const connection = await Connection.connect({ address });
  const asked: string[] = [];
  const worker = await Worker.create({
    connection: native,
    namespace,
    taskQueue,
    workflowBundle,
    sinks: runSinks(),
    activities: {
      ingestFile: async () => ({ kind: 'refused', error: RESULT.error }),
      resumeBatch: async () => {
        asked.push('resume');
        return { kind: 'not-held' };
      },
      reportBatch: async () => RESULT,
      tell: async () => undefined,
      endsToFollow: async () => [],
    },
  });
  const { workflow } = new Client({ connection, namespace });
  await worker.runUntil(workflow.getHandle(batchWorkflowId(batchId)).result());
  await native.close();
  await connection.close();
  return asked;
}

describe('the engine without a worker', () => {
  it('starts a batch once, and finds it by its file', async () => {
    const taskQueue = `cli-${randomUUID()}`;
    const engine = await connect(taskQueue);
    const batchId = `engine-${randomUUID()}`;
    expect(await engine.describe(batchId)).toBeUndefined();
    expect(await engine.start(inputOf(batchId), ABOUT)).toBe('started');
    expect(await engine.start(inputOf(batchId), ABOUT)).toBe('exists');
    expect(await engine.describe(batchId)).toEqual({
      status: 'RUNNING',
      fileSha256: 'abc',
      state: undefined,
      taskQueue,
    });
    expect(await engine.hasWorker()).toBe(false);
    expect(await engine.status(batchId)).toBeUndefined();
    await engine.close();
  });

  it('returns the only plan that a batch may carry out', async () => {
    const engine = await connect(`cli-${randomUUID()}`);
    const input = inputOf(`engine-${randomUUID()}`);
    const expectedDigest = { digest: 'sha256:d', parts: PARTS };
    await engine.start({ ...input, options: { ...input.options, expectedDigest } }, ABOUT);
    expect(await engine.describe(input.batchId)).toMatchObject({ planDigest: 'sha256:d' });
    await engine.close();
  });

  it('sends no update that a worker would take later, after the command was refused', async () => {
    const taskQueue = `cli-${randomUUID()}`;
    const engine = await connect(taskQueue);
    const batchId = `engine-${randomUUID()}`;
    await engine.start(inputOf(batchId), ABOUT);
    const act = { by: 'alice', reason: 'go on' };
    await expect(engine.resume(batchId, act)).rejects.toMatchObject({
      code: 'WORKER_SILENT',
      note: { why: expect.stringContaining('The command changed nothing.') },
    });
    await engine.close();
    expect(await updatesTaken(taskQueue, batchId)).toEqual([]);
  });

  it('returns the parent of a resend before any worker has read it', async () => {
    const engine = await connect(`cli-${randomUUID()}`);
    const resend = { parentBatchId: 'payroll', generation: 1 };
    const input = { ...inputOf(`engine-${randomUUID()}`), ...resend };
    await engine.start(input, ABOUT);
    expect(await engine.describe(input.batchId)).toMatchObject({ resend });
    await engine.close();
  });
});

it('a schedule that is made again begins a run whose id its former life has used up', async () => {
  const { address, namespace } = sharedTemporal();
  const connection = await Connection.connect({ address });
  const client = new Client({ connection, namespace });
  const engine = await connect(`cli-${randomUUID()}`);
  const made = definition({ scheduleId: `rent-${randomUUID()}`, timezone: 'UTC' });
  const timing = { nowMs: Date.now(), paused: false, note: '' };
  const [run] = nextRuns(made, timing.nowMs, 1);
  const around = [-1_000, 1_000].map((ms) => new Date((run?.dueAtMs ?? 0) + ms));
  const begun = async (): Promise<string> => {
    const handle = client.schedule.getHandle(temporalScheduleId(made.scheduleId));
    await handle.backfill({ start: around[0]!, end: around[1]!, overlap: 'ALLOW_ALL' });
    return eventually('a run begins', async () => {
      const { recentActions } = (await handle.describe()).info;
      const action = recentActions.at(-1)?.action;
      return action?.type === 'startWorkflow' ? action.workflow.workflowId : undefined;
    });
  };

  await engine.schedules.put(made, timing);
  const first = await begun();
  const runIdOf = async () => (await client.workflow.getHandle(first).describe()).runId;
  const before = await runIdOf();
  await client.workflow.getHandle(first).terminate();
  await engine.schedules.remove(made.scheduleId);
  await engine.schedules.put(made, timing);
  const second = await begun();
  expect(second).toBe(first);
  expect(await runIdOf()).not.toBe(before);
  await client.workflow.getHandle(second).terminate();
  await engine.schedules.remove(made.scheduleId);
  await engine.close();
  await connection.close();
});

describe('the engine with a worker', () => {
  const taskQueue = `cli-${randomUUID()}`;
  const batchId = `engine-${randomUUID()}`;
  let [worker, running, native]: [Worker?, Promise<void>?, NativeConnection?] = [];
  let engine: Engine;
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });

  beforeAll(async () => {
    Runtime.install({ logger: new DefaultLogger('ERROR') });
    const { address, namespace, workflowBundle } = sharedTemporal();
    native = await NativeConnection.connect({ address });
    worker = await Worker.create({
      connection: native,
      namespace,
      taskQueue,
      workflowBundle,
      sinks: runSinks(),
      activities: {
        ingestFile: async () => {
          await released;
          return { kind: 'refused', error: RESULT.error };
        },
        reportBatch: async () => RESULT,
        noteCancel: async () => undefined,
        tell: async () => undefined,
        endsToFollow: async () => [],
        claimRuns: async ({ demand }: ClaimInput) =>
          demand?.reason === 'fails'
            ? { kind: 'refused', error: RESULT.error }
            : { kind: 'claims', claims: [] },
        listRuns: async () => undefined,
      },
    });
    running = worker.run();
    engine = await connect(taskQueue);
    await engine.start(inputOf(batchId), ABOUT);
  });

  afterAll(async () => {
    worker?.shutdown();
    await running;
    await native?.close();
    await engine.close();
  });

  it('sends a query and a cancel to the workflow, and returns its end', async () => {
    await eventually('a worker', async () => (await engine.hasWorker()) || undefined);
    const status = await eventually('a status', () => engine.status(batchId));
    expect(status).toMatchObject({
      state: 'INGESTING',
      note: 'checking every row',
      canceledBy: null,
    });
    const listed = async () => (await engine.running()).get(batchId)?.state;
    expect(await eventually('a place in the list', listed)).toBe('INGESTING');

    expect(await engine.cancel(batchId, { by: 'alice', reason: 'wrong month' })).toBeNull();
    expect(await engine.status(batchId)).toMatchObject({ canceledBy: 'alice' });
    const answer = { by: 'alice', reason: 'x', chunk: 0, answer: 'abandon' } as const;
    expect(await engine.resolve({ batchId, partitionChunks: null }, answer)).toMatchObject({
      code: 'CHUNK_NOT_WAITING',
    });

    const left = new AbortController();
    const leaving = engine.untilClosed(batchId, left.signal);
    left.abort();
    await leaving;
    const closed = engine.untilClosed(batchId, new AbortController().signal);
    release();
    await closed;
    expect((await engine.describe(batchId))?.status).toBe('COMPLETED');
    expect(await engine.result(batchId)).toEqual(RESULT);
    expect(await engine.describe(batchId)).toMatchObject({ state: 'REJECTED' });
    expect(await engine.start(inputOf(batchId), ABOUT)).toBe('exists');
    expect(await engine.cancel(batchId, { by: 'alice', reason: 'again' })).toMatchObject({
      code: 'BATCH_ENDED',
    });
  });

  it('counts the tasks that a worker fails, since the batch cannot move then', async () => {
    const { address, namespace } = sharedTemporal();
    const connection = await Connection.connect({ address });
    const { workflow } = new Client({ connection, namespace });
    const stuckId = `engine-${randomUUID()}`;
    const workflowId = batchWorkflowId(stuckId);
    // A workflow without its input breaks.
    const handle = await workflow.start('payoutBatch', { taskQueue, workflowId, args: [null] });
    const failedTasks = await eventually('its task fails twice', async () => {
      const { failedTasks: count = 0 } = (await engine.describe(stuckId)) ?? {};
      return count >= FAILED_TASKS_MIN ? count : undefined;
    });
    expect(await stuckWorkflows(new Client({ connection, namespace }), taskQueue)).toEqual([
      { workflowId, failedTasks },
    ]);
    await handle.terminate();
    await connection.close();
  });

  it('starts a failed run again for a person, and not one that is over', async () => {
    const { address, namespace } = sharedTemporal();
    const connection = await Connection.connect({ address });
    const scheduleId = `rent-${randomUUID()}`;
    const nominal = '2026-11-20T09:00';
    const ask = (reason: string) =>
      engine.schedules.demand(scheduleId, { nominal, by: 'alice', reason });
    const untilOver = () =>
      new Client({ connection, namespace }).workflow
        .getHandle(demandWorkflowId(scheduleId, nominal))
        .result()
        .then(
          () => 'done',
          () => 'failed',
        );

    expect([await ask('fails'), await untilOver()]).toEqual(['started', 'failed']);
    expect([await ask('mended'), await untilOver()]).toEqual(['started', 'done']);
    expect(await ask('a second too late')).toBe('exists');
    await connection.close();
  });
});

describe('a Temporal that is not there', () => {
  it('is reported', async () => {
    const address = `127.0.0.1:${await freePort()}`;
    const place = { ...clearPlace(address), taskQueue: 'q' };
    await expect(connectEngine(place)).rejects.toMatchObject({
      code: 'TEMPORAL_UNREACHABLE',
      facts: { address },
    });
  });

  const settings = readSettings({ env: {}, cwd: '/' });

  it('is reached at the address of the environment', () => {
    const env = {
      TEMPORAL_CONFIG_FILE: `${temporaryFolder()}/none.toml`,
      TEMPORAL_ADDRESS: 'temporal.test:7233',
      TEMPORAL_NAMESPACE: 'pay',
    };
    expect(loadTemporalAccess(settings, env)).toMatchObject({
      connectionOptions: { address: 'temporal.test:7233' },
      namespace: 'pay',
    });
  });

  it('is not reached by a profile that does not exist', () => {
    const env = {
      TEMPORAL_CONFIG_FILE: `${temporaryFolder()}/none.toml`,
      TEMPORAL_PROFILE: 'nobody',
    };
    expect(() => loadTemporalAccess(settings, env)).toThrow(
      expect.objectContaining({ code: 'SETTINGS_INVALID' }),
    );
  });
});
