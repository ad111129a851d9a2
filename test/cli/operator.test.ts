import { describe, expect, it } from '@jest/globals';
import { noteOf } from '../../src/domain/errors/bursar-error.ts';
import type { Store } from '../../src/store/index.ts';
import { liveStatus } from './support/fake-engine.ts';
import type { WorldOptions } from './support/fake-world.ts';
import { payrollWorld } from './support/payroll-world.ts';
import { playDoubt, playEnd } from './support/play.ts';

/** A world in which chunk 0 of `payroll` waits for an operator. */
const worldInDoubt = (options: Partial<WorldOptions> = {}) =>
  payrollWorld((store) => playDoubt(store, 'payroll'), options);

describe('bursar resolve', () => {
  it.each<{ args: string; answer: object }>`
    args                            | answer
    ${'0 adopt mp-7'}               | ${{ answer: 'adopt', massPayoutId: 'mp-7' }}
    ${'0 not-created'}              | ${{ answer: 'not-created' }}
    ${'0 not-created --attempts 2'} | ${{ answer: 'not-created', attempts: 2 }}
    ${'0 abandon'}                  | ${{ answer: 'abandon' }}
  `('gives the answer $answer', async ({ args, answer }) => {
    const { json, engine } = await worldInDoubt();
    const words = [...args.split(' '), '--reason', 'asked the support'];
    const { code, value } = await json('resolve', 'payroll', ...words);
    const told = { ...answer, chunk: 0, by: 'alice', reason: 'asked the support' };
    expect(code).toBe(0);
    const result = {
      schema: 'bursar.resolve/v1',
      batchId: 'payroll',
      ...told,
      missing: [],
      gaps: [],
    };
    expect(value).toEqual(result);
    expect(engine.updates).toEqual([told]);
  });

  it.each([
    ['payroll', '0', 'adopt', '--reason', 'x'],
    ['payroll', '0', 'abandon', 'mp-7', '--reason', 'x'],
    ['payroll', '0', 'not-created', 'mp-7', '--reason', 'x'],
    ['payroll', '0', 'forget', '--reason', 'x'],
    ['payroll', 'first', 'abandon', '--reason', 'x'],
    ['payroll', '-1', 'abandon', '--reason', 'x'],
    ['payroll', '0', 'abandon'],
    ['payroll', '0', 'abandon', '--reason', ' '],
    ['payroll', '0', '--reason', 'x'],
    ['payroll', '0', 'abandon', '--attempts', '1', '--reason', 'x'],
    ['payroll', '0', 'not-created', '--attempts', 'two', '--reason', 'x'],
  ])('refuses unreadable arguments: %s %s %s %s %s', async (...words) => {
    const { json, engine } = await worldInDoubt();
    const { code, value } = await json('resolve', ...words);
    expect([code, value['code']]).toEqual([2, 'FLAG_INVALID']);
    expect(engine.updates).toEqual([]);
  });

  it('prints the refusal of an answer as the batch words it', async () => {
    const { json, engine } = await worldInDoubt();
    engine.refusal = noteOf('CHUNK_NOT_WAITING', { chunk: '3', batchId: 'payroll' });
    const { code, value } = await json('resolve', 'payroll', '3', 'abandon', '--reason', 'x');
    expect([code, value]).toEqual([2, { schema: 'bursar.error/v1', ...engine.refusal }]);
    const { value: audit } = await json('audit', 'payroll');
    expect((audit['entries'] as object[]).at(-1)).toMatchObject({
      actor: 'alice',
      action: 'resolve-rejected',
      detail: { chunk: 3, answer: 'abandon', code: 'CHUNK_NOT_WAITING', reason: 'x' },
    });
  });

  it('has nothing to do with a batch that is unknown or has ended', async () => {
    const { json, store: openStore } = await worldInDoubt();
    const unknown = await json('resolve', 'nobody', '0', 'abandon', '--reason', 'x');
    expect([unknown.code, unknown.value['code']]).toEqual([5, 'BATCH_NOT_FOUND']);
    const store = await openStore();
    await playEnd(store, 'payroll', { state: 'CANCELED' });
    await store.close();
    const ended = await json('resolve', 'payroll', '0', 'abandon', '--reason', 'x');
    expect([ended.code, ended.value['code']]).toEqual([2, 'BATCH_ENDED']);
  });
});

