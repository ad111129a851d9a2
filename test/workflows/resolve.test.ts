import { runSinks } from '../../src/activities/shared/tracing.ts';
import type { Swept } from '../../src/contract/sweep.ts';
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Client, Connection, type WorkflowHandle } from '@temporalio/client';
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { refusalOf } from '../../src/operations/engine/failures.ts';
import type { SendChunkInput, SendStep } from '../../src/contract/sending.ts';
import type { Resolve } from '../../src/contract/messages.ts';
import { SIGNAL_HINT, SIGNAL_STOP, UPDATE_RESOLVE } from '../../src/contract/names.ts';
import type { PartitionInput, PartitionStatus } from '../../src/contract/partition.ts';
import { eventually } from '../support/eventually.ts';
import { sharedTemporal } from '../support/temporal/shared-temporal.ts';

Runtime.install({ logger: new DefaultLogger('ERROR') });

let connection: Connection;
let native: NativeConnection;
beforeEach(async () => {
  const { address } = sharedTemporal();
  connection = await Connection.connect({ address });
  native = await NativeConnection.connect({ address });
});
afterEach(async () => {
  await native.close();
  await connection.close();
});

const HOUR_MS = 3_600_000;
const NOTHING: Swept = { settled: [], moved: [], unread: [], unsent: [] };

type World = {
  steps: Record<number, SendStep>;
  swept: Swept;
  readonly answers: Resolve[];
  /** What is done before a send answers. */
  duringSend?: () => Promise<unknown>;
};

/** Runs a partition of two chunks; each send ends as the test says. */
async function withPartition(
  steps: World['steps'],
  use: (world: World, handle: WorkflowHandle) => Promise<void>,
): Promise<void> {
  const { namespace, workflowBundle } = sharedTemporal();
  const taskQueue = randomUUID();
  const world: World = { steps, swept: NOTHING, answers: [] };
  const worker = await Worker.create({
    connection: native,
    namespace,
    taskQueue,
    workflowBundle,
    sinks: runSinks(),
    activities: {
      sendChunk: async ({ chunk }: SendChunkInput) => {
        const step = world.steps[chunk];
        await world.duringSend?.();
        return step;
      },
      sweepChunks: () => Promise.resolve(world.swept),
      answerChunk: (input: { answer: Resolve }) =>
        Promise.resolve(world.answers.push(input.answer)),
    },
  });
  const input: PartitionInput = {
    batchId: randomUUID(),
    digest: 'sha256:d',
    partition: 0,
    firstChunk: 0,
    chunkCount: 2,
    canary: false,
    options: { chunksInFlight: 2, pollMinMs: 50, pollMaxMs: 50 },
  };
  await worker.runUntil(async () => {
    const client = new Client({ connection, namespace });
    const options = { taskQueue, workflowId: randomUUID(), args: [input] };
    const handle = await client.workflow.start('payoutPartition', options);
    await use(world, handle);
    await handle.terminate('the test is over').catch(() => undefined);
  });
}

const ABANDON: Omit<Resolve, 'chunk'> = { by: 'mira', reason: 'x', answer: 'abandon' };

/** The code with which an answer is refused; undefined when it is taken. */
async function answer(handle: WorkflowHandle, chunk: number): Promise<string | undefined> {
  try {
    await handle.executeUpdate(UPDATE_RESOLVE, { args: [{ ...ABANDON, chunk }] });
    return undefined;
  } catch (error) {
    return refusalOf(error)?.code;
  }
}

const WAITING: SendStep = { kind: 'needs-operator', reason: 'LOOKUP_UNPROVEN' };

const until = (handle: WorkflowHandle, place: 'needsOperator' | 'open' | 'settled' | 'notSent') =>
  eventually(`a chunk is ${place}`, async () => {
    const { chunks } = await handle.query<PartitionStatus>('status');
    return chunks[place] > 0 ? true : undefined;
  });

