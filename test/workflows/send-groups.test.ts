import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Client, Connection, type WorkflowHandle } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import type {
  SendChunkInput,
  SendChunksInput,
  SendStep,
  SentChunks,
} from '../../src/contract/sending.ts';
import type { SweepInput, Swept } from '../../src/contract/sweep.ts';
import type { PartitionInput, PartitionResult } from '../../src/contract/partition.ts';
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
  readonly sweeps: number[];
  handle?: WorkflowHandle;
};

type World = Readonly<{
  input?: Partial<PartitionInput>;
  /** The answer for a group; every chunk is created where it returns undefined. `n`: which group, from 0. */
  group?: (input: SendChunksInput, n: number) => Promise<SentChunks> | SentChunks | undefined;
  /** The step of a chunk that is sent by itself. */
  single?: (input: SendChunkInput) => SendStep;
}>;

const allCreated = (chunks: readonly number[]): SentChunks => ({
  created: chunks,
  steps: [],
  failed: [],
});

/** Runs a partition to its end. Every created chunk is settled by its first sweep. */
async function play({ input = {}, group, single }: World): Promise<Played & PartitionResult> {
  const { namespace, workflowBundle } = sharedTemporal();
  const taskQueue = randomUUID();
  const played: Played = { groups: [], singles: [], sweeps: [] };
  const worker = await Worker.create({
    connection: native,
    namespace,
    taskQueue,
    workflowBundle,
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
        played.sweeps.push(chunks.length);
        return Promise.resolve({ settled: chunks, moved: [], unread: [], unsent: [] });
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
    expect(groups.map(({ chunks }) => chunks.length)).toEqual([1_000, 499]);
    expect(Math.max(...sweeps)).toBeLessThanOrEqual(200);
    expect(settled).toBe(1_500);
    const history = await handle?.fetchHistory();
    expect(history?.events?.length).toBeLessThan(300);
  });
});

it.each<[string, Partial<PartitionInput>]>([
  ['of few chunks', { chunkCount: 21 }],
  ['of an older worker', { grouped: false }],
])('a partition %s sends each chunk by an activity of its own', async (_what, input) => {
  const { groups, singles } = await play({ input });
  expect(groups).toEqual([]);
  expect(singles).toHaveLength(input.chunkCount ?? CHUNKS);
});
