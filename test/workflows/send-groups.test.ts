import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Client, Connection, type WorkflowHandle } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { runSinks } from '../../src/activities/shared/tracing.ts';
import type {
  SendChunkInput,
  SendChunksInput,
  SendStep,
  SentChunks,
} from '../../src/contract/sending.ts';
import type { SweepInput, Swept } from '../../src/contract/sweep.ts';
import type {
  PartitionInput,
  PartitionProgress,
  PartitionResult,
} from '../../src/contract/partition.ts';
import { sharedTemporal } from '../support/temporal/shared-temporal.ts';

// A workflow needs a server: its replay, its history and the heartbeats of its activities are under test.
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

const CHUNKS = 60;
const LANES = 4;

type Played = {
  readonly groups: SendChunksInput[];
  readonly singles: number[];
  readonly sweeps: (readonly number[])[];
  handle?: WorkflowHandle;
};

type World = Readonly<{
  input?: Partial<PartitionInput>;
  /** The answer for a group; every chunk is created where it returns undefined. `n`: which group, from 0. */
  group?: (input: SendChunksInput, n: number) => Promise<SentChunks> | SentChunks | undefined;
  /** The step of a chunk that is sent by itself. */
  single?: (input: SendChunkInput) => SendStep;
  /** Whether a mass payout is at its end at the nth sweep, from 0. */
  isEnded?: (chunk: number, n: number) => boolean;
}>;

const allCreated = (chunks: readonly number[]): SentChunks => ({
  created: chunks,
  steps: [],
  failed: [],
});

/** Runs a partition to its end. Every created chunk is settled by its first sweep. */
async function play({
  input = {},
  group,
  single,
  isEnded = () => true,
}: World): Promise<Played & PartitionResult> {
  const { namespace, workflowBundle } = sharedTemporal();
  const taskQueue = randomUUID();
  const played: Played = { groups: [], singles: [], sweeps: [] };
  const worker = await Worker.create({
    connection: native,
    namespace,
    taskQueue,
    workflowBundle,
    sinks: runSinks(),
    activities: {
      sendChunks: async (asked: SendChunksInput): Promise<SentChunks> => {
        const n = played.groups.push(asked) - 1;
        return (await group?.(asked, n)) ?? allCreated(asked.chunks);
      },
      sendChunk: (asked: SendChunkInput): Promise<SendStep> => {
        played.singles.push(asked.chunk);
        return Promise.resolve(single?.(asked) ?? { kind: 'created' });
      },
      sweepChunks: ({ chunks }: SweepInput): Promise<Swept> => {
        const n = played.sweeps.push(chunks) - 1;
        const settled = chunks.filter((chunk) => isEnded(chunk, n));
        return Promise.resolve({ settled, moved: [], unread: [], unsent: [] });
      },
    },
  });
  const partition: PartitionInput = {
    batchId: randomUUID(),
    digest: 'sha256:d',
    partition: 0,
    firstChunk: 0,
    chunkCount: CHUNKS,
    grouped: true,
    canary: true,
    options: { chunksInFlight: LANES, pollMinMs: 50, pollMaxMs: 50 },
    ...input,
  };
  const result = await worker.runUntil(async () => {
    const client = new Client({ connection, namespace });
    const options = { taskQueue, workflowId: randomUUID(), args: [partition] };
    const handle = await client.workflow.start('payoutPartition', options);
    played.handle = handle;
    return handle.result() as Promise<PartitionResult>;
  });
  return { ...played, ...result };
}

const from = (first: number, count: number): number[] =>
  Array.from({ length: count }, (_, i) => first + i);

