import { describe, expect, it } from '@jest/globals';
import type { StoreRef } from '../../src/domain/store/identity.ts';
import { running } from './support/fake-engine.ts';
import type { FakeWorld } from './support/fake-world.ts';
import { inStore } from './support/in-store.ts';
import { payrollWorld } from './support/payroll-world.ts';

const THEIRS: StoreRef = { id: 'theirs', audit: { seq: 7, hash: 'ab' } };
const planned = async (): Promise<void> => undefined;

/** A world whose workers have another store than its commands. */
async function foreignWorld(): Promise<FakeWorld> {
  const made = await payrollWorld(planned);
  made.engine.servedStore = THEIRS;
  return made;
}

describe('where the workers have another store', () => {
  it.each([
    ['submit', ['good.csv', '--id', 'more', '--yes', '--detach', '--accept', 'SAME_FILE_AGAIN']],
    ['recover', ['--yes']],
    ['recover', ['--store', 'older', '--yes']],
    ['schedule', ['create', 'rent', '--cron', '0 9 * * *', '--timezone', 'UTC', '--file', 'x.csv']],
  ])('bursar %s %j starts nothing', async (command, flags) => {
    const made = await foreignWorld();
    made.engine.executions.clear();
    const { code, value } = await made.json(command, ...flags);
    expect([code, value['code']]).toEqual([2, 'STORE_IS_ANOTHER']);
    expect(made.engine.started).toHaveLength(1);
    expect(made.engine.timetables.size).toBe(0);
  });

  it('bursar status shows no facts of a batch that another store has', async () => {
    const made = await foreignWorld();
    made.engine.executions.set('foreign', { ...running('f', 'PAYING'), store: THEIRS });
    const { code, value } = await made.json('status', 'foreign');
    expect([code, value['code']]).toEqual([2, 'STORE_IS_ANOTHER']);
  });

  it('bursar list says so, and lists', async () => {
    const { code, err, out } = await (await foreignWorld()).run('list');
    expect([code, err]).toEqual([0, expect.stringContaining('STORE_IS_ANOTHER')]);
    expect(out).toContain('payroll');
  });

  it('a store that took the place of theirs is theirs', async () => {
    const made = await foreignWorld();
    await inStore(made, ({ identity }) =>
      identity.succeed({ ids: ['theirs'], actor: 'ann', atMs: 1 }),
    );
    expect((await made.json('recover', '--yes')).code).toBe(0);
  });
});

describe('bursar recover --store empty', () => {
  it('refuses a store that has batches of its own', async () => {
    const made = await foreignWorld();
    const { code, value } = await made.json('recover', '--store', 'empty', '--yes');
    expect([code, value['code']]).toEqual([2, 'STORE_NOT_EMPTY']);
    expect(await inStore(made, ({ identity }) => identity.read())).toMatchObject({ succeeds: [] });
  });

  it('takes over what housekeeping and batches name, and begins no batch anew that has ended', async () => {
    const made = await foreignWorld();
    await inStore(made, async ({ db }) => db.deleteFrom('batch').execute());
    const lookup = { operation: 'LOOKUP', lagMs: 5, provenAtMs: 6 } as const;
    made.engine.servedStore = { ...THEIRS, succeeds: ['before'], lookup };
    const earlier = { id: 'earlier', audit: THEIRS.audit };
    made.engine.executions.set('payroll', { ...running(undefined, 'PAYING'), store: earlier });
    const ended = { ...running(undefined, 'COMPLETED'), status: 'COMPLETED', store: THEIRS };
    made.engine.executions.set('ended', ended);
    const { code } = await made.json('recover', '--store', 'empty', '--yes');
    expect(code).toBe(0);
    expect(made.engine.begunAnew).toEqual(['payroll']);
    await inStore(made, async (store) => {
      const { succeeds } = await store.identity.read();
      expect([...succeeds].sort()).toEqual(['before', 'earlier', 'theirs']);
      expect(await store.holds.open('payroll')).toMatchObject([{ kind: 'PAUSE' }]);
      expect(await store.watches.restoredAtMs()).toBeGreaterThan(0);
    });
    expect((await made.json('recover', '--store', 'empty', '--yes')).code).toBe(0);
  });
});

it('without settings of the service no command starts anything', async () => {
  const made = await payrollWorld(planned);
  for (const variable of ['BURSAR_API_BASE_URL', 'BURSAR_API_KEY', 'BURSAR_API_ACCOUNT']) {
    delete (made.world.env as Record<string, string>)[variable];
  }
  for (const args of [
    ['submit', 'good.csv', '--id', 'more', '--yes'],
    ['recover', '--yes'],
  ]) {
    const { code, value } = await made.json(...args);
    expect([code, value['code']]).toEqual([2, 'SETTING_MISSING']);
  }
  expect(made.engine.started).toHaveLength(1);
});
