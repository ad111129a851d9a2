import { describe, expect, it } from '@jest/globals';
import type { StoreRef } from '../../src/domain/store/identity.ts';
import { running } from './support/fake-engine.ts';
import type { FakeWorld } from './support/fake-world.ts';
import { inStore } from './support/in-store.ts';
import { payrollWorld } from './support/payroll-world.ts';
import { writableDb } from '../../src/store/database/writable.ts';

const THEIRS: StoreRef = { id: 'theirs', audit: { seq: 7, hash: 'ab' } };
const planned = async (): Promise<void> => undefined;

/** A world whose workers have another store than its commands. */
async function foreignWorld(): Promise<FakeWorld> {
  const made = await payrollWorld(planned);
  made.engine.servedStore = THEIRS;
  return made;
}

/** A foreign world whose own store has no batch. */
async function emptyWorld(): Promise<FakeWorld> {
  const made = await foreignWorld();
  await inStore(made, async (store) => writableDb(store).deleteFrom('batch').execute());
  made.engine.executions.clear();
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
    made.engine.executions.set('foreign', { ...running('f', 'PAYING'), store: THEIRS });
    const { code, value } = await made.json(command, ...flags);
    expect([code, value['code']]).toEqual([2, 'STORE_IS_ANOTHER']);
    expect(made.engine.started).toHaveLength(1);
    expect(made.engine.timetables.size).toBe(0);
  });

  it.each([
    ['pause', 'payroll', '--reason', 'a slip'],
    ['cancel', 'payroll', '--reason', 'a slip'],
    ['resume', 'payroll', '--reason', 'a slip'],
    ['inbox'],
    ['funds'],
    ['rows', 'payroll'],
    ['explain', 'payroll', '1'],
    ['find', 'alice'],
    ['audit'],
    ['report', 'payroll'],
    ['reconcile', 'payroll'],
    ['resend', 'payroll'],
    ['verify', 'payroll'],
    ['status', 'payroll'],
    ['watch', 'payroll'],
    ['schedule', 'list'],
    ['webhooks', 'status'],
  ])('bursar %s %s answers nothing', async (...args) => {
    const made = await foreignWorld();
    const { code, value } = await made.json(...args);
    expect([code, value['code']]).toEqual([2, 'STORE_IS_ANOTHER']);
    expect(made.engine.updates).toEqual([]);
    expect(await inStore(made, ({ holds }) => holds.open('payroll'))).toEqual([]);
  });

  it.each(['pause', 'cancel'])(
    'bursar %s does nothing to a batch of another store, also while no housekeeping names one',
    async (command) => {
      const made = await foreignWorld();
      made.engine.servedStore = undefined;
      made.engine.executions.set('foreign', { ...running('f', 'PAYING'), store: THEIRS });
      const { code, value } = await made.json(command, 'foreign', '--reason', 'a slip');
      expect([code, value['code']]).toEqual([2, 'STORE_IS_ANOTHER']);
      expect(made.engine.updates).toEqual([]);
    },
  );

  it('commands on the store alone go on while Temporal does not answer', async () => {
    const made = await foreignWorld();
    made.engine.isDown = true;
    expect((await made.json('rows', 'payroll')).code).toBe(0);
  });

  it('bursar verify does not call a batch sound that the store does not have', async () => {
    const made = await payrollWorld(planned);
    await inStore(made, ({ holds }) =>
      holds.put('another', { kind: 'PAUSE', reason: 'a slip', by: 'ann', facts: {} }, 1),
    );
    const { code, value } = await made.json('verify', 'another');
    expect([code, value['code']]).toEqual([5, 'BATCH_NOT_FOUND']);
  });

  it('bursar status shows no facts of a batch that another store has', async () => {
    const made = await foreignWorld();
    made.engine.executions.set('foreign', { ...running('f', 'PAYING'), store: THEIRS });
    const { code, value } = await made.json('status', 'foreign');
    expect([code, value['code']]).toEqual([2, 'STORE_IS_ANOTHER']);
  });

  it('bursar list warns of it, and lists', async () => {
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

describe('where a store was the first on the queue by mistake', () => {
  it('bursar recover names the right store, once no worker has the other one', async () => {
    const made = await foreignWorld();
    made.engine.storesSeen = ['theirs'];
    const early = await made.json('recover', '--yes');
    expect([early.code, early.value['code']]).toEqual([2, 'STORE_AT_WORK']);
    made.engine.storesSeen = [];
    const dry = await made.json('recover', '--yes', '--dry-run');
    expect([dry.code, dry.value['claimed']]).toEqual([0, false]);
    expect(made.engine.servedStore).toEqual(THEIRS);
    const { code, value } = await made.json('recover', '--yes');
    expect([code, value['claimed']]).toEqual([0, true]);
    await inStore(made, async (store) => {
      const { id } = await store.identity.read();
      expect(made.engine.servedStore?.id).toBe(id);
      const audit = await store.audit.list({ limit: 10 });
      expect(audit).toContainEqual(
        expect.objectContaining({
          action: 'store-serves',
          detail: { store: id, instead: 'theirs' },
        }),
      );
    });
    expect((await made.json('rows', 'payroll')).code).toBe(0);
  });

  it('it gives way neither while a batch is open that it began, nor after it took the place of this one', async () => {
    const made = await foreignWorld();
    made.engine.executions.set('foreign', { ...running('f', 'PAYING'), store: THEIRS });
    expect((await made.json('recover', '--yes')).value['code']).toBe('STORE_IS_ANOTHER');
    made.engine.executions.delete('foreign');
    const { id } = await inStore(made, ({ identity }) => identity.read());
    made.engine.servedStore = { ...THEIRS, succeeds: [id] };
    expect((await made.json('recover', '--yes')).value['code']).toBe('STORE_IS_ANOTHER');
    expect(made.engine.servedStore.id).toBe('theirs');
  });
});

describe('bursar recover --store empty', () => {
  it('takes no place while a worker has the store', async () => {
    const made = await emptyWorld();
    made.engine.storesSeen = ['theirs'];
    const { code, value } = await made.json('recover', '--store', 'empty', '--yes');
    expect([code, value['code']]).toEqual([2, 'STORE_AT_WORK']);
    expect(await inStore(made, ({ identity }) => identity.read())).toMatchObject({ succeeds: [] });
  });

  it('takes no place when no batch goes on, and reports that', async () => {
    const made = await emptyWorld();
    made.engine.executions.set('foreign', { ...running('f0', 'PAYING'), store: THEIRS });
    const { code, out } = await made.run('recover', '--store', 'empty', '--yes');
    expect([code, out]).toEqual([14, expect.stringContaining('This command replaced no store')]);
    await inStore(made, async ({ identity, restores }) => {
      expect(await identity.read()).toMatchObject({ succeeds: [] });
      expect(await restores.lastAtMs()).toBeUndefined();
    });
  });

  it('reports that it took the place where only some batches go on', async () => {
    const made = await emptyWorld();
    made.engine.executions.set('foreign', { ...running('f0', 'PAYING'), store: THEIRS });
    made.engine.executions.set('other', { ...running(undefined, 'PAYING'), store: THEIRS });
    const { code, out } = await made.run('recover', '--store', 'empty', '--yes');
    expect([code, out]).toEqual([14, expect.stringContaining('replaces the lost one')]);
  });

  it('refuses a store that has batches of its own', async () => {
    const made = await foreignWorld();
    const { code, value } = await made.json('recover', '--store', 'empty', '--yes');
    expect([code, value['code']]).toEqual([2, 'STORE_NOT_EMPTY']);
    expect(await inStore(made, ({ identity }) => identity.read())).toMatchObject({ succeeds: [] });
  });

  it('takes over the schedules and batches of housekeeping, and restarts no ended batch', async () => {
    const made = await foreignWorld();
    await inStore(made, async (store) => writableDb(store).deleteFrom('batch').execute());
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
      expect(await store.restores.lastAtMs()).toBeGreaterThan(0);
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
