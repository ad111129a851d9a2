import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Client, Connection, WorkflowFailedError, type WorkflowHandle } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { runSinks } from '../../src/activities/shared/tracing.ts';
import type { ReportActivities } from '../../src/contract/activities.ts';
import type { BatchInput, BatchResult } from '../../src/contract/batch.ts';
import type {
  Claim,
  EndRunInput,
  ScheduleActivities,
  ScheduledBatchInput,
  ScheduledResult,
} from '../../src/contract/schedule.ts';
import { noteOf } from '../../src/domain/errors/bursar-error.ts';
import { eventually } from '../support/eventually.ts';
import { definition } from '../support/schedule-definitions.ts';
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

const MISSING = noteOf('SCHEDULE_FILE_MISSING', {
  scheduleId: 'rent',
  nominal: 'a',
  file: 'a.csv',
  folder: '/in',
});

const claimed = (nominal: string, latestStart: string | null = null): Claim => ({
  kind: 'claimed',
  nominal,
  dueAt: '2026-05-04T09:00:00.000Z',
  latestStart,
});

const RESULT: BatchResult = {
  state: 'COMPLETED',
  digest: null,
  amounts: [],
  reportUrl: null,
  rows: { total: 0, paid: 0, failed: 0, unknown: 0, notSent: 0, inFlight: 0 },
  error: null,
};
const EMPTY = noteOf('FILE_EMPTY', { file: 'a.csv' });

type World = {
  readonly prefix: string;
  readonly client: Client;
  readonly handle: WorkflowHandle;
  readonly ended: EndRunInput[];
  /** Lets the batches that wait read their files, which end them. */
  release: () => void;
};

const never = () => Promise.reject(new Error('not expected in this test'));

/** Runs a scheduled workflow whose batches wait for their release and then end. */
async function withRun(
  more: (prefix: string) => Partial<ScheduleActivities & ReportActivities>,
  use: (world: World) => Promise<void>,
): Promise<void> {
  const { namespace, workflowBundle } = sharedTemporal();
  const taskQueue = randomUUID();
  const prefix = `run-${taskQueue.slice(0, 8)}`;
  const ended: EndRunInput[] = [];
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const worker = await Worker.create({
    connection: native,
    namespace,
    taskQueue,
    workflowBundle,
    sinks: runSinks(),
    activities: {
      claimRuns: never,
      findBatch: never,
      listRuns: () => Promise.resolve(),
      takeFile: ({ nominal }: { nominal: string }) =>
        Promise.resolve({ kind: 'taken', batch: batch(`${prefix}-${nominal}`), begun: false }),
      endRun: async (end: EndRunInput) => {
        ended.push(end);
        return 'error' in end ? end.error : null;
      },
      reportBatch: () => Promise.resolve(RESULT),
      ...more(prefix),
      ingestFile: async () => {
        await released;
        return { kind: 'refused', error: EMPTY };
      },
      noteCancel: () => Promise.resolve(),
      tell: () => Promise.resolve(),
      endsToFollow: () => Promise.resolve([]),
    },
  });
  await worker.runUntil(async () => {
    const client = new Client({ connection, namespace });
    const input: ScheduledBatchInput = { scheduleId: 'rent', demand: null };
    const options = { taskQueue, workflowId: `schedule/${prefix}`, args: [input] };
    const handle = await client.workflow.start('scheduledBatch', options);
    await use({ prefix, client, handle, ended, release });
  });
}

const batch = (batchId: string): BatchInput => ({
  batchId,
  accountRef: 'main',
  file: { name: 'a.csv', sha256: 'abc' },
  options: definition().options,
  submittedBy: 'alice',
  submittedAt: '2026-05-04T09:00:00.000Z',
  generation: 0,
  parentBatchId: null,
});

const claims = (...list: Claim[]): Pick<ScheduleActivities, 'claimRuns'> => ({
  claimRuns: () => Promise.resolve({ kind: 'claims', claims: list }),
});

const batchIsOpen = ({ client }: World, batchId: string) =>
  eventually(`batch ${batchId} runs`, () =>
    client.workflow
      .getHandle(`batch/${batchId}`)
      .describe()
      .catch(() => undefined),
  );

/** How a workflow failed: code and sentence. */
async function failureOf({ handle }: World): Promise<readonly [string, string]> {
  const error: unknown = await handle.result().catch((thrown: unknown) => thrown);
  if (!(error instanceof WorkflowFailedError)) throw new Error(`it did not fail: ${String(error)}`);
  const { cause } = error;
  if (!(cause instanceof ApplicationFailure)) throw new Error(String(cause));
  return [cause.type ?? '', cause.message];
}

