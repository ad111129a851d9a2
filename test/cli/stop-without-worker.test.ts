import { describe, expect, it } from '@jest/globals';
import { noteOf } from '../../src/domain/errors/bursar-error.ts';
import { WATCH_SUBJECTS } from '../../src/store/watches.ts';
import { liveStatus, running } from './support/fake-engine.ts';
import { payrollWorld } from './support/payroll-world.ts';
import { playDoubt } from './support/play.ts';

const SEEN_MS = Date.parse('2026-11-21T08:02:00Z');

/** A batch that runs in Temporal, of whose workers none answers. */
async function silentWorld() {
  const made = await payrollWorld((store) => playDoubt(store, 'payroll'));
  Object.assign(made.engine, { workers: false, workerSeenAtMs: SEEN_MS });
  const inStore = async () => {
    const store = await made.store();
    const canceled = (await store.batches.find('payroll'))?.canceled ?? null;
    const holds = await store.holds.open('payroll');
    await store.close();
    return { canceled, holds };
  };
  return { ...made, inStore };
}

describe('without a worker', () => {
  it('a cancel is in the store, and the workflow finds a signal for it', async () => {
    const made = await silentWorld();
    const { code, value } = await made.json('cancel', 'payroll', '--reason', 'wrong month');
    expect([code, value]).toEqual([
      0,
      {
        ...{ schema: 'bursar.cancel/v1', batchId: 'payroll', by: 'alice', reason: 'wrong month' },
        worker: { answers: false, seenAt: '2026-11-21T08:02:00.000Z' },
      },
    ]);
    expect((await made.inStore()).canceled).toEqual({ by: 'alice', reason: 'wrong month' });
    expect([made.engine.signaled, made.engine.updates]).toEqual([['payroll'], []]);
  });

  it('a pause is in the store, and the result says since when no worker answers', async () => {
    const made = await silentWorld();
    const { code, out } = await made.run('pause', 'payroll', '--reason', 'lunch');
    expect([code, out]).toEqual([0, expect.stringContaining('Batch payroll is paused')]);
    expect(out).toContain('No worker answers since 2026-11-21 08:02:00 UTC. The next worker');
    expect((await made.inStore()).holds).toMatchObject([{ kind: 'PAUSE', by: 'alice' }]);
    expect(made.engine.signaled).toEqual(['payroll']);
  });

  it('the same command may be given again', async () => {
    const made = await silentWorld();
    for (const command of ['pause', 'pause', 'cancel', 'cancel']) {
      expect((await made.json(command, 'payroll', '--reason', 'x')).code).toBe(0);
    }
    const { value } = await made.json('audit', 'payroll');
    const actions = (value['entries'] as { action: string }[]).map(({ action }) => action);
    expect(actions.filter((action) => ['hold', 'cancel'].includes(action))).toEqual([
      'hold',
      'cancel',
    ]);
  });

  it('a pause of another person is named, and stays', async () => {
    const made = await silentWorld();
    await made.json('pause', 'payroll', '--reason', 'lunch');
    const { code, value } = await made.json('pause', 'payroll', '--reason', 'tea');
    expect([code, value['code']]).toEqual([2, 'ALREADY_PAUSED']);
    expect((await made.inStore()).holds).toMatchObject([{ reason: 'lunch' }]);
  });

  it.each([
    ['SETTLING', 'NOTHING_TO_PAUSE'],
    ['REPORTING', 'BATCH_ENDED'],
  ] as const)(
    'a pause of a batch that is %s is refused, and leaves no hold',
    async (state, code) => {
      const made = await silentWorld();
      made.engine.executions.set('payroll', running(undefined, state));
      const paused = await made.json('pause', 'payroll', '--reason', 'lunch');
      expect([paused.code, paused.value['code']]).toEqual([2, code]);
      expect((await made.inStore()).holds).toEqual([]);
    },
  );

  it('a pause of a batch that was canceled is refused', async () => {
    const made = await silentWorld();
    await made.json('cancel', 'payroll', '--reason', 'wrong month');
    const paused = await made.json('pause', 'payroll', '--reason', 'lunch');
    expect([paused.code, paused.value['code']]).toEqual([2, 'BATCH_STOPPED']);
  });

  it('status and list say since when, in words and as a field', async () => {
    const made = await silentWorld();
    const worker = { answers: false, seenAt: '2026-11-21T08:02:00.000Z' };
    for (const args of [['status', 'payroll'], ['list']]) {
      expect((await made.json(...args)).value).toMatchObject({ worker });
      const { out, err } = await made.run(...args);
      expect(out + err).toContain('No worker answers since 2026-11-21 08:02:00 UTC.');
    }
  });

  it('the housekeeping remembers a worker longer than Temporal does', async () => {
    const made = await silentWorld();
    made.engine.workerSeenAtMs = null;
    expect((await made.json('status', 'payroll')).value['worker']).toMatchObject({ seenAt: null });
    const store = await made.store();
    await store.watches.note(WATCH_SUBJECTS.housekeeping, {
      ...{ condition: 'OK', atMs: SEEN_MS, detail: '' },
    });
    await store.close();
    expect((await made.json('status', 'payroll')).value['worker']).toMatchObject({
      seenAt: '2026-11-21T08:02:00.000Z',
    });
  });
});

describe('without Temporal', () => {
  it('a stop is in the store, which workers that still run read', async () => {
    const made = await silentWorld();
    made.engine.isDown = true;
    const { code, value } = await made.json('pause', 'payroll', '--reason', 'lunch');
    expect([code, value['temporal']]).toEqual([0, { answers: false }]);
    expect((await made.inStore()).holds).toMatchObject([{ reason: 'lunch' }]);
  });
});

describe('with a worker', () => {
  it('the store has the stop before the workflow is asked, and the workflow may still refuse it', async () => {
    const made = await silentWorld();
    Object.assign(made.engine, { workers: true });
    made.engine.statuses.set('payroll', liveStatus());
    let known: unknown;
    Object.assign(made.engine, {
      pause: async () => {
        known = (await made.inStore()).holds;
        return noteOf('BATCH_STOPPED', { batchId: 'payroll', stopped: 'refused by bob: no' });
      },
    });
    const { code, value } = await made.json('pause', 'payroll', '--reason', 'lunch');
    expect([code, value['code']]).toEqual([2, 'BATCH_STOPPED']);
    expect(known).toMatchObject([{ kind: 'PAUSE', by: 'alice', reason: 'lunch' }]);
  });
});
