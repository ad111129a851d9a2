import { describe, expect, it } from '@jest/globals';
import { activityInfo } from '@temporalio/activity';
import { Client, Connection } from '@temporalio/client';
import { DefaultLogger, Runtime } from '@temporalio/worker';
import type { Planned, Refused, ReportBatchInput, Short } from '../../src/contract/activities.ts';
import type { SendChunkInput, SendStep } from '../../src/contract/sending.ts';
import type { BatchOptions } from '../../src/contract/batch.ts';
import { partitionWorkflowId } from '../../src/contract/names.ts';
import { OLD_PARTITION_CHUNKS } from '../../src/domain/batch/partitions.ts';
import type { PartitionInput } from '../../src/contract/partition.ts';
import type { BatchState } from '../../src/domain/batch/batch-state.ts';
import { noteOf } from '../../src/domain/errors/bursar-error.ts';
import { sharedTemporal } from '../support/temporal/shared-temporal.ts';
import { DIGEST, playBatch, type World } from './support/played-batch.ts';

Runtime.install({ logger: new DefaultLogger('ERROR') });

const SHORT: Short = {
  kind: 'short',
  error: noteOf('FUNDS_TOO_LOW', {
    currency: 'TRX',
    needed: '5',
    available: '0',
    reserved: '0',
    short: '5',
    holders: '',
    also: '',
  }),
};
const REFUSED: Refused = {
  kind: 'refused',
  error: noteOf('SERVICE_UNREACHABLE', { baseUrl: 'https://pay', reason: 'closed' }),
};

/** A batch of one chunk, and what was asked of its send activity and of its report. */
function world(plan: Partial<Planned>, more: World) {
  const sends: SendChunkInput[] = [];
  const reports: ReportBatchInput[] = [];
  const activities: World = {
    planBatch: async () => ({
      kind: 'planned',
      digest: DIGEST,
      chunks: 1,
      begun: false,
      restored: true,
      ...plan,
    }),
    sendChunk: async (input): Promise<SendStep> => {
      sends.push(input);
      return input.stopped === null ? { kind: 'created' } : { kind: 'closed' };
    },
    reportBatch: async (input) => {
      reports.push(input);
      return {
        state: 'FAILED',
        digest: DIGEST,
        reportUrl: null,
        error: input.error,
        amounts: [],
        rows: { total: 1, paid: 0, failed: 0, unknown: 0, notSent: 1, inFlight: 0 },
      };
    },
    ...more,
  };
  return { sends, reports, activities };
}

const WAITING: SendStep = { kind: 'waiting', delayMs: 50, why: 'nobody knows yet', inDoubt: true };

/** A plan whose store was brought back after it was made. */
function restoredSince(plan: Partial<Planned> = {}): World {
  const planned = { kind: 'planned', digest: DIGEST, chunks: 1, begun: false, ...plan } as const;
  let made = 0;
  return {
    planBatch: async () => {
      made += 1;
      return { ...planned, restored: made > 1 };
    },
  };
}

/** Starts the first partition of the batch that calls, as a run of it did that is gone. */
async function startFirstPartition(batchId: string): Promise<void> {
  const { taskQueue } = activityInfo();
  const { address, namespace } = sharedTemporal();
  const connection = await Connection.connect({ address });
  const client = new Client({ connection, namespace });
  const workflowId = partitionWorkflowId(batchId, 0);
  const input: PartitionInput = {
    batchId,
    digest: DIGEST,
    partition: 0,
    firstChunk: 0,
    chunkCount: OLD_PARTITION_CHUNKS,
    canary: false,
    options: { chunksInFlight: 2, pollMinMs: 50, pollMaxMs: 50 },
  };
  await client.workflow.start('payoutPartition', { taskQueue, workflowId, args: [input] });
  await connection.close();
}

/** Runs a batch, cancels it once it is in a state, and waits for its end. */
const cancelWhenIn = (
  wanted: BatchState,
  activities: World,
  chosen: Partial<BatchOptions> = {},
): Promise<void> =>
  playBatch(
    activities,
    async ({ handle, ask, until }) => {
      await until(`it is ${wanted}`, ({ state }) => state === wanted);
      expect(await ask('cancel', { by: 'ann', reason: 'wrong' })).toBeNull();
      await handle.result();
    },
    chosen,
  );

const tomorrow = (): string => new Date(Date.now() + 86_400_000).toISOString();

const NO_WAIT = { fundsWaitMs: null };