describe('the workflow of a run', () => {
  it('starts its batches and follows them to their ends', () =>
    withRun(
      () => claims(claimed('a'), claimed('b')),
      async (world) => {
        const { prefix, ended, release, handle } = world;
        for (const name of ['a', 'b']) {
          const { memo, raw } = await batchIsOpen(world, `${prefix}-${name}`);
          expect(memo).toEqual({ fileSha256: 'abc' });
          expect(raw.workflowExecutionInfo?.parentExecution?.workflowId).toBe(`schedule/${prefix}`);
        }
        expect(ended).toEqual([]);
        release();
        const { runs } = (await handle.result()) as ScheduledResult;
        expect(runs.map(({ nominal, batchId, state }) => [nominal, batchId, state])).toEqual([
          ['a', `${prefix}-a`, 'COMPLETED'],
          ['b', `${prefix}-b`, 'COMPLETED'],
        ]);
        expect(ended.map(({ kind, nominal }) => `${kind} ${nominal}`).sort()).toEqual([
          'ended a',
          'ended b',
        ]);
      },
    ));

  it('fails visibly when there is no file', () =>
    withRun(
      () => ({
        ...claims(claimed('a')),
        takeFile: () => Promise.resolve({ kind: 'refused', error: MISSING }),
      }),
      async (world) => {
        expect(await failureOf(world)).toEqual(['SCHEDULE_FILE_MISSING', MISSING.what]);
        expect(world.ended).toEqual([
          { kind: 'failed', scheduleId: 'rent', nominal: 'a', error: MISSING },
        ]);
      },
    ));

  it('fails when its batch is rejected', () => {
    const rejected: BatchResult = { ...RESULT, state: 'REJECTED', error: EMPTY };
    const noteFor = (batchId: string) =>
      noteOf('SCHEDULE_BATCH_REJECTED', {
        scheduleId: 'rent',
        nominal: 'a',
        batchId,
        problem: EMPTY.what,
        mayRepeat: true,
      });
    const ended: EndRunInput[] = [];
    return withRun(
      (prefix) => ({
        ...claims(claimed('a')),
        reportBatch: () => Promise.resolve(rejected),
        endRun: async (end: EndRunInput) => {
          ended.push(end);
          return noteFor(`${prefix}-a`);
        },
      }),
      async (world) => {
        const batchId = `${world.prefix}-a`;
        world.release();
        expect(await failureOf(world)).toEqual(['SCHEDULE_BATCH_REJECTED', noteFor(batchId).what]);
        const run = { scheduleId: 'rent', nominal: 'a' };
        expect(ended).toEqual([{ ...run, kind: 'rejected', batchId, problem: EMPTY.what }]);
      },
    );
  });

  it('fails when its run does not exist', () =>
    withRun(
      () => ({
        claimRuns: () =>
          Promise.resolve({
            kind: 'refused',
            error: noteOf('SCHEDULE_RUN_UNKNOWN', { scheduleId: 'rent', time: 'x' }),
          }),
      }),
      async (world) => {
        expect((await failureOf(world))[0]).toBe('SCHEDULE_RUN_UNKNOWN');
        expect(world.ended).toEqual([]);
      },
    ));

  it('fails when its run is missed, and carries out the others of its moment', () => {
    const reason = 'late';
    const error = noteOf('SCHEDULE_RUN_MISSED', { scheduleId: 'rent', nominal: 'a', reason });
    const missed: Claim = { kind: 'missed', nominal: 'a', dueAt: 'x', error };
    return withRun(
      () => claims(missed, claimed('b')),
      async (world) => {
        world.release();
        expect((await failureOf(world))[0]).toBe('SCHEDULE_RUN_MISSED');
        expect(world.ended.map(({ kind, nominal }) => [kind, nominal])).toEqual([['ended', 'b']]);
      },
    );
  });

  it('ends quietly when another workflow has its run', () =>
    withRun(
      () => claims({ kind: 'left', nominal: 'a', dueAt: 'x', why: 'it is ENDED already' }),
      async ({ handle, ended }) => {
        const { runs } = (await handle.result()) as ScheduledResult;
        expect(runs).toMatchObject([{ state: 'LEFT', batchId: null, note: 'it is ENDED already' }]);
        expect(ended).toEqual([]);
      },
    ));

  it('fails when another person began its run first', () => {
    const run = { scheduleId: 'rent', nominal: 'a' };
    const error = noteOf('SCHEDULE_RUN_TAKEN', { ...run, state: 'ENDED', batchId: null });
    return withRun(
      () => claims({ kind: 'left', nominal: 'a', dueAt: 'x', why: 'it is ENDED already', error }),
      async (world) => {
        expect(await failureOf(world)).toEqual(['SCHEDULE_RUN_TAKEN', error.what]);
        expect(world.ended).toEqual([]);
      },
    );
  });

  it('starts no batch when its file came too late', () =>
    withRun(
      () => claims(claimed('a', '2026-05-04T09:10:00.000Z')),
      async (world) => {
        expect((await failureOf(world))[0]).toBe('SCHEDULE_RUN_MISSED');
        expect(world.ended).toMatchObject([{ kind: 'failed', nominal: 'a' }]);
        const child = world.client.workflow.getHandle(`batch/${world.prefix}-a`);
        await expect(child.describe()).rejects.toThrow(/not found/i);
      },
    ));

  it('that was reset goes on with a batch that is under way, however late it is', () =>
    withRun(
      (prefix) => ({
        ...claims(claimed('a', '2026-05-04T09:10:00.000Z')),
        takeFile: async () => {
          await startBatch(prefix);
          return { kind: 'taken', batch: batch(`${prefix}-a`), begun: true };
        },
        findBatch: () => Promise.resolve({ kind: 'ended', state: 'COMPLETED', error: null }),
      }),
      async ({ handle, ended, client, prefix }) => {
        await handle.result();
        expect(ended).toMatchObject([{ kind: 'ended', state: 'COMPLETED' }]);
        await client.workflow.getHandle(`batch/${prefix}-a`).terminate();
      },
    ));

  it.each([
    ['other', 'BATCH_ID_TAKEN', 'failed'],
    ['ended', undefined, 'ended'],
  ] as const)('finds the id of its batch in use (%s)', (kind, code, end) =>
    withRun(
      (prefix) => ({
        claimRuns: async () => {
          // A batch of that id that this workflow did not start.
          await startBatch(prefix);
          return { kind: 'claims', claims: [claimed('a')] };
        },
        findBatch: () =>
          Promise.resolve(
            kind === 'other' ? { kind } : { kind, state: 'COMPLETED' as const, error: null },
          ),
      }),
      async (world) => {
        if (code === undefined) await world.handle.result();
        else expect((await failureOf(world))[0]).toBe(code);
        expect(world.ended).toMatchObject([{ kind: end, nominal: 'a' }]);
        await world.client.workflow.getHandle(`batch/${world.prefix}-a`).terminate();
      },
    ),
  );

  const startBatch = async (prefix: string): Promise<void> => {
    const client = new Client({ connection, namespace: sharedTemporal().namespace });
    const args = [batch(`${prefix}-a`)];
    const options = { taskQueue: 'nobody', workflowId: `batch/${prefix}-a`, args };
    await client.workflow.start('payoutBatch', options);
  };

  it('cancels its batch, in order, when it is canceled in Temporal', () =>
    withRun(
      () => claims(claimed('a')),
      async (world) => {
        await batchIsOpen(world, `${world.prefix}-a`);
        await world.handle.cancel();
        const child = world.client.workflow.getHandle(`batch/${world.prefix}-a`);
        await eventually('the batch is told', async () => {
          const { canceledBy } = await child.query<{ canceledBy: string | null }>('status');
          return canceledBy === 'Temporal' ? true : undefined;
        });
        world.release();
        await world.handle.result();
        expect(world.ended).toMatchObject([{ kind: 'ended', nominal: 'a', state: 'COMPLETED' }]);
      },
    ));

  it('reports that its batch was terminated, and frees nothing', () =>
    withRun(
      () => claims(claimed('a')),
      async (world) => {
        await batchIsOpen(world, `${world.prefix}-a`);
        await world.client.workflow.getHandle(`batch/${world.prefix}-a`).terminate();
        expect((await failureOf(world))[0]).toBe('BATCH_NOT_FOLLOWED');
        expect(world.ended).toMatchObject([{ kind: 'lost', batchId: `${world.prefix}-a` }]);
        world.release();
      },
    ));

  it('does not fail because the list of runs could not be made longer', () =>
    withRun(
      () => ({
        ...claims(claimed('a')),
        listRuns: () => Promise.reject(ApplicationFailure.nonRetryable('no Temporal')),
      }),
      async (world) => {
        world.release();
        await world.handle.result();
        expect(world.ended).toHaveLength(1);
      },
    ));

  it('leaves its batch running when it is terminated', () =>
    withRun(
      () => claims(claimed('a')),
      async (world) => {
        await batchIsOpen(world, `${world.prefix}-a`);
        await world.handle.terminate();
        world.release();
        const child = world.client.workflow.getHandle(`batch/${world.prefix}-a`);
        expect(await child.result()).toMatchObject({ state: 'COMPLETED' });
      },
    ));
});
