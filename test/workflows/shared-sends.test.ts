import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Client, Connection, type WorkflowHandle } from '@temporalio/client';
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { runSinks } from '../../src/activities/shared/tracing.ts';
import { batchWorkflowId, partitionWorkflowId } from '../../src/contract/names.ts';
import type { SendChunkInput, SendStep } from '../../src/contract/sending.ts';
import { batchPriority } from '../../src/domain/batch/task-priority.ts';
import { eventually } from '../support/eventually.ts';
import { sharedTemporal } from '../support/temporal/shared-temporal.ts';
import { DIGEST, easyWorld, inputOf } from './support/played-batch.ts';

// How a server hands out activities is under test.
Runtime.install({ logger: new DefaultLogger('ERROR') });

let connection: Connection;
/** Of each worker its own, as programs have them. */
let natives: NativeConnection[];
beforeEach(async () => {
  const { address } = sharedTemporal();
  connection = await Connection.connect({ address });
  natives = [
    await NativeConnection.connect({ address }),
    await NativeConnection.connect({ address }),
  ];
});
afterEach(async () => {
  for (const native of natives) await native.close();
  await connection.close();
});

type World = Readonly<{
  /** Chunks of a batch, by its id. */
  chunks(batchId: string): number;
  /** Sends a chunk in a worker, by its number. */
  send(input: SendChunkInput, worker: number): Promise<SendStep>;
  workers: number;
  /** Activities of a worker at a time. */
  activities: number;
  chunksInFlight: number;
}>;

type Play = Readonly<{ start(batchId: string): Promise<WorkflowHandle>; client: Client }>;

/** Runs batches whose chunks are sent by one activity each. */
async function play(
  { chunks, send, workers, activities, chunksInFlight }: World,
  use: (play: Play) => Promise<void>,
): Promise<void> {
  const { namespace, workflowBundle } = sharedTemporal();
  const taskQueue = randomUUID();
  const create = (native: NativeConnection, worker: number): Promise<Worker> =>
    Worker.create({
      connection: native,
      namespace,
      taskQueue,
      workflowBundle,
      identity: `worker ${worker}`,
      sinks: runSinks(),
      maxConcurrentActivityTaskExecutions: activities,
      activities: {
        ...easyWorld(),
        planBatch: async ({ batchId }: Readonly<{ batchId: string }>) => ({
          kind: 'planned',
          digest: DIGEST,
          chunks: chunks(batchId),
          begun: false,
        }),
        sendChunk: (input: SendChunkInput) => send(input, worker),
      },
    });
  const all = await Promise.all(natives.slice(0, workers).map(create));
  const client = new Client({ connection, namespace });
  const start = (batchId: string): Promise<WorkflowHandle> =>
    client.workflow.start('payoutBatch', {
      taskQueue,
      workflowId: batchWorkflowId(batchId),
      priority: batchPriority(batchId),
      args: [inputOf(batchId, { chunksInFlight })],
    });
  const run = all.reduce(
    (inner, worker) => () => worker.runUntil(inner),
    () => use({ start, client }),
  );
  await run();
}

it('two workers share the chunks of one batch', async () => {
  const sent = [0, 0];
  const send = async (_input: SendChunkInput, worker: number): Promise<SendStep> => {
    sent[worker] = (sent[worker] ?? 0) + 1;
    await pause(20);
    return { kind: 'created' };
  };
  const world = { chunks: () => 80, send, workers: 2, activities: 40, chunksInFlight: 8 };
  await play(world, async ({ start }) => void (await (await start(randomUUID())).result()));
  expect(Math.min(...sent)).toBeGreaterThan(80 / 4);
});

describe('a small batch beside a large one, on a worker with one activity at a time', () => {
  const LARGE = 100;

  it('ends while the chunks of the large one wait', async () => {
    const [large, small] = [`large-${randomUUID()}`, `small-${randomUUID()}`];
    const sent: string[] = [];
    const send = async ({ batchId }: SendChunkInput): Promise<SendStep> => {
      sent.push(batchId);
      await pause(60);
      return { kind: 'created' };
    };
    const chunks = (batchId: string): number => (batchId === large ? LARGE : 3);
    const world = { chunks, send, workers: 1, activities: 1, chunksInFlight: LARGE };
    await play(world, async ({ start }) => {
      const first = await start(large);
      await eventually('the chunks of the large batch wait', async () =>
        sent.length >= 3 ? true : undefined,
      );
      await (await start(small)).result();
      expect(sent.filter((batchId) => batchId === small)).toHaveLength(3);
      expect(sent.filter((batchId) => batchId === large).length).toBeLessThan(LARGE);
      await first.result();
    });
  });
});

describe('the priority of tasks', () => {
  type Priority = Readonly<{ fairnessKey?: string | null; priorityKey?: number | null }>;

  /** The priorities of the sends of a batch, in order. */
  async function prioritiesOf(
    batchId: string,
    chunks: number,
    stepOf: (n: number) => SendStep,
  ): Promise<Priority[]> {
    let n = -1;
    const send = async (): Promise<SendStep> => stepOf((n += 1));
    const world = { chunks: () => chunks, send, workers: 1, activities: 40, chunksInFlight: 8 };
    const found: Priority[] = [];
    await play(world, async ({ start, client }) => {
      await (await start(batchId)).result();
      const partition = client.workflow.getHandle(partitionWorkflowId(batchId, 0));
      const { priority } = await partition.describe();
      const { events = [] } = await partition.fetchHistory();
      for (const { activityTaskScheduledEventAttributes: scheduled } of events ?? []) {
        if (scheduled?.activityType?.name !== 'sendChunk') continue;
        const { fairnessKey, priorityKey } = scheduled.priority ?? {};
        found.push({
          fairnessKey: fairnessKey || priority?.fairnessKey,
          priorityKey: priorityKey || priority?.priorityKey,
        } as Priority);
      }
    });
    return found;
  }

  const created: SendStep = { kind: 'created' };

  it.each([
    [20, 2],
    [21, 3],
  ])('of a batch of %d chunks is %d, and its fairness key is the batch id', async (chunks, key) => {
    const batchId = randomUUID();
    const priorities = await prioritiesOf(batchId, chunks, () => created);
    expect(priorities).toHaveLength(chunks);
    expect(new Set(priorities.map(({ priorityKey }) => priorityKey))).toEqual(new Set([key]));
    expect(new Set(priorities.map(({ fairnessKey }) => fairnessKey))).toEqual(new Set([batchId]));
  });

  it('is the first for what finds out about an ambiguous create', async () => {
    const doubt: SendStep = { kind: 'waiting', delayMs: 10, why: 'in doubt', inDoubt: true };
    const priorities = await prioritiesOf(randomUUID(), 1, (n) => (n === 0 ? doubt : created));
    expect(priorities.map(({ priorityKey }) => priorityKey)).toEqual([2, 1]);
  });
});