describe('a batch whose store was brought back from an older copy, and that will not be paid any more', () => {
  it.each<readonly [string, World, string]>([
    ['for want of funds', { checkFunds: async () => SHORT }, 'FUNDS_TOO_LOW'],
    ['because its fees are refused', { quoteFees: async () => REFUSED }, 'SERVICE_UNREACHABLE'],
  ])('finds the sent chunks before it reports (%s)', async (_why, more, code) => {
    const { sends, reports, activities } = world({}, more);
    await playBatch(activities, async ({ handle }) => void (await handle.result()), NO_WAIT);
    expect(sends).toMatchObject([{ chunk: 0, stopped: expect.any(String) }]);
    expect(reports).toMatchObject([{ error: { code } }]);
  });

  it('finds them too when it is canceled while it waits', async () => {
    const { sends, reports, activities } = world({}, {});
    await cancelWhenIn('SCHEDULED', activities, { at: tomorrow() });
    expect(sends).toMatchObject([{ chunk: 0, stopped: 'canceled by ann: wrong' }]);
    expect(reports).toMatchObject([{ canceled: true }]);
  });
});

it('a batch whose store was restored finds the sent chunks of every partition, when it is canceled while the first one looks them up', async () => {
  const { sends, activities } = world(
    { chunks: OLD_PARTITION_CHUNKS + 1 },
    {
      sendChunk: async (input): Promise<SendStep> => {
        sends.push(input);
        return input.stopped === null ? WAITING : { kind: 'closed' };
      },
    },
  );
  await cancelWhenIn('PAYING', activities);
  expect(sends).toContainEqual(
    expect.objectContaining({ chunk: OLD_PARTITION_CHUNKS, stopped: 'canceled by ann: wrong' }),
  );
});

describe('a batch whose store was brought back only after it was planned', () => {
  it('finds the sent chunks before it reports, when it is canceled while it waits', async () => {
    const { sends, reports, activities } = world({}, restoredSince());
    await cancelWhenIn('SCHEDULED', activities, { at: tomorrow() });
    expect(sends).toMatchObject([{ chunk: 0, stopped: 'canceled by ann: wrong' }]);
    expect(reports).toMatchObject([{ canceled: true }]);
  });

  it('finds the sent chunks of partitions that it has not started, when it is canceled while it pays', async () => {
    const chunks = OLD_PARTITION_CHUNKS + 1;
    const { sends, reports, activities } = world({}, restoredSince({ chunks }));
    const sendChunk = async (input: SendChunkInput): Promise<SendStep> => {
      sends.push(input);
      return input.stopped === null ? WAITING : { kind: 'closed' };
    };
    await cancelWhenIn('PAYING', { ...activities, sendChunk });
    const last = { chunk: OLD_PARTITION_CHUNKS, stopped: 'canceled by ann: wrong' };
    expect(sends.filter(({ chunk }) => chunk === OLD_PARTITION_CHUNKS)).toMatchObject([last]);
    expect(reports).toHaveLength(1);
  });
});

it('a batch whose first partition is driven by another run starts the next one as soon as nothing of the first is left to send', async () => {
  const sent: number[] = [];
  const isSecond = (chunk: number): boolean => chunk === OLD_PARTITION_CHUNKS;
  const chunks = OLD_PARTITION_CHUNKS + 1;
  const { activities } = world({ chunks, restored: false }, {});
  const played: World = {
    ...activities,
    checkFunds: async ({ batchId }) => {
      await startFirstPartition(batchId);
      return { kind: 'enough' };
    },
    sendChunk: async ({ chunk }) => {
      sent.push(chunk);
      return { kind: 'created' };
    },
    // Nothing of the first one is settled before the second one was sent.
    sweepChunks: async ({ chunks: asked }) => ({
      settled: new Set(sent).size === chunks ? [...asked] : [],
      moved: [],
      unread: [],
      unsent: [],
    }),
  };
  await playBatch(played, async ({ handle }) => void (await handle.result()));
  expect(sent.filter(isSecond)).toEqual([OLD_PARTITION_CHUNKS]);
  expect(new Set(sent).size).toBe(chunks);
});

it('a batch whose store lacks nothing looks up no chunk when it will not be paid', async () => {
  const { sends, activities } = world({ restored: false }, { checkFunds: async () => SHORT });
  await playBatch(activities, async ({ handle }) => void (await handle.result()), NO_WAIT);
  expect(sends).toEqual([]);
});

it('a batch that had begun to pay is settled, though its fees cannot be quoted now', async () => {
  const begun = { begun: true, restored: false };
  const { sends, activities } = world(begun, { quoteFees: async () => REFUSED });
  await playBatch(activities, async ({ handle }) => void (await handle.result()));
  expect(sends).toMatchObject([{ chunk: 0, stopped: null }]);
});