describe('a large partition', () => {
  it('sends its first chunk by itself, and all others by one activity', async () => {
    const { singles, groups, settled } = await play({});
    expect(singles).toEqual([0]);
    expect(groups).toEqual([
      expect.objectContaining({ chunks: from(1, CHUNKS - 1), lanes: LANES, forMs: 20_000 }),
    ]);
    expect(settled).toBe(CHUNKS);
  });

  it('sends what a group has not begun by the next one', async () => {
    const { groups, settled } = await play({
      group: ({ chunks }, n) => (n === 0 ? allCreated(chunks.slice(0, 10)) : undefined),
    });
    expect(groups.map(({ chunks }) => chunks[0])).toEqual([1, 11]);
    expect(settled).toBe(CHUNKS);
  });

  it('follows a chunk in doubt by itself, while the next group has all lanes', async () => {
    const doubt: SendStep = { kind: 'waiting', delayMs: 300, why: 'in doubt', inDoubt: true };
    const { groups, singles, settled } = await play({
      group: ({ chunks }, n) =>
        n === 0
          ? { created: chunks.slice(1, 4), steps: [{ chunk: 1, step: doubt }], failed: [] }
          : undefined,
    });
    expect(groups[1]).toMatchObject({ chunks: from(5, CHUNKS - 5), lanes: LANES });
    expect(singles).toEqual([0, 1]);
    expect(settled).toBe(CHUNKS);
  });

  it('gives a chunk that waits one of the lanes, and the next group a shorter time', async () => {
    const wait: SendStep = { kind: 'waiting', delayMs: 300, why: 'it rests', inDoubt: false };
    const { groups } = await play({
      group: ({ chunks }, n) =>
        n === 0
          ? { created: chunks.slice(1, 4), steps: [{ chunk: 1, step: wait }], failed: [] }
          : undefined,
    });
    expect(groups[1]).toMatchObject({ lanes: LANES - 1, forMs: 15_000 });
  });

  it('sends a chunk that threw by itself', async () => {
    const { singles, settled } = await play({
      group: ({ chunks }, n) =>
        n === 0 ? { created: chunks.slice(1, 4), steps: [], failed: [1] } : undefined,
    });
    expect(singles).toEqual([0, 1]);
    expect(settled).toBe(CHUNKS);
  });

  it('sends a group again that was lost', async () => {
    const { groups, settled } = await play({
      group: (_asked, n) => {
        if (n === 0) throw ApplicationFailure.create({ type: 'STORE_BUSY', message: 'busy' });
        return undefined;
      },
    });
    expect(groups.map(({ chunks }) => chunks.length)).toEqual([CHUNKS - 1, CHUNKS - 1]);
    expect(settled).toBe(CHUNKS);
  });

  it('tells its next group that a chunk ended the sending of the batch', async () => {
    const step: SendStep = { kind: 'rejected', reason: 'the key is wrong', halt: true };
    const { groups, notSent } = await play({
      group: ({ chunks, stopped }, n) =>
        n === 0
          ? { created: [], steps: [{ chunk: 1, step }], failed: [] }
          : {
              created: [],
              steps: chunks.map((chunk) => ({ chunk, step: { kind: 'closed' } as const })),
              failed: stopped === null ? [chunks[0] ?? 0] : [],
            },
    });
    expect(groups[1]).toMatchObject({ stopped: 'the key is wrong' });
    expect(notSent).toBe(CHUNKS - 2);
  });

  it('is swept by at most 200 chunks at a time, and has few events in its history', async () => {
    const { groups, sweeps, settled, handle } = await play({
      input: { chunkCount: 1_500 },
    });
    expect(groups.map(({ chunks }) => chunks.length)).toEqual([1_499]);
    expect(Math.max(...sweeps.map((chunks) => chunks.length))).toBeLessThanOrEqual(200);
    expect(settled).toBe(1_500);
    const history = await handle?.fetchHistory();
    expect(history?.events?.length).toBeLessThan(300);
  });
});

describe('the mass payouts of a large partition', () => {
  const options = { chunksInFlight: LANES, pollMinMs: 50, pollMaxMs: 60_000 };

  it('are read once each at a service that pays at once, after the first of them', async () => {
    const { sweeps } = await play({ input: { options } });
    expect(sweeps.slice(0, 2)).toEqual([[0], from(1, CHUNKS - 1)]);
    // The last sweep proves that the store has all ends.
    expect(sweeps).toHaveLength(3);
  });

  it('are not read before the first of them is at its end', async () => {
    const { sweeps, settled } = await play({
      input: { options },
      isEnded: (chunk, n) => chunk !== 0 || n >= 3,
    });
    expect(sweeps.slice(0, 4)).toEqual([[0], [0], [0], [0]]);
    expect(sweeps[4]).toEqual(from(1, CHUNKS - 1));
    expect(settled).toBe(CHUNKS);
  });
});

it('the batch gets one signal for all chunks of a group that wait for a person, and their first hundred', async () => {
  const asked = new Set(from(1, 150));
  const step: SendStep = { kind: 'needs-operator', lookAgainMs: 200 };
  const { handle, settled } = await play({
    input: { chunkCount: 200, options: { chunksInFlight: 200, pollMinMs: 50, pollMaxMs: 50 } },
    group: ({ chunks }) => ({
      created: chunks.filter((chunk) => !asked.has(chunk)),
      steps: [...asked].map((chunk) => ({ chunk, step })),
      failed: [],
    }),
  });
  expect(settled).toBe(200);
  const { events } = (await handle?.fetchHistory()) ?? {};
  const inputs = (events ?? []).flatMap(
    ({ signalExternalWorkflowExecutionInitiatedEventAttributes: signal }) =>
      signal?.input?.payloads?.map(({ data }) => JSON.parse(String(data)) as PartitionProgress) ??
      [],
  );
  const [first] = inputs;
  expect(first?.needsOperator).toEqual(from(1, 100));
  // Later signals are about decided chunks. Their number depends on the machine, and is not one for each chunk.
  expect(inputs.length).toBeLessThan(asked.size);
});

it.each<[string, Partial<PartitionInput>]>([
  ['of few chunks', { chunkCount: 21 }],
  ['of an older worker', { grouped: false }],
])('a partition %s sends each chunk by an activity of its own', async (_what, input) => {
  const { groups, singles } = await play({ input });
  expect(groups).toEqual([]);
  expect(singles).toHaveLength(input.chunkCount ?? CHUNKS);
});
