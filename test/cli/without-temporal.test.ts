import { describe, expect, it } from '@jest/globals';
import type { Patience } from '../../src/operations/engine/connect.ts';
import { HEALTH_CHECKS } from '../../src/store/housekeeping/health-checks.ts';
import type { Store } from '../../src/store/index.ts';
import type { FakeWorld } from './support/fake-world.ts';
import { inStore } from './support/in-store.ts';
import { payrollWorld } from './support/payroll-world.ts';
import { playEnd, playSettle } from './support/play.ts';

const paid = async (store: Store): Promise<void> => {
  await playSettle(store, 'payroll', { outcome: 'PAID' });
  await playEnd(store, 'payroll', { state: 'COMPLETED' });
};

const QUEUE = 'bursar';

/** A world with a paid batch, in which each connection to Temporal is counted. */
async function paidWorld() {
  const made = await payrollWorld(paid);
  const connections: (Patience | undefined)[] = [];
  const { engine } = made.world.open;
  const open = {
    ...made.world.open,
    engine: (...args: Parameters<typeof engine>) => {
      connections.push(args[2]);
      return engine(...args);
    },
  };
  Object.assign(made.world, { open });
  return { ...made, connections };
}

/** A worker of the queue noted so long ago that this is its store. */
const note = (made: FakeWorld, taskQueue: string, ageMs: number): Promise<void> =>
  inStore(made, ({ watches }) =>
    watches.note(HEALTH_CHECKS.served(taskQueue), {
      condition: 'OK',
      atMs: made.world.clock.nowMs() - ageMs,
      detail: '',
    }),
  );

const COMMANDS = [
  ['status', 'payroll'],
  ['rows', 'payroll'],
  ['explain', 'payroll', '2'],
  ['audit', 'payroll'],
];

describe('where a worker noted a moment ago that this is its store', () => {
  it.each(COMMANDS)(
    'bursar %s %s of a batch that ended does not call Temporal',
    async (...args) => {
      const made = await paidWorld();
      await note(made, QUEUE, 60_000);
      made.engine.isDown = true;
      expect((await made.json(...args)).code).toBe(0);
      expect(made.connections).toEqual([]);
    },
  );

  it('bursar pause compares the stores all the same', async () => {
    const made = await paidWorld();
    await note(made, QUEUE, 0);
    made.engine.servedStore = { id: 'theirs', audit: { seq: 7, hash: 'ab' } };
    const { value } = await made.json('pause', 'payroll', '--reason', 'a slip');
    expect(value['code']).toBe('STORE_IS_ANOTHER');
  });
});

describe('bursar status of a batch that ended', () => {
  it.each([
    ['long ago', QUEUE, 121_000],
    ['by a clock that is ahead', QUEUE, -1],
    ['for another queue', 'another', 0],
  ])('compares the stores when the note was made %s', async (_, taskQueue, ageMs) => {
    const made = await paidWorld();
    await note(made, taskQueue, ageMs);
    made.engine.servedStore = { id: 'theirs', audit: { seq: 7, hash: 'ab' } };
    const { code, value } = await made.json('status', 'payroll');
    expect([code, value['code']]).toEqual([2, 'STORE_IS_ANOTHER']);
  });
});

describe('bursar list', () => {
  it('tries Temporal once, and lists the store when that fails', async () => {
    const made = await paidWorld();
    made.engine.isDown = true;
    const { code, out, err } = await made.run('list');
    expect([code, out]).toEqual([0, expect.stringContaining('Completed')]);
    expect(err).toContain('States of open batches are those of the store.');
    expect(made.connections.map((patience) => patience?.connectMs)).toEqual([0]);
  });
});
