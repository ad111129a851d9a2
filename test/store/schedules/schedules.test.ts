import { describe, expect, it } from '@jest/globals';
import type { RunRecord } from '../../../src/domain/schedule/run-state.ts';
import type { Store } from '../../../src/store/index.ts';
import { auditOf, createSchedule, definition } from '../../support/schedule-definitions.ts';
import { newBatch, planBatch } from '../../support/store-fixtures.ts';
import { openTestStore } from '../../support/test-database.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const KEY = { scheduleId: 'rent', nominal: '2026-05-04T09:00' };
const CLAIMING = { ...KEY, dueAtMs: 1_000, atMs: 1_001 };

const claim = (store: Store, claimant: string) =>
  store.scheduleRuns.claim({ ...CLAIMING, claimant }, (record) => ({
    decision:
      record === undefined || record.claimedBy === claimant ? CLAIM : { kind: 'taken', record },
  }));
const CLAIM = { kind: 'claim' } as const;

const take = (store: Store, nominal: string, sha256: string, claimant = 'w1') =>
  store.scheduleRuns.takeFile(
    { scheduleId: 'rent', nominal },
    {
      file: { name: 'a.csv', sha256, batchId: `rent-${nominal.slice(0, 10)}` },
      claimant,
      rejected: 0,
      allowUnchanged: false,
      atMs: 2_000,
    },
  );

async function withStore(use: (store: Store) => Promise<void>): Promise<void> {
  const store = await openTestStore(temporaryFolder());
  try {
    await use(store);
  } finally {
    await store.close();
  }
}

describe('a schedule', () => {
  it('is stored once; another definition under its id is refused', () =>
    withStore(async (store) => {
      expect(await createSchedule(store, definition(), 5)).toBe('created');
      expect(await createSchedule(store, definition(), 9)).toBe('known');
      await expect(
        createSchedule(store, definition({ cron: '0 8 * * *' }), 9),
      ).rejects.toMatchObject({ code: 'SCHEDULE_EXISTS' });
      expect(await store.schedules.find('rent')).toMatchObject({
        createdBy: 'alice',
        createdAtMs: 5,
        watchedUntilMs: 5,
        paused: null,
      });
      expect(await store.audit.list({ limit: 9 })).toHaveLength(1);
    }));

  it('stays paused since the first pause, with the last note', () =>
    withStore(async (store) => {
      await createSchedule(store, definition(), 5);
      await store.schedules.pause('rent', { sinceMs: 10, note: 'one' }, auditOf('pause'));
      await store.schedules.pause('rent', { sinceMs: 20, note: 'two' }, auditOf('pause'));
      expect((await store.schedules.find('rent'))?.paused).toEqual({ sinceMs: 10, note: 'two' });
      await store.schedules.resume('rent', auditOf('resume'));
      expect((await store.schedules.find('rent'))?.paused).toBeNull();
      const actions = (await store.audit.list({ limit: 9 })).map(({ action }) => action);
      expect(actions).toEqual(['schedule-create', 'pause', 'pause', 'resume']);
    }));

  it('that is deleted is not listed; made again, it keeps its runs', () =>
    withStore(async (store) => {
      await createSchedule(store, definition(), 5);
      await claim(store, 'w1');
      await store.schedules.remove('rent', 30, auditOf('delete'));
      expect(await store.schedules.list()).toEqual([]);
      expect(await createSchedule(store, definition({ cron: '0 8 * * *' }), 40)).toBe('created');
      expect(await store.schedules.list()).toMatchObject([{ createdAtMs: 40, deletedAtMs: null }]);
      expect((await claim(store, 'w2')).kind).toBe('taken');
    }));

  it('is watched forwards only', () =>
    withStore(async (store) => {
      await createSchedule(store, definition(), 5);
      await store.schedules.setWatchedUntil('rent', 50);
      await store.schedules.setWatchedUntil('rent', 40);
      expect((await store.schedules.find('rent'))?.watchedUntilMs).toBe(50);
    }));

  it('that is not there cannot be changed', () =>
    withStore(async (store) => {
      await expect(store.schedules.resume('rent', auditOf('resume'))).rejects.toMatchObject({
        code: 'SCHEDULE_NOT_FOUND',
      });
      expect(await store.audit.list({ limit: 9 })).toEqual([]);
    }));
});

