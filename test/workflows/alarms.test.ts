import { runSinks } from '../../src/activities/shared/tracing.ts';
import type { Swept } from '../../src/contract/sweep.ts';
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { Client, Connection, type WorkflowHandle } from '@temporalio/client';
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
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

const NOTHING: Swept = { settled: [], moved: [], unread: [], unsent: [] };

/** Runs a partition of two chunks; every sweep says what the test lets it say. */
async function withPartition(
  use: (world: { says: Swept; sweeps: number }, handle: WorkflowHandle) => Promise<void>,
  resume?: PartitionInput['resume'],
  pollMaxMs = 50,
): Promise<void> {
  const { namespace, workflowBundle } = sharedTemporal();
  const taskQueue = randomUUID();
  const world = { says: NOTHING, sweeps: 0 };
  const worker = await Worker.create({
    connection: native,
    namespace,
    taskQueue,
    workflowBundle,
    sinks: runSinks(),
    activities: {
      sendChunk: () => Promise.resolve({ kind: 'created' }),
      sweepChunks: () => {
        world.sweeps += 1;
        return Promise.resolve(world.says);
      },
    },
  });
  const input: PartitionInput = {
    batchId: randomUUID(),
    digest: 'sha256:d',
    partition: 0,
    firstChunk: 0,
    chunkCount: 2,
    canary: false,
    options: { chunksInFlight: 2, pollMinMs: 50, pollMaxMs },
    ...(resume === undefined ? {} : { resume }),
  };
  await worker.runUntil(async () => {
    const client = new Client({ connection, namespace });
    const options = { taskQueue, workflowId: randomUUID(), args: [input] };
    const handle = await client.workflow.start('payoutPartition', options);
    await use(world, handle);
  });
}

const listOf = async (handle: WorkflowHandle): Promise<readonly number[]> =>
  (await handle.query<PartitionStatus>('status')).needsOperator;

const flagOf = async (handle: WorkflowHandle): Promise<unknown> =>
  (await handle.describe()).searchAttributes['BursarNeedsOperator']?.[0];

const untilFlagIs = (handle: WorkflowHandle, value: boolean) =>
  eventually(`the flag is ${value}`, async () =>
    (await flagOf(handle)) === value ? true : undefined,
  );

it('a partition shows that a person should check a mass payout, polls on, and takes it back', () =>
  withPartition(async (world, handle) => {
    world.says = { ...NOTHING, unread: [0, 1], needsOperator: [1] };
    await untilFlagIs(handle, true);
    expect(await listOf(handle)).toEqual([1]);
    const { sweeps } = world;
    await eventually('two more sweeps', () => (world.sweeps > sweeps + 2 ? true : undefined));
    world.says = { ...NOTHING, moved: [1], needsOperator: [] };
    await untilFlagIs(handle, false);
    expect(await listOf(handle)).toEqual([]);
    world.says = { ...NOTHING, settled: [0, 1], needsOperator: [] };
    expect(await handle.result()).toEqual({ settled: 2, notSent: 0 });
  }));

/** The signals of a partition to its batch that its history has. */
async function signalsOf(handle: WorkflowHandle): Promise<number> {
  const { events = [] } = await handle.fetchHistory();
  return (events ?? []).filter((one) => one.signalExternalWorkflowExecutionInitiatedEventAttributes)
    .length;
}

it('a partition shows that a mass payout waits for a confirmation, and signals it to the batch once', () =>
  withPartition(async (world, handle) => {
    type Metadata = Readonly<{ currentDetails?: string }>;
    const untilPage = (what: string, is: boolean) =>
      eventually(what, async () => {
        const { currentDetails = '' } = await handle.query<Metadata>(
          '__temporal_workflow_metadata',
        );
        return currentDetails.includes('to be confirmed in the service') === is ? true : undefined;
      });
    world.says = { ...NOTHING, moved: [0], unconfirmed: [0] };
    await untilPage('the page shows it', true);
    const { sweeps } = world;
    await eventually('more sweeps', () => (world.sweeps > sweeps + 3 ? true : undefined));
    world.says = { ...NOTHING, moved: [0] };
    await untilPage('the page shows it no more', false);
    world.says = { ...NOTHING, settled: [0, 1] };
    await handle.result();
    // One for each change, and one that everything was sent.
    expect(await signalsOf(handle)).toBe(3);
  }));

it('a service that is down for days adds nothing to the history of a partition but its sweeps', () =>
  withPartition(async (world, handle) => {
    world.says = { ...NOTHING, unread: [0, 1], needsOperator: [0] };
    await untilFlagIs(handle, true);
    world.says = { ...NOTHING, unread: [0, 1], needsOperator: [0, 1] };
    const { sweeps } = world;
    await eventually('more sweeps', () => (world.sweeps > sweeps + 5 ? true : undefined));
    world.says = { ...NOTHING, settled: [0, 1], needsOperator: [] };
    await handle.result();
    const { events = [] } = await handle.fetchHistory();
    const shown = events?.filter((one) => one.upsertWorkflowSearchAttributesEventAttributes);
    expect(shown).toHaveLength(2);
  }));

it('the next run of a partition takes back a flag that holds no more', () =>
  withPartition(
    async (world, handle) => {
      await untilFlagIs(handle, false);
      world.says = { ...NOTHING, settled: [0, 1], needsOperator: [] };
      await handle.result();
    },
    {
      pending: [],
      open: [0, 1],
      settled: 0,
      notSent: 0,
      forgotten: [],
      stopped: null,
      operatorShown: true,
    },
  ));

it('the sweep of an older worker without operator cases is taken as it is', () =>
  withPartition(async (world, handle) => {
    world.says = { ...NOTHING, settled: [0, 1] };
    expect(await handle.result()).toEqual({ settled: 2, notSent: 0 });
    expect(await flagOf(handle)).toBeUndefined();
  }));

it('a partition polls as often as it may while webhooks do not come', () =>
  withPartition(
    async (world, handle) => {
      world.says = { ...NOTHING, webhooksDown: true };
      // Waits that double each time would take longer than any test before there were so many.
      await eventually('many sweeps', () => (world.sweeps > 20 ? true : undefined));
      world.says = { ...NOTHING, settled: [0, 1] };
      await handle.result();
    },
    undefined,
    3_600_000,
  ));