describe('bursar cancel', () => {
  it('stops a batch in the name of the caller', async () => {
    const { json, engine } = await worldInDoubt();
    engine.statuses.set('payroll', liveStatus());
    const { code, value } = await json('cancel', 'payroll', '--reason', 'wrong month');
    const act = { by: 'alice', reason: 'wrong month' };
    expect(code).toBe(0);
    expect(value).toEqual({
      schema: 'bursar.cancel/v1',
      batchId: 'payroll',
      ...act,
      notified: true,
    });
    expect(engine.updates).toEqual([act]);
  });

  it('needs a reason', async () => {
    const { json, engine } = await worldInDoubt();
    expect((await json('cancel', 'payroll')).code).toBe(2);
    expect(engine.updates).toEqual([]);
  });

  it('prints how a batch ended that ended meanwhile, and not the state of its workflow', async () => {
    const made = await worldInDoubt();
    const completed = { status: 'COMPLETED', fileSha256: undefined, state: undefined } as const;
    made.engine.executions.set('payroll', completed);
    const closed = await made.json('cancel', 'payroll', '--reason', 'x');
    expect(closed.value['what']).toContain('its workflow is closed');
    const look = made.engine.describe.bind(made.engine);
    Object.assign(made.engine, {
      async describe(batchId: string) {
        const store = await made.store();
        await playEnd(store, 'payroll', { state: 'CANCELED' });
        await store.close();
        return look(batchId);
      },
    });
    const ended = await made.json('cancel', 'payroll', '--reason', 'x');
    expect(ended.value['what']).toContain('has already ended (canceled)');
  });

  it.each<{ status: string | undefined; code: string; exitCode: number }>`
    status          | code                 | exitCode
    ${'COMPLETED'}  | ${'BATCH_ENDED'}     | ${2}
    ${'TERMINATED'} | ${'BATCH_ENDED'}     | ${2}
    ${undefined}    | ${'BATCH_NOT_FOUND'} | ${5}
  `('refuses with $code when the workflow is $status', async ({ status, code, exitCode }) => {
    const made = await worldInDoubt();
    if (status === undefined) made.engine.executions.clear();
    else made.engine.executions.set('payroll', { status, fileSha256: undefined, state: undefined });
    const ended = await made.json('cancel', 'payroll', '--reason', 'x');
    expect([ended.code, ended.value['code']]).toEqual([exitCode, code]);
    expect(made.engine.updates).toEqual([]);
  });
});

it.each([
  ['STANDS_STILL', 'mass payouts wait for people'],
  ['NEVER_READ', 'refuses each read of their mass payouts'],
] as const)(
  'bursar status names the mass payouts that a person should check, without a question: %s',
  async (reason, words) => {
    const made = await worldInDoubt();
    const store = await made.store();
    const { idempotencyKey } = await store.chunks.get('payroll', 0);
    const payout = { id: 'mp', state: 'PENDING_CONFIRMATION', fee: null, differences: [] };
    await store.sends.setPayout({ batchId: 'payroll', chunk: 0, idempotencyKey }, payout);
    const sinceMs = Date.parse('2026-11-21T09:02:00Z');
    const watch = { openSinceMs: sinceMs, stateSinceMs: sinceMs, unreadSinceMs: null };
    const at = { batchId: 'payroll', chunk: 0 };
    await store.settlements.setTimes(at, watch, { reason, sinceMs });
    await store.close();

    const { code, value } = await made.json('status', 'payroll');
    expect([code, value['needsOperator']]).toEqual([0, []]);
    expect(value['alarms']).toEqual([
      {
        reason,
        state: 'PENDING_CONFIRMATION',
        since: '2026-11-21T09:02:00.000Z',
        chunks: [0],
      },
    ]);
    const { out } = await made.run('status', 'payroll');
    expect(out).toContain('An operator should check: chunks 0, PENDING_CONFIRMATION');
    expect(out).toContain(words);
    expect(out).not.toContain('bursar resolve');
  },
);