describe('a run', () => {
  it('that two workflows claim at once goes to one of them', () =>
    withStore(async (store) => {
      const kinds = await Promise.all(['w1', 'w2', 'w3'].map((one) => claim(store, one)));
      expect(kinds.map(({ kind }) => kind).sort()).toEqual(['claim', 'taken', 'taken']);
    }));

  it('that its own workflow begins again stays as it is', () =>
    withStore(async (store) => {
      await claim(store, 'w1');
      expect(await take(store, KEY.nominal, 'abc')).toEqual({ kind: 'taken' });
      const before = await store.scheduleRuns.find(KEY);
      expect(await claim(store, 'w1')).toEqual(CLAIM);
      expect(await store.scheduleRuns.find(KEY)).toEqual(before);
      expect(before).toMatchObject({ state: 'RUNNING', fileName: 'a.csv', fileSha256: 'abc' });
    }));

  it('takes no file that another run took, unless that one failed', () =>
    withStore(async (store) => {
      const next = { ...CLAIMING, nominal: '2026-05-05T09:00', dueAtMs: 2_000, claimant: 'w2' };
      await claim(store, 'w1');
      await take(store, KEY.nominal, 'abc');
      await store.scheduleRuns.claim(next, () => ({ decision: CLAIM }));
      expect(await take(store, next.nominal, 'abc', 'w2')).toEqual({
        kind: 'unchanged',
        nominal: KEY.nominal,
      });
      expect((await store.scheduleRuns.find(next))?.fileSha256).toBeNull();
      const failed = { state: 'FAILED', detail: 'too late', atMs: 3_000 } as const;
      expect(await store.scheduleRuns.change(KEY, 'w1', failed)).toBe(true);
      expect(await take(store, next.nominal, 'abc', 'w2')).toEqual({ kind: 'taken' });
    }));

  it('gives its file to its workflow only, and is changed by its workflow only', () =>
    withStore(async (store) => {
      await claim(store, 'w1');
      expect(await take(store, KEY.nominal, 'abc', 'w2')).toEqual({ kind: 'lost' });
      expect(await take(store, '2026-05-09T09:00', 'abc')).toEqual({ kind: 'lost' });
      const ended = { state: 'ENDED', detail: 'COMPLETED', atMs: 3_000 } as const;
      expect(await store.scheduleRuns.change(KEY, 'w2', ended)).toBe(false);
      expect(await store.scheduleRuns.change(KEY, 'w1', ended)).toBe(true);
      // What is over stays over.
      expect(await store.scheduleRuns.change(KEY, 'w1', { ...ended, state: 'FAILED' })).toBe(false);
      expect(await take(store, KEY.nominal, 'abc')).toEqual({ kind: 'lost' });
    }));

  const rejected = { detail: 'no rows', atMs: 3_000 };
  const ID = 'rent-2026-05-04';
  const rejectedEnd = { state: 'REJECTED', atMs: 2_500, error: null } as const;

  it('whose batch was rejected is free again, and that batch is never allowed to pay', () =>
    withStore(async (store) => {
      await claim(store, 'w1');
      await take(store, KEY.nominal, 'abc');
      await store.batches.register(newBatch(ID, { fileSha256: 'abc' }));
      await store.batches.end(ID, rejectedEnd);
      expect(await store.scheduleRuns.reject(KEY, 'w2', rejected)).toBe(false);
      expect(await store.scheduleRuns.reject(KEY, 'w1', rejected)).toBe(true);
      expect(await store.scheduleRuns.reject(KEY, 'w1', rejected)).toBe(false);
      expect(await store.scheduleRuns.find(KEY)).toMatchObject({
        state: 'FAILED',
        detail: 'no rows',
        batchId: null,
        fileSha256: null,
        rejected: 1,
      });
      await store.batches.release(ID, 4_000);
      expect((await store.batches.find(ID))?.releasedAtMs).toBeNull();
      await claim(store, 'w1');
      // Whoever made an id for the batch before does not get it any more.
      expect(await take(store, KEY.nominal, 'abc')).toEqual({ kind: 'lost' });
      expect(await store.scheduleRuns.find(KEY)).toMatchObject({ state: 'STARTED', rejected: 1 });
    }));

  const end = (store: Store) => store.batches.end(ID, rejectedEnd);
  it.each<readonly [string, (store: Store) => Promise<unknown>]>([
    ['was never written down', () => Promise.resolve()],
    [
      'has another file',
      async (store) => {
        await store.batches.register(newBatch(ID, { fileSha256: 'other' }));
        await end(store);
      },
    ],
    ['is open', (store) => store.batches.register(newBatch(ID))],
    [
      'has ended otherwise',
      async (store) => {
        await store.batches.register(newBatch(ID));
        await store.batches.end(ID, { ...rejectedEnd, state: 'CANCELED' });
      },
    ],
    [
      'was allowed to pay',
      async (store) => {
        await store.batches.register(newBatch(ID));
        await store.batches.release(ID, 2_400);
        await end(store);
      },
    ],
    [
      'has chunks, of which there may be a resend',
      async (store) => {
        await planBatch(store, ID, 1);
        await end(store);
      },
    ],
  ])('whose batch %s is not free again', async (_what, prepare) =>
    withStore(async (store) => {
      await claim(store, 'w1');
      await take(store, KEY.nominal, newBatch(ID).fileSha256);
      await prepare(store);
      const before = await store.scheduleRuns.find(KEY);
      expect(await store.scheduleRuns.reject(KEY, 'w1', rejected)).toBe(false);
      expect(await store.scheduleRuns.find(KEY)).toEqual(before);
    }),
  );

  it('that is stored again stays as it was, with one entry in the log', () =>
    withStore(async (store) => {
      const missed = { state: 'MISSED', detail: 'x', dueAtMs: 1_000, atMs: 5 } as const;
      const audit = auditOf('schedule-run-missed');
      expect(await store.scheduleRuns.note(KEY, { ...missed, audit })).toBe(true);
      expect(await store.scheduleRuns.note(KEY, { ...missed, state: 'SKIPPED', audit })).toBe(
        false,
      );
      expect(await store.scheduleRuns.find(KEY)).toMatchObject({ state: 'MISSED' });
      expect(await store.audit.list({ limit: 9 })).toHaveLength(1);
    }));

  it('is listed with the latest first, and open ones of all schedules', () =>
    withStore(async (store) => {
      for (const day of [1, 2, 3]) {
        const run = { ...CLAIMING, nominal: `2026-05-0${day}T09:00`, dueAtMs: day * 1_000 };
        await store.scheduleRuns.claim({ ...run, claimant: 'w1' }, () => ({ decision: CLAIM }));
      }
      const days = (runs: readonly RunRecord[]) => runs.map(({ nominal }) => nominal.slice(8, 10));
      const { scheduleRuns } = store;
      expect(days(await scheduleRuns.list('rent', { limit: 2 }))).toEqual(['03', '02']);
      expect(days(await scheduleRuns.list('rent', { dueAfterMs: 2_000, limit: 9 }))).toEqual([
        '03',
      ]);
      await scheduleRuns.change({ ...KEY, nominal: '2026-05-02T09:00' }, 'w1', {
        state: 'ENDED',
        detail: 'COMPLETED',
        atMs: 9,
      });
      expect(days(await scheduleRuns.open()).sort()).toEqual(['01', '03']);
    }));
});
