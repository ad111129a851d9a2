import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { Store } from '../../src/store/index.ts';
import { createSchedule, definition } from '../support/schedule-definitions.ts';
import { running } from './support/fake-engine.ts';
import type { FakeWorld } from './support/fake-world.ts';
import { payrollWorld } from './support/payroll-world.ts';
import { playDoubt, playEnd, playSettle } from './support/play.ts';
import { inStore } from './support/in-store.ts';
import { writableDb } from '../../src/store/database/writable.ts';

const planned = async (): Promise<void> => undefined;
const doubtful = (store: Store) => playDoubt(store, 'payroll');
const TOTAL = '60.5:USDT_TRC20';

/** A world whose Temporal has forgotten the batch payroll. */
async function forgotten(went: (store: Store) => Promise<void> = planned): Promise<FakeWorld> {
  const made = await payrollWorld(went);
  made.engine.executions.clear();
  return made;
}

/** A world in which the workflow of payroll has closed. */
async function closed(status: string, went = doubtful): Promise<FakeWorld> {
  const made = await payrollWorld(went);
  made.engine.executions.set('payroll', { ...running(undefined, 'PAYING'), status });
  return made;
}

describe('bursar recover', () => {
  it('starts a batch that Temporal forgot with the input of its submit', async () => {
    const made = await forgotten();
    const { code, value } = await made.json('recover', '--confirm', TOTAL);
    expect(code).toBe(0);
    expect(value).toMatchObject({
      schema: 'bursar.recovery/v1',
      store: 'current',
      dryRun: false,
      toPay: [{ currency: 'USDT_TRC20', total: '60.5' }],
    });
    const [input, again] = made.engine.started;
    // The store goes on: the end of its log is another one now.
    expect(again).toEqual({ ...input, store: { ...input?.store, audit: expect.anything() } });
  });

  it('prints the state of a batch, and changes nothing with --dry-run', async () => {
    const made = await forgotten(async (store) => {
      await doubtful(store);
      const hold = { kind: 'PAUSE', reason: 'wait', by: 'bob', facts: {} } as const;
      await store.holds.put('payroll', hold, 1);
    });
    const { value } = await made.json('recover', '--dry-run');
    expect(value['batches']).toEqual([
      {
        batchId: 'payroll',
        found: 'FORGOTTEN',
        action: 'START',
        needs: null,
        done: false,
        state: 'PAYING',
        file: 'good.csv',
        rows: 3,
        parentBatchId: null,
        at: null,
        chunks: { total: 1, created: 0, inDoubt: 1, unsent: 0 },
        toPay: [{ currency: 'USDT_TRC20', total: '60.5' }],
        canceledBy: null,
        holds: ['PAUSE'],
      },
    ]);
    expect(made.engine.executions.size).toBe(0);
    const { out } = await made.run('recover', '--dry-run');
    expect(out).toContain('1 chunk: 0 created, 1 unclear, 0 not sent');
    expect(out).toContain('to pay  at most 60.50 USDT (TRC20)');
  });

  it.each(['TERMINATED', 'FAILED', 'TIMED_OUT'])(
    'starts a batch again that was %s',
    async (how) => {
      const made = await closed(how);
      const { code, value } = await made.json('recover', 'payroll', '--yes');
      expect([code, value['batches']]).toMatchObject([
        0,
        [{ batchId: 'payroll', found: 'ENDED_BY_FORCE', done: true }],
      ]);
      expect(made.engine.executions.get('payroll')?.status).toBe('RUNNING');
    },
  );

  it('leaves running and ended batches alone', async () => {
    const made = await payrollWorld(planned);
    expect((await made.run('recover', '--yes')).out).toContain('Nothing to recover');
    await inStore(made, (store) => playEnd(store, 'payroll', { state: 'COMPLETED' }));
    made.engine.executions.clear();
    expect((await made.json('recover', 'payroll', '--yes')).value['batches']).toEqual([]);
    expect(made.engine.started).toHaveLength(1);
  });

  it('continues the rechecks of ended batches', async () => {
    const made = await forgotten(async (store) => {
      await playSettle(store, 'payroll', { outcome: 'FAILED' });
      await playEnd(store, 'payroll', { state: 'FAILED' });
      await writableDb(store).updateTable('chunk').set({ payout_fingerprint: 'FAILED' }).execute();
    });
    expect((await made.json('recover')).value['followed']).toEqual(['payroll']);
    expect(made.engine.followed).toEqual(['payroll']);
  });

  it.each([
    ['no person confirms', [], 2, 'CONFIRMATION_MISSING'],
    ['other totals are confirmed', ['--confirm', '60:USDT_TRC20'], 3, 'CONFIRMATION_WRONG'],
    ['the age is unknown', ['--store', 'newer'], 2, 'FLAG_INVALID'],
  ])('does nothing when %s', async (_what, flags, exitCode, errorCode) => {
    const made = await forgotten();
    const { code, value } = await made.json('recover', ...flags);
    expect([code, value['code']]).toEqual([exitCode, errorCode]);
    expect(made.engine.executions.size).toBe(0);
  });

  it('refuses a batch that neither store nor Temporal has', async () => {
    const made = await payrollWorld(planned);
    const { code, value } = await made.json('recover', 'nobody');
    expect([code, value['code']]).toEqual([5, 'BATCH_NOT_FOUND']);
  });

  it('demands nothing when nothing more of a batch may be paid', async () => {
    const made = await forgotten(async (store) => {
      await store.batches.cancel('payroll', { by: 'bob', reason: 'wrong' }, 1);
    });
    const { code, value } = await made.json('recover');
    expect([code, value['batches']]).toMatchObject([0, [{ canceledBy: 'bob', toPay: [] }]]);
  });

  it('has audit entries with each person, batch and refusal', async () => {
    const made = await forgotten();
    await made.run('recover', '--confirm', '1:USDT_TRC20');
    await made.run('recover', '--no-input');
    await made.run('recover', '--yes');
    const { value } = await made.json('audit');
    const acts = (value['entries'] as { actor: string; action: string }[]).filter(({ action }) =>
      action.startsWith('recover'),
    );
    expect(acts.map(({ actor, action }) => `${actor} ${action}`)).toEqual([
      'alice recover-rejected',
      'alice recover',
    ]);
  });
});

