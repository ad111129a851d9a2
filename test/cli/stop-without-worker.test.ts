import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { noteOf } from '../../src/domain/errors/bursar-error.ts';
import { HEALTH_CHECKS } from '../../src/store/housekeeping/health-checks.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { liveStatus, running } from './support/fake-engine.ts';
import { fakeWorld } from './support/fake-world.ts';
import { GOOD, withFiles } from './support/files.ts';
import { payrollWorld } from './support/payroll-world.ts';
import { keyOf, playDoubt, playPlan } from './support/play.ts';

const SEEN_MS = Date.parse('2026-11-21T08:02:00Z');

const THEIRS = { id: 'theirs', audit: { seq: 0, hash: '' } };

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
        schema: 'bursar.cancel/v1',
        notified: false,
        batchId: 'payroll',
        by: 'alice',
        reason: 'wrong month',
        worker: { answers: false, seenAt: '2026-11-21T08:02:00.000Z', taskQueue: 'bursar' },
      },
    ]);
    expect((await made.inStore()).canceled).toEqual({ by: 'alice', reason: 'wrong month' });
    expect([made.engine.signaled, made.engine.updates]).toEqual([['payroll'], []]);
  });

  it('a pause is in the store, and the result shows since when no worker answers', async () => {
    const made = await silentWorld();
    const { code, out } = await made.run('pause', 'payroll', '--reason', 'lunch');
    expect([code, out]).toEqual([0, expect.stringContaining('Batch payroll is paused')]);
    expect(out).toContain(
      'No worker answers on task queue bursar since 2026-11-21 08:02:00 UTC. The next worker',
    );
    expect((await made.inStore()).holds).toMatchObject([{ kind: 'PAUSE', by: 'alice' }]);
    expect(made.engine.signaled).toEqual(['payroll']);
  });

  it.each(['cancel', 'pause'])('%s names the task queue of the batch', async (command) => {
    const made = await silentWorld();
    const execution = made.engine.executions.get('payroll');
    if (execution === undefined) throw new Error('the batch does not run');
    made.engine.executions.set('payroll', { ...execution, taskQueue: 'other' });
    const silence = 'No worker answers on task queue other since 2026-11-21 08:02:00 UTC.';
    expect((await made.run(command, 'payroll', '--reason', 'lunch')).out).toContain(silence);
    expect((await made.run('status', 'payroll')).out).toContain(silence);
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

  it('status and list show since when, in words and as a field', async () => {
    const made = await silentWorld();
    const worker = { answers: false, seenAt: '2026-11-21T08:02:00.000Z', taskQueue: 'bursar' };
    for (const args of [['status', 'payroll'], ['list']]) {
      expect((await made.json(...args)).value).toMatchObject({ worker });
      const { out, err } = await made.run(...args);
      expect(out + err).toContain(
        'No worker answers on task queue bursar since 2026-11-21 08:02:00 UTC.',
      );
    }
  });

  it('the housekeeping remembers a worker longer than Temporal does', async () => {
    const made = await silentWorld();
    made.engine.workerSeenAtMs = null;
    expect((await made.json('status', 'payroll')).value['worker']).toMatchObject({ seenAt: null });
    const store = await made.store();
    await store.watches.note(HEALTH_CHECKS.housekeeping, {
      condition: 'OK',
      atMs: SEEN_MS,
      detail: '',
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
    expect([code, value['temporal']]).toEqual([
      0,
      { answers: false, what: expect.stringContaining('Temporal') },
    ]);
    expect((await made.inStore()).holds).toMatchObject([{ reason: 'lunch' }]);
  });
});

describe('with a worker', () => {
  it.each([
    ['pause', { holds: [{ kind: 'PAUSE', by: 'alice', reason: 'lunch' }], canceled: null }],
    ['cancel', { holds: [], canceled: { by: 'alice', reason: 'lunch' } }],
  ] as const)(
    'the store has a %s before the workflow receives it, and the workflow may still refuse it',
    async (command, written) => {
      const made = await silentWorld();
      Object.assign(made.engine, { workers: true });
      made.engine.statuses.set('payroll', liveStatus());
      let known: unknown;
      Object.assign(made.engine, {
        [command]: async () => {
          known = await made.inStore();
          return noteOf('BATCH_STOPPED', { batchId: 'payroll', stopped: 'refused by bob: no' });
        },
      });
      const { code, value } = await made.json(command, 'payroll', '--reason', 'lunch');
      expect([code, value['code']]).toEqual([2, 'BATCH_STOPPED']);
      expect(known).toMatchObject(written);
    },
  );

  it.each([
    ['CANCELED', 0, undefined],
    ['COMPLETED', 2, 'BATCH_ENDED'],
  ] as const)(
    'a cancel that the report comes before, of a batch that ends as %s, returns %i',
    async (state, code, error) => {
      const made = await silentWorld();
      const closing = async (): Promise<void> => {
        const store = await made.store();
        await store.batches.end('payroll', { state, atMs: SEEN_MS, error: null });
        await store.close();
      };
      const refusal = noteOf('BATCH_ENDED', { batchId: 'payroll', state: 'REPORTING' });
      Object.assign(made.engine, { workers: true, refusal, closing });
      made.engine.statuses.set('payroll', liveStatus());
      const canceled = await made.json('cancel', 'payroll', '--reason', 'wrong month');
      expect([canceled.code, canceled.value['code']]).toEqual([code, error]);
    },
  );
});

describe('a batch that no worker has read yet', () => {
  /** The batch runs in Temporal, its worker was killed, and the store does not have it. */
  async function unreadWorld() {
    const made = fakeWorld({ cwd: withFiles(temporaryFolder(), { 'good.csv': GOOD }) });
    await made.run('submit', 'good.csv', '--id', 'payroll', '--yes', '--detach');
    Object.assign(made.engine, { workers: false, workerSeenAtMs: SEEN_MS });
    /** What the next worker writes down, and what a send of it returns. */
    const read = async () => {
      const [input] = made.engine.started;
      if (input === undefined) throw new Error('nothing was started');
      const store = await made.store();
      await playPlan(store, input, join(made.world.cwd, 'good.csv'));
      await store.batches.release('payroll', SEEN_MS);
      const canceled = (await store.batches.find('payroll'))?.canceled ?? null;
      const ref = { batchId: 'payroll', chunk: 0, idempotencyKey: keyOf('payroll', 0) };
      const intent = { payload: '{}', payloadSha256: 'p' };
      const attempt = { n: 1, timestampMs: SEEN_MS, bodySha256: 'b', intent };
      const sent = await store.sends.beginAttempt(ref, attempt);
      await store.close();
      return { canceled, sent };
    };
    return { ...made, read };
  }

  it('is canceled in the store, for the worker that comes next', async () => {
    const made = await unreadWorld();
    const { code, out } = await made.run('cancel', 'payroll', '--reason', 'wrong month');
    expect([code, out]).toEqual([0, expect.stringContaining('nothing more is sent')]);
    expect(out).toContain(
      'No worker answers on task queue bursar since 2026-11-21 08:02:00 UTC. The next worker',
    );
    // An update that was left behind would take effect later, whatever people decided since.
    expect([made.engine.signaled, made.engine.updates]).toEqual([['payroll'], []]);
    const canceled = { by: 'alice', reason: 'wrong month' };
    expect(await made.read()).toEqual({ canceled, sent: 'held' });
  });

  it('is paused in the store, and not by two people', async () => {
    const made = await unreadWorld();
    expect((await made.run('pause', 'payroll', '--reason', 'lunch')).code).toBe(0);
    const other = await made.json('pause', 'payroll', '--reason', 'tea');
    expect([other.code, other.value['code']]).toEqual([2, 'ALREADY_PAUSED']);
    expect([made.engine.signaled, made.engine.updates]).toEqual([['payroll'], []]);
    expect(await made.read()).toEqual({ canceled: null, sent: 'held' });
  });

  it('is not paused any more once it is canceled', async () => {
    const made = await unreadWorld();
    await made.run('cancel', 'payroll', '--reason', 'wrong month');
    const paused = await made.json('pause', 'payroll', '--reason', 'lunch');
    expect([paused.code, paused.value['code']]).toEqual([2, 'BATCH_STOPPED']);
  });

  it('is shown as paused, and as canceled', async () => {
    const made = await unreadWorld();
    await made.run('pause', 'payroll', '--reason', 'lunch');
    expect((await made.json('status', 'payroll')).value).toMatchObject({
      holds: [{ kind: 'PAUSE', by: 'alice', reason: 'lunch' }],
    });
    await made.run('cancel', 'payroll', '--reason', 'wrong month');
    const { out } = await made.run('status', 'payroll');
    expect(out).toContain('Canceled by alice: wrong month');
    expect(out).not.toContain('bursar resume');
  });

  it('of another store is not stopped by this one', async () => {
    const made = await unreadWorld();
    const execution = running(undefined);
    made.engine.executions.set('payroll', { ...execution, store: THEIRS });
    const { code, value } = await made.json('cancel', 'payroll', '--reason', 'x');
    expect([code, value['code']]).toEqual([2, 'STORE_IS_ANOTHER']);
    expect(made.engine.signaled).toEqual([]);
  });
});

it('status reads a cancel from the store, and offers no resume of the holds of the batch', async () => {
  const made = await silentWorld();
  await made.json('pause', 'payroll', '--reason', 'lunch');
  await made.json('cancel', 'payroll', '--reason', 'wrong month');
  const { out } = await made.run('status', 'payroll');
  expect(out).toContain('Canceled by alice: wrong month');
  expect(out).not.toContain('bursar resume');
  expect((await made.json('status', 'payroll')).value).toMatchObject({
    canceled: { by: 'alice', reason: 'wrong month' },
  });
});