describe('bursar resume', () => {
  type Put = Parameters<Store['holds']['put']>[1];
  const LOSS: Put = { kind: 'STOP_LOSS', reason: '3 rows failed', by: 'Bursar', facts: {} };
  const PAUSE: Put = { kind: 'PAUSE', reason: 'lunch', by: 'zoe', facts: {} };
  const SINCE = '2026-11-21T09:05:00.000Z';

  /** A batch that is held by these, numbered from 1 up. */
  async function heldWorld(holds: readonly Put[], options: Partial<WorldOptions> = {}) {
    const made = await worldInDoubt(options);
    const store = await made.store();
    for (const hold of holds) await store.holds.put('payroll', hold, Date.parse(SINCE));
    await store.close();
    return made;
  }

  const act = { by: 'alice', reason: 'we know' };

  it('takes off the one hold there is, and names it', async () => {
    const made = await heldWorld([LOSS]);
    const { code, out } = await made.run('resume', 'payroll', '--reason', 'we know');
    expect(code).toBe(0);
    expect(made.engine.updates).toEqual([{ ...act, hold: { n: 1, since: SINCE } }]);
    expect(out).toContain(
      'Hold 1 (STOP_LOSS by Bursar: 3 rows failed) is lifted. Batch payroll continues.',
    );
  });

  it('lifts the named hold, and shows the others', async () => {
    const made = await heldWorld([LOSS, PAUSE]);
    const words = ['resume', 'payroll', '--hold', '1', '--reason', 'we know'];
    const { value } = await made.json(...words);
    expect(value).toEqual({
      schema: 'bursar.resume/v1',
      batchId: 'payroll',
      ...act,
      missing: [],
      stays: [expect.objectContaining({ n: 2, kind: 'PAUSE', reason: 'lunch' })],
      hold: { n: 1, since: SINCE, ...LOSS },
    });
    expect((await made.run(...words)).out).toContain(
      'Batch payroll is still on hold: 2 (PAUSE by zoe: lunch).',
    );
  });

  it('chooses none of several holds without a terminal', async () => {
    const made = await heldWorld([LOSS, PAUSE]);
    const { code, value } = await made.json('resume', 'payroll', '--reason', 'we know');
    expect([code, value['code']]).toEqual([2, 'HOLD_UNCLEAR']);
    expect(value['what']).toContain('1 (STOP_LOSS by Bursar: 3 rows failed), 2 (PAUSE by zoe');
    expect(made.engine.updates).toEqual([]);
  });

  it.each([
    ['the only one', [LOSS], '1\n', 0],
    ['one of two', [LOSS, PAUSE], '2\n', 0],
    ['none', [LOSS], '\n', 3],
    ['another number', [LOSS], '2\n', 2],
    ['a word', [LOSS, PAUSE], 'yes\n', 2],
  ] as const)(
    'shows a person the hold, and the person then types %s',
    async (_what, holds, input, exit) => {
      const made = await heldWorld(holds, { isTty: true, input });
      const { code, err } = await made.run('resume', 'payroll', '--reason', 'we know');
      expect(err).toContain(
        'On hold (stop loss) since 2026-11-21 09:05:00 UTC: 3 rows failed (hold 1)',
      );
      expect(code).toBe(exit);
      const n = Number(input);
      expect(made.engine.updates).toEqual(
        exit === 0 ? [{ ...act, hold: { n, since: SINCE } }] : [],
      );
    },
  );

  it('names the holds of the workflow where the store has forgotten them', async () => {
    const made = await worldInDoubt();
    const hold = { n: 4, since: SINCE, ...PAUSE };
    made.engine.statuses.set('payroll', liveStatus({ holds: [hold] }));
    await made.run('resume', 'payroll', '--reason', 'we know');
    expect(made.engine.updates).toEqual([{ ...act, hold: { n: 4, since: SINCE } }]);
  });

  it('leaves the refusal of an unknown hold to the batch', async () => {
    const made = await worldInDoubt();
    made.engine.refusal = noteOf('NOT_HELD', { batchId: 'payroll' });
    const { code, value } = await made.json('resume', 'payroll', '--hold', '3', '--reason', 'x');
    expect([code, value['code']]).toEqual([2, 'NOT_HELD']);
    expect(made.engine.updates).toEqual([{ by: 'alice', reason: 'x', hold: { n: 3 } }]);
    expect((await made.json('resume', 'payroll', '--hold', '0', '--reason', 'x')).code).toBe(2);
  });
});