describe('bursar recover of a batch whose file no worker had read', () => {
  /** A world in which a batch was taken, and no more. */
  async function unread(): Promise<FakeWorld> {
    const made = await forgotten();
    await inStore(made, async (store) => {
      const db = writableDb(store);
      const nothing = { summary_json: null, ingest_id: null, digest: null };
      await db.updateTable('batch').set(nothing).execute();
      await db.deleteFrom('chunk').execute();
    });
    return made;
  }

  it('demands --yes, since its totals are unknown', async () => {
    const made = await unread();
    const { code, value } = await made.json('recover', '--confirm', TOTAL);
    expect([code, value['code']]).toEqual([2, 'RECOVERY_TOTALS_UNKNOWN']);
    expect((await made.json('recover', '--yes')).value['batches']).toMatchObject([
      { state: 'INGESTING', toPay: null, rows: null, done: true },
    ]);
  });

  it('needs the file when the copy is gone as well', async () => {
    const made = await unread();
    rmSync(join(made.world.cwd, '.bursar', 'blobs'), { recursive: true });
    const { code, out } = await made.run('recover', '--yes');
    expect(code).toBe(14);
    expect(out).toContain('Batch payroll does not continue. No worker had read its file');
    expect(made.engine.executions.size).toBe(0);
  });
});

describe('bursar recover of schedules', () => {
  it('sets up schedules that Temporal lacks, paused as they were', async () => {
    const made = await payrollWorld(async (store) => {
      for (const scheduleId of ['rent', 'wages']) {
        await createSchedule(store, definition({ scheduleId }), 1);
      }
      const entry = { atMs: 1, batchId: null, actor: 'bob', action: 'schedule-pause', detail: {} };
      await store.schedules.pause('wages', { sinceMs: 1, note: 'holidays' }, entry);
    });
    const { value } = await made.json('recover');
    expect(value['schedules']).toEqual([
      { scheduleId: 'rent', paused: false, done: true },
      { scheduleId: 'wages', paused: true, done: true },
    ]);
    expect(made.engine.timetables.get('rent')).toMatchObject({ paused: false });
    expect(made.engine.timetables.get('wages')).toMatchObject({ paused: true, note: 'holidays' });
    expect((await made.json('recover')).value['schedules']).toEqual([]);
  });

  it('with an older store pauses every active schedule, since the store may have forgotten runs', async () => {
    const made = await payrollWorld(async (store) => {
      for (const scheduleId of ['rent', 'wages']) {
        await createSchedule(store, definition({ scheduleId }), 1);
      }
    });
    const known = { definition: definition({ scheduleId: 'rent' }), paused: false, note: '' };
    made.engine.timetables.set('rent', known);
    const { value } = await made.json('recover', 'payroll', '--store', 'older', '--yes');
    expect(value['pausedSchedules']).toEqual(['rent', 'wages']);
    const note = 'the store was brought back from an older copy';
    expect(made.engine.timetables.get('rent')).toMatchObject({ paused: true, note });
    const store = await made.store();
    for (const { paused } of await store.schedules.list()) expect(paused).toMatchObject({ note });
    await store.close();
    const again = await made.json('recover', '--store', 'older', '--yes');
    expect(again.value).toMatchObject({
      schedules: [{ scheduleId: 'wages', paused: true, done: true }],
      pausedSchedules: [],
    });
    expect(made.engine.timetables.get('wages')).toMatchObject({ paused: true, note });
  });

  it('are left alone where one batch is named', async () => {
    const made = await payrollWorld(async (store) => {
      await createSchedule(store, definition({ scheduleId: 'rent' }), 1);
    });
    expect((await made.json('recover', 'payroll')).value['schedules']).toEqual([]);
  });
});