describe('an answer for a chunk', () => {
  it.each<[string, SendStep, 'open' | 'settled' | 'notSent']>([
    ['was created and is followed', { kind: 'created' }, 'open'],
    ['was refused by the service', { kind: 'rejected', reason: 'no', halt: false }, 'settled'],
    ['was given up', { kind: 'abandoned' }, 'settled'],
    ['was closed before it was sent', { kind: 'closed' }, 'notSent'],
  ])('that %s is refused in one clear error', (_what, step, place) =>
    withPartition({ 0: step, 1: WAITING }, async (world, handle) => {
      await until(handle, place);
      expect(await answer(handle, 0)).toBe('CHUNK_NOT_WAITING');
      expect(world.answers).toEqual([]);
    }),
  );

  it('that is being sent is refused', () =>
    withPartition(
      { 0: { kind: 'waiting', delayMs: HOUR_MS, why: 'later', inDoubt: true }, 1: WAITING },
      async (world, handle) => {
        await until(handle, 'needsOperator');
        expect(await answer(handle, 0)).toBe('CHUNK_NOT_WAITING');
        expect(world.answers).toEqual([]);
      },
    ));

  it.each([2, 99, 1_000_000])('that the batch does not have, %i, is refused', (chunk) =>
    withPartition({ 0: WAITING, 1: WAITING }, async (world, handle) => {
      await until(handle, 'needsOperator');
      expect(await answer(handle, chunk)).toBe('CHUNK_NOT_WAITING');
      expect(world.answers).toEqual([]);
    }),
  );

  it('that waits for one is taken, and a second one after its end is refused', () =>
    withPartition({ 0: WAITING, 1: WAITING }, async (world, handle) => {
      await eventually('both wait', async () => {
        const { chunks } = await handle.query<PartitionStatus>('status');
        return chunks.needsOperator === 2 ? true : undefined;
      });
      world.steps = { 0: { kind: 'abandoned' }, 1: WAITING };
      expect(await answer(handle, 0)).toBeUndefined();
      await until(handle, 'settled');
      expect(await answer(handle, 0)).toBe('CHUNK_NOT_WAITING');
      expect(world.answers).toMatchObject([{ chunk: 0, answer: 'abandon' }]);
    }));
});

describe('a chunk that waits for a person', () => {
  it('is decided again when its batch is stopped', () =>
    withPartition({ 0: WAITING, 1: WAITING }, async (world, handle) => {
      await until(handle, 'needsOperator');
      world.steps = { 0: { kind: 'closed' }, 1: { kind: 'closed' } };
      world.swept = { ...NOTHING, settled: [0, 1] };
      await handle.signal(SIGNAL_STOP, 'canceled by ann');
      await expect(handle.result()).resolves.toMatchObject({ notSent: 2 });
    }));

  it('is decided again also when the stop came during a lookup', () =>
    withPartition({ 0: WAITING, 1: WAITING }, async (world, handle) => {
      await until(handle, 'needsOperator');
      world.duringSend = async () => {
        delete world.duringSend;
        world.steps = { 0: { kind: 'closed' }, 1: { kind: 'closed' } };
        world.swept = { ...NOTHING, settled: [0, 1] };
        await handle.signal(SIGNAL_STOP, 'canceled by ann');
      };
      await handle.signal(SIGNAL_HINT, { chunks: [0] });
      await expect(handle.result()).resolves.toMatchObject({ notSent: 2 });
    }));

  it('is looked up now and then without an answer: a mass payout may become visible', () =>
    withPartition({ 0: WAITING, 1: { kind: 'created' } }, async (_world, handle) => {
      await until(handle, 'needsOperator');
      const { events } = await handle.fetchHistory();
      const timers = (events ?? []).map(({ timerStartedEventAttributes: of }) =>
        Number(of?.startToFireTimeout?.seconds ?? 0),
      );
      expect(timers).toContain(900);
    }));
});
