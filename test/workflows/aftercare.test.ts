import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { Client, Connection, type WorkflowHandle } from '@temporalio/client';
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { runSinks } from '../../src/activities/shared/tracing.ts';
import type { Followed, FollowInput } from '../../src/contract/activities.ts';
import type { AftercareInput, Refreshed } from '../../src/contract/aftercare.ts';
import { SIGNAL_HINT, UPDATE_REFRESH, WORKFLOW_AFTERCARE } from '../../src/contract/names.ts';
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

const QUIET: Followed = {
  following: 1,
  changedRows: 0,
  unread: 0,
  paidTwice: 0,
  next: null,
  version: 1,
  firstMs: HOUR_MS,
  untilMs: Number.MAX_SAFE_INTEGER,
};

type World = {
  /** What each look tells; the last one stays. */
  tells: Followed[];
  readonly looks: FollowInput[];
  /** Looks that are under way, and the most that ever were. */
  underWay: number;
  underWayMax: number;
};

/** Runs the aftercare of a batch; every look says what the test lets it say. */
async function withAftercare(
  more: Partial<AftercareInput>,
  use: (world: World, handle: WorkflowHandle) => Promise<void>,
): Promise<void> {
  const { namespace, workflowBundle } = sharedTemporal();
  const taskQueue = randomUUID();
  const world: World = { tells: [QUIET], looks: [], underWay: 0, underWayMax: 0 };
  const worker = await Worker.create({
    connection: native,
    namespace,
    taskQueue,
    workflowBundle,
    sinks: runSinks(),
    activities: {
      async followEnds(input: FollowInput): Promise<Followed> {
        world.looks.push(input);
        world.underWay += 1;
        world.underWayMax = Math.max(world.underWayMax, world.underWay);
        await new Promise((resolve) => setImmediate(resolve));
        world.underWay -= 1;
        return (world.tells.length > 1 ? world.tells.shift() : world.tells[0]) ?? QUIET;
      },
    },
  });
  const input: AftercareInput = { batchId: randomUUID(), delayMs: HOUR_MS, ...more };
  await worker.runUntil(async () => {
    const client = new Client({ connection, namespace });
    const options = { taskQueue, workflowId: randomUUID(), args: [input] };
    const handle = await client.workflow.start(WORKFLOW_AFTERCARE, options);
    await use(world, handle);
    await handle.terminate('the test is over').catch(() => undefined);
  });
}

const looked = (world: World, count: number) =>
  eventually(`${count} looks`, () => (world.looks.length >= count ? true : undefined));

const OVER: Followed = { ...QUIET, following: 0, changedRows: 1, version: 2 };

it('an aftercare reads all ends at its due time, and ends when nothing can change any more', () =>
  withAftercare({ delayMs: 1 }, async (world, handle) => {
    world.tells = [OVER];
    await handle.result();
    expect(world.looks).toMatchObject([{ chunks: null, after: null }]);
  }));

it('it reads the chunks that a webhook named at once; hints that come together are one read', () =>
  withAftercare({}, async (world, handle) => {
    await handle.signal(SIGNAL_HINT, { chunks: [3] });
    await handle.signal(SIGNAL_HINT, { chunks: [4, 3] });
    await looked(world, 1);
    expect(world.looks).toMatchObject([{ chunks: [3, 4] }]);
    world.tells = [OVER];
    await handle.signal(SIGNAL_HINT, { chunks: [5] });
    await handle.result();
    expect(world.looks).toHaveLength(2);
  }));

it('it reads again soon after a change', () =>
  withAftercare({}, async (world, handle) => {
    world.tells = [{ ...QUIET, changedRows: 2, firstMs: 50 }, OVER];
    await handle.signal(SIGNAL_HINT, { chunks: [0] });
    await handle.result();
    expect(world.looks.map(({ chunks }) => chunks)).toEqual([[0], null]);
  }));

it('it reads on demand, returns the changes, and does not read twice at once', () =>
  withAftercare({}, async (world, handle) => {
    world.tells = [{ ...QUIET, changedRows: 1, unread: 2, version: 7 }];
    const ask = () => handle.executeUpdate<Refreshed, []>(UPDATE_REFRESH);
    const told = await Promise.all([ask(), ask(), ask()]);
    expect(told[0]).toMatchObject({ changedRows: 1, unread: 2, version: 7 });
    expect(world.looks).toHaveLength(3);
    expect(world.underWayMax).toBe(1);
  }));

it('it ends after a demanded read when there is nothing to follow', () =>
  withAftercare({}, async (world, handle) => {
    world.tells = [{ ...OVER, changedRows: 0 }];
    await handle.executeUpdate(UPDATE_REFRESH);
    await handle.result();
  }));

it('it continues where one read had to stop, and adds up both results', () =>
  withAftercare({}, async (world, handle) => {
    world.tells = [
      { ...QUIET, changedRows: 1, unread: 1, next: 41 },
      { ...OVER, changedRows: 2 },
    ];
    const told = await handle.executeUpdate<Refreshed, []>(UPDATE_REFRESH);
    expect(told).toMatchObject({ changedRows: 3, unread: 1 });
    expect(world.looks.map(({ after }) => after)).toEqual([null, 41]);
  }));

it('ends when the batch was followed for long enough', () =>
  withAftercare({ delayMs: 1 }, async (world, handle) => {
    world.tells = [{ ...QUIET, untilMs: 0 }];
    await handle.result();
    expect(world.looks).toHaveLength(1);
  }));

it('starts with the hints of the run before', () =>
  withAftercare({ hints: [9] }, async (world) => {
    await looked(world, 1);
    expect(world.looks).toMatchObject([{ chunks: [9] }]);
  }));

it.each([
  [1, true],
  [0, false],
])(
  'shows that an operator is needed when %i rows may have been paid twice: %s',
  (paidTwice, shown) =>
    withAftercare({}, async (world, handle) => {
      world.tells = [{ ...QUIET, paidTwice }];
      await handle.executeUpdate(UPDATE_REFRESH);
      const { searchAttributes } = await handle.describe();
      expect(searchAttributes['BursarNeedsOperator']).toEqual([shown]);
    }),
);