describe('bursar recover --store older', () => {
  it('stores the restore, and has every batch wait to be resumed', async () => {
    const made = await forgotten();
    const { out } = await made.run('recover', '--store', 'older', '--yes');
    expect(out).toContain('bursar resume payroll --reason TEXT');
    expect(out).toContain('The store is marked as an older copy');
    await inStore(made, async (store) => {
      expect(await store.restores.lastAtMs()).toBe(made.world.clock.nowMs());
      expect(await store.holds.open('payroll')).toMatchObject([{ kind: 'PAUSE', by: 'alice' }]);
    });
  });

  it('restarts a batch that has ended in Temporal, once a person confirms it', async () => {
    const made = await closed('COMPLETED');
    const { code, out } = await made.run('recover');
    expect([code, made.engine.begunAnew]).toEqual([14, []]);
    expect(out).toContain('bursar recover payroll --store older');
    expect((await made.run('recover', '--store', 'older', '--yes')).code).toBe(0);
    expect(made.engine.begunAnew).toEqual(['payroll']);
  });

  it('restarts a batch that only Temporal has, unless it was rejected', async () => {
    const made = await payrollWorld(planned);
    made.engine.executions.set('wages', running(undefined, 'PAYING'));
    const over = { ...running(undefined, 'PARTIAL'), status: 'COMPLETED' };
    made.engine.executions.set('bonus', over);
    made.engine.executions.set('wrong', { ...over, state: 'REJECTED' });
    expect((await made.json('recover', '--dry-run')).value['batches']).toEqual([]);
    expect((await made.json('recover', '--store', 'older', '--yes')).code).toBe(0);
    expect(made.engine.begunAnew.toSorted()).toEqual(['bonus', 'wages']);
  });

  const resendOf = (parentBatchId: string) => ({
    ...running(undefined, 'PAYING'),
    resend: { parentBatchId, generation: 1 },
  });

  it.each([
    ['is under way', 'payroll'],
    ['is forgotten, too', 'wages'],
  ])('has a resend wait while its parent %s', async (_what, parentBatchId) => {
    const made = await payrollWorld(planned);
    made.engine.executions.set('again', resendOf(parentBatchId));
    const { code, out } = await made.run('recover', 'again', '--store', 'older', '--yes');
    expect([code, made.engine.begunAnew]).toEqual([14, []]);
    expect(out).toContain(`It is a resend of ${parentBatchId}, which must end first`);
    expect(out).toContain('bursar recover again --store older');
  });

  it('restarts a resend whose parent has ended', async () => {
    const made = await payrollWorld((store) => playEnd(store, 'payroll', { state: 'PARTIAL' }));
    made.engine.executions.set('again', resendOf('payroll'));
    expect((await made.run('recover', 'again', '--store', 'older', '--yes')).code).toBe(0);
    expect(made.engine.begunAnew).toEqual(['again']);
  });

  const over = { ...running(undefined, 'PARTIAL'), status: 'COMPLETED' };

  it('lets a restarted batch with a resend send nothing, since the resend may have paid its rows', async () => {
    const made = await payrollWorld(planned);
    made.engine.executions.set('bonus', over);
    made.engine.executions.set('bonus-r1', { ...over, ...resendOf('bonus'), status: 'COMPLETED' });
    await made.run('recover', 'bonus', '--store', 'older', '--yes');
    expect(made.engine.begunAnew).toEqual(['bonus']);
    await inStore(made, async ({ batches }) => {
      expect(await batches.canceled('bonus')).toMatchObject({ by: 'alice' });
      expect(await batches.canceled('bonus-r1')).toBeNull();
    });
  });

  it.each([
    ['all at once', ['--store', 'empty']],
    ['one after the other', ['bonus', '--store', 'empty']],
  ])(
    'brings an open resend back into an empty store after its parents, which send nothing: %s',
    async (_, flags) => {
      const made = await payrollWorld(planned);
      await inStore(made, async (store) => writableDb(store).deleteFrom('batch').execute());
      const { executions } = made.engine;
      executions.clear();
      executions.set('wages', over);
      executions.set('bonus', over);
      executions.set('bonus-r1', { ...over, ...resendOf('bonus'), status: 'COMPLETED' });
      executions.set('bonus-r2', {
        ...resendOf('bonus-r1'),
        resend: { parentBatchId: 'bonus-r1', generation: 2 },
      });
      const { out } = await made.run('recover', ...flags, '--yes');
      expect(made.engine.begunAnew).toEqual(['bonus']);
      expect(out).toContain(
        'Batch bonus had ended. It searches for its sent payments, sends nothing',
      );
      await inStore(made, async ({ batches, holds }) => {
        expect(await batches.canceled('bonus')).toMatchObject({ by: 'alice' });
        expect(await holds.open('bonus')).toEqual([]);
      });
      const early = await made.run('recover', 'bonus-r2', '--store', 'empty', '--yes');
      expect([early.code, early.out]).toEqual([
        14,
        expect.stringContaining('First: bursar recover bonus-r1 --store empty'),
      ]);
      expect(made.engine.begunAnew).toEqual(['bonus']);
    },
  );

  it('demands the file of a batch that only Temporal has, where its copy is gone', async () => {
    const made = await payrollWorld(planned);
    const sha256 = 'a'.repeat(64);
    made.engine.executions.set('wages', running(sha256, 'PAYING'));
    const { code, out } = await made.run('recover', 'wages', '--store', 'older', '--yes');
    expect([code, made.engine.begunAnew]).toEqual([14, []]);
    expect(out).toContain(`named ${sha256}, and recover it again`);
  });

  it('lifts its own pause where another person was quicker', async () => {
    const made = await forgotten();
    Object.assign(made.engine.recovery, { startAgain: async () => 'exists' });
    const { out } = await made.run('recover', '--store', 'older', '--yes');
    expect(out).toContain('Batch payroll is running already');
    await inStore(made, async (store) => expect(await store.holds.open('payroll')).toEqual([]));
  });

  it('is remembered: a batch that is recovered later waits to be resumed as well', async () => {
    const made = await forgotten();
    await inStore(made, ({ restores }) =>
      restores.raise({ atMs: made.world.clock.nowMs(), reason: '' }),
    );
    const { out } = await made.run('recover', '--yes');
    expect(out).toContain('bursar resume payroll --reason TEXT');
    await inStore(made, async (store) => {
      expect(await store.holds.open('payroll')).toMatchObject([{ kind: 'PAUSE' }]);
    });
  });

  it('gives the reason of a question about a chunk: the lost store may have sent a batch of this id', async () => {
    const made = await payrollWorld(async (store) => {
      await playDoubt(store, 'payroll');
      await store.restores.raise({ atMs: Date.parse('2026-11-21T08:55:00Z'), reason: '' });
    });
    const { out } = await made.run('status', 'payroll');
    expect(out).toContain('was lost, at 2026-11-21 08:55:00 UTC');
    expect(out).toContain('submitted after 2026-11-21 09:10:00 UTC do not ask this');
    const { value } = await made.json('status', 'payroll');
    expect(value['needsOperator']).toMatchObject([
      { forgotten: { since: '2026-11-21T08:55:00.000Z', until: '2026-11-21T09:10:00.000Z' } },
    ]);
  });

  it('does not report that nothing is lost where it checked one batch only', async () => {
    const made = await payrollWorld(planned);
    const { out } = await made.run('recover', 'payroll');
    expect(out).toBe('Nothing to recover: the batch is running or has ended.\n');
  });

  it('changes nothing with --dry-run', async () => {
    const made = await forgotten();
    await made.run('recover', '--store', 'older', '--dry-run');
    await inStore(made, async (store) => {
      expect(await store.restores.lastAtMs()).toBeUndefined();
      expect(await store.holds.open('payroll')).toEqual([]);
    });
  });
});
