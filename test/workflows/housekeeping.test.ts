import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { Client, Connection, type WorkflowHandle } from '@temporalio/client';
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { runSinks } from '../../src/activities/shared/tracing.ts';
import type { HousekeepingInput, HousekeepingReport } from '../../src/contract/housekeeping.ts';
import type { StoreRef } from '../../src/domain/store/identity.ts';
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

type World = {
  rounds: number;
  everyMs: number;
  ends: () => Promise<void>;
  store?: (round: number) => StoreRef;
};

/** Runs housekeeping; its rounds are counted, and go as the test lets them go. */
async function withHousekeeping(
  world: World,
  use: (handle: WorkflowHandle) => Promise<void>,
  input: HousekeepingInput = {},
): Promise<void> {
  const { namespace, workflowBundle } = sharedTemporal();
  const taskQueue = randomUUID();
  const worker = await Worker.create({
    connection: native,
    namespace,
    taskQueue,
    workflowBundle,
    sinks: runSinks(),
    activities: {
      watchRound: async (): Promise<HousekeepingReport> => {
        world.rounds += 1;
        await world.ends();
        const { rounds, everyMs } = world;
        return {
          at: 'now',
          everyMs,
          rounds: [{ name: 'r', ok: true, says: `round ${rounds}` }],
          ...(world.store === undefined ? {} : { store: world.store(rounds) }),
        };
      },
    },
  });
  await worker.runUntil(async () => {
    const client = new Client({ connection, namespace });
    const handle = await client.workflow.start('housekeeping', {
      taskQueue,
      workflowId: `${taskQueue}/housekeeping`,
      args: [input],
    });
    try {
      await use(handle);
    } finally {
      await handle.terminate('the test is over');
    }
  });
}

async function detailsOf(handle: WorkflowHandle): Promise<string> {
  type Metadata = { currentDetails?: string };
  const metadata = await handle.query<Metadata>('__temporal_workflow_metadata');
  return metadata.currentDetails ?? '';
}

const untilRounds = (world: World, rounds: number) =>
  eventually(`${rounds} rounds`, () => (world.rounds >= rounds ? true : undefined));

it("housekeeping runs its tasks at the worker's interval, and shows the last results", async () => {
  const world = { rounds: 0, everyMs: 20, ends: () => Promise.resolve() };
  await withHousekeeping(world, async (handle) => {
    await untilRounds(world, 5);
    world.everyMs = 3_600_000;
    const shown = await eventually('the details stand still', async () => {
      const details = await detailsOf(handle);
      return details.includes(`round ${world.rounds} `) ? details : undefined;
    });
    expect(shown).toContain('last run of all tasks');
  });
});

it('housekeeping runs a round at once when it is called', async () => {
  const world = { rounds: 0, everyMs: 3_600_000, ends: () => Promise.resolve() };
  await withHousekeeping(world, async (handle) => {
    await untilRounds(world, 1);
    await handle.signal('watchNow');
    await untilRounds(world, 2);
  });
});

it('a call that comes within a round is followed by a round of its own', async () => {
  let end: () => void = () => undefined;
  const world = {
    rounds: 0,
    everyMs: 3_600_000,
    ends: () => new Promise<void>((resolve) => void (end = resolve)),
  };
  await withHousekeeping(world, async (handle) => {
    await untilRounds(world, 1);
    await handle.signal('watchNow');
    end();
    await untilRounds(world, 2);
    end();
  });
});

it('rounds that fail are shown, and do not end housekeeping', async () => {
  const world: World = {
    rounds: 0,
    everyMs: 20,
    ends: () => Promise.reject(new Error('no store')),
  };
  await withHousekeeping(world, async (handle) => {
    await eventually('the failure is shown', async () =>
      /could not be run.*: no store/.test(await detailsOf(handle)) ? true : undefined,
    );
    expect((await handle.describe()).status.name).toBe('RUNNING');
    world.ends = () => Promise.resolve();
    await handle.signal('watchNow');
    await eventually('a round is shown', async () =>
      (await detailsOf(handle)).includes('last run of all tasks') ? true : undefined,
    );
  });
});

it('housekeeping goes on in a new run before its history grows long', async () => {
  const world = { rounds: 0, everyMs: 50, ends: () => Promise.resolve() };
  const use = async (handle: WorkflowHandle): Promise<void> => {
    const { runId } = await handle.describe();
    await eventually('a new run', async () =>
      (await handle.describe()).runId === runId ? undefined : true,
    );
    await untilRounds(world, world.rounds + 4);
  };
  await withHousekeeping(world, use, { roundsMax: 3 });
});

it('the store that housekeeping names never goes back, over any number of runs, until a restore is declared', async () => {
  const refOf = (seq: number, epoch?: number): StoreRef => ({
    id: 'ours',
    audit: { seq, hash: `h${seq}` },
    ...(epoch === undefined ? {} : { epoch }),
  });
  let isDeclared = false;
  const world: World = {
    rounds: 0,
    everyMs: 20,
    ends: () => Promise.resolve(),
    store: (round) => (round === 1 ? refOf(9) : refOf(5, isDeclared ? 1 : undefined)),
  };
  const named = async (handle: WorkflowHandle) => (await handle.describe()).memo?.['store'];
  await withHousekeeping(
    world,
    async (handle) => {
      await untilRounds(world, 6);
      expect(await named(handle)).toEqual(refOf(9));
      isDeclared = true;
      await eventually('the declared copy is named', async () =>
        JSON.stringify(await named(handle)) === JSON.stringify(refOf(5, 1)) ? true : undefined,
      );
    },
    { roundsMax: 2 },
  );
});
