import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { policyOf, approvalBy, NOW_MS, setPolicy, tier } from '../support/approvers.ts';
import type { Hold } from '../../src/domain/holds/hold.ts';
import type { RunState } from '../../src/domain/schedule/run-state.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { DIGEST, worldThatWaits } from './support/approvals.ts';
import { inStore } from './support/in-store.ts';
import { running } from './support/fake-engine.ts';
import { type FakeWorld, fakeWorld, NOW } from './support/fake-world.ts';
import { playDoubt, playEnd, playSettle } from './support/play.ts';
import { writableDb } from '../../src/store/database/writable.ts';

const HOLD: Hold = {
  n: 1,
  kind: 'PAUSE',
  reason: 'lunch',
  by: 'zoe',
  since: '2026-11-21T08:00:00.000Z',
  facts: {},
};

const items = async (world: FakeWorld, ...args: string[]) =>
  (await world.json('inbox', ...args)).value['items'] as Record<string, unknown>[];

const brief = (all: readonly Record<string, unknown>[]) =>
  all.map(({ kind, waitsFor, missing }) => [kind, waitsFor, missing]);

describe('bursar inbox', () => {
  it('lists the batches that wait for an approval, the possible approvers, the time and the reason', async () => {
    const world = await worldThatWaits();
    const { code, value } = await world.json('inbox');
    expect([code, value['schema']]).toEqual([0, 'bursar.inbox/v1']);
    expect(value['items']).toEqual([
      {
        kind: 'APPROVAL',
        batchId: 'payroll',
        waitsFor: ['bob', 'carol'],
        missing: ['2 more from finance: bob, carol'],
        gaps: [{ count: 2, roles: ['finance'], candidates: ['bob', 'carol'] }],
        since: '2026-11-21T09:00:00.000Z',
        due: null,
        submittedBy: 'alice',
        totals: [{ currency: 'USDT_TRC20', total: '60.5' }],
        command: 'bursar approve payroll --key FILE',
      },
    ]);
    const { out } = await world.run('inbox');
    expect(out).toContain('Approval  payroll since 2026-11-21 09:00:00 UTC, for: bob, carol');
    expect(out).toContain('60.50 USDT (TRC20), submitted by alice');
  });

  it('lists for one person the batches that wait for them, or for any approver', async () => {
    const world = await worldThatWaits({ status: { holds: [HOLD] } });
    await inStore(world, (store) =>
      store.approvals.add(approvalBy('bob', { subject: DIGEST }), NOW_MS),
    );
    const kinds = async (name: string) => brief(await items(world, '--for', name));
    const pause = ['HOLD', [], ['paused by zoe: lunch']];
    expect(await kinds('bob')).toEqual([pause]);
    expect(await kinds('Carol')).toEqual([
      pause,
      ['APPROVAL', ['carol'], ['1 more from finance: carol']],
    ]);
    expect((await world.run('inbox', '--for', 'a b')).code).toBe(2);
  });

  it.each([
    { what: 'is paused', status: { holds: [HOLD] }, kinds: ['HOLD'] },
    { what: 'reads the balance', status: { state: 'CHECKING_FUNDS' as const }, kinds: [] },
    {
      what: 'was held when it was canceled',
      status: { state: 'SETTLING' as const, holds: [HOLD], canceledBy: 'ann' },
      kinds: [],
    },
    {
      what: 'was canceled though money left without an order',
      status: {
        state: 'SETTLING' as const,
        canceledBy: 'ann',
        approval: null,
        holds: [HOLD, { ...HOLD, n: 2, kind: 'BALANCE' as const }],
      },
      kinds: ['HOLD'],
    },
  ])('lists no approval for a batch that has enough and $what', async ({ status, kinds }) => {
    const world = await worldThatWaits({ status });
    await inStore(world, async (store) => {
      await store.approvals.add(approvalBy('bob', { subject: DIGEST }), NOW_MS);
      await store.approvals.add(approvalBy('carol', { subject: DIGEST }), NOW_MS);
    });
    expect((await items(world)).map(({ kind }) => kind)).toEqual(kinds);
  });

  it('refuses a name that is no approver: a mistyped name must not get an empty list', async () => {
    const world = await worldThatWaits();
    expect((await world.run('inbox', '--for', 'bobb')).out).toBe('');
    const people = ['bob', 'dora'].map(
      (name) => `[[approval.people]]\nname = "${name}"\nroles = ["finance"]\n`,
    );
    const tier1 =
      '[approval]\nmode = "unsigned"\n[[approval.tiers]]\nabove = "1"\napprovals = 1\nroles = ["finance"]\n';
    writeFileSync(join(world.world.cwd, 'bursar.toml'), `${tier1}${people.join('')}`);
    const mistyped = await world.run('inbox', '--for', 'bobb');
    expect([mistyped.code, mistyped.err]).toEqual([
      2,
      expect.stringContaining('there is no person "bobb"; known are bob, carol, dora'),
    ]);
    expect((await world.run('inbox', '--for', 'Dora')).code).toBe(0);
  });

  it('lists batches that wait for an approval without a worker, from the store', async () => {
    const world = await worldThatWaits();
    world.engine.workers = false;
    expect(await items(world)).toEqual([]);
    world.engine.executions.set('payroll', running(undefined, 'AWAITING_APPROVAL'));
    expect(brief(await items(world))).toEqual([
      ['APPROVAL', ['bob', 'carol'], ['2 more from finance: bob, carol']],
    ]);
  });

  it('lists a hold with its reason when it waits for an approval, and with its command otherwise', async () => {
    const hold = { ...HOLD, kind: 'FEE_CAP', reason: 'fees of 9 %', by: 'the rules' } as const;
    const held = await worldThatWaits({ status: { state: 'PAYING', holds: [hold] } });
    const [item] = await items(held);
    expect(item).toMatchObject({
      kind: 'HOLD',
      waitsFor: ['bob', 'carol'],
      since: HOLD.since,
      missing: ['fee cap by the rules: fees of 9 %', '2 more from finance: bob, carol'],
    });
    const policy = policyOf({ tiers: [tier(1, { above: '1000' })] });
    const free = await worldThatWaits({
      policy,
      status: { state: 'PAYING', holds: [hold], approval: null },
    });
    expect(await items(free)).toMatchObject([
      { kind: 'HOLD', waitsFor: [], command: 'bursar resume payroll --hold 1 --reason TEXT' },
    ]);
  });

  it('lists chunks that need an operator, and accounts that need a top-up', async () => {
    const note = 'The batch needs 61.00 USDT (TRC20) with fees. The account has 1.00.';
    const fundsUntil = '2026-11-23T10:00:00.000Z';
    const world = await worldThatWaits({
      status: { state: 'AWAITING_FUNDS', note, fundsUntil, approval: null },
    });
    await inStore(world, async (store) => {
      await setPolicy(store, 'payroll', null);
      await playDoubt(store, 'payroll');
    });
    expect(brief(await items(world))).toEqual([
      ['FUNDS', [], [note]],
      ['OPERATOR', [], ['an answer for chunk 0 (LOOKUP_UNPROVEN)']],
    ]);
    expect(await items(world)).toMatchObject([{ until: fundsUntil }, {}]);
    const { out } = await world.run('inbox');
    expect(out).toContain('  bursar funds');
    expect(out).toContain(', until 2026-11-23 10:00:00 UTC, in 2 days, for: payments team\n');
    expect((await world.run('status', 'payroll')).out).toContain(
      'Waiting for a top-up until 2026-11-23 10:00:00 UTC, in 2 days',
    );
  });

  it('lists mass payouts that wait for people at the service, and where to act', async () => {
    const world = await worldThatWaits({ status: { state: 'SETTLING', approval: null } });
    await inStore(world, async (store) => {
      await playSettle(store, 'payroll', { outcome: 'IN_FLIGHT' });
      const pending = { mass_state: 'PENDING_CONFIRMATION', final: 0 };
      const stateSinceMs = Date.parse('2026-11-21T09:01:30Z');
      await writableDb(store)
        .updateTable('chunk')
        .set({ ...pending, state_since_ms: stateSinceMs })
        .execute();
    });
    expect(await items(world)).toMatchObject([
      {
        kind: 'CONFIRMATION',
        batchId: 'payroll',
        waitsFor: [],
        since: '2026-11-21T09:01:30.000Z',
        missing: ['mass payout mp-1, 60.50 USDT (TRC20)'],
        command: "confirm or decline in the service's own interface",
      },
    ]);
    await inStore(world, async (store) => {
      const db = writableDb(store);
      await db.updateTable('chunk').set({ mass_state: 'CONFIRMED' }).execute();
    });
    expect(await items(world)).toEqual([]);
  });

  it('lists runs that never began, for two weeks or until a person starts them', async () => {
    const world = fakeWorld({ cwd: temporaryFolder() });
    const rule = ['--calendar', 'daily 09:00', '--timezone', 'UTC', '--file', 'pay-{date}.csv'];
    await world.run('schedule', 'create', 'rent', ...rule, '--yes');
    const note = (day: string, state: RunState) =>
      inStore(world, (store) => {
        const dueAtMs = Date.parse(`2026-11-${day}T09:00:00Z`);
        const run = { scheduleId: 'rent', nominal: `2026-11-${day}T09:00` };
        return store.scheduleRuns.note(run, { state, detail: 'why', dueAtMs, atMs: dueAtMs });
      });
    await note('06', 'MISSED');
    await note('17', 'FAILED');
    await note('18', 'SKIPPED');
    await note('19', 'ENDED');
    await note('20', 'MISSED');
    const all = await items(world);
    expect(all).toEqual([
      expect.objectContaining({ run: '2026-11-17T09:00', missing: ['failed: why'] }),
      {
        kind: 'RUN',
        batchId: 'rent-2026-11-20',
        scheduleId: 'rent',
        run: '2026-11-20T09:00',
        waitsFor: [],
        missing: ['missed: why'],
        gaps: [],
        since: '2026-11-20T09:00:00.000Z',
        due: '2026-11-20T09:00:00.000Z',
        submittedBy: 'alice',
        totals: [],
        command: 'bursar schedule trigger rent --run 2026-11-20T09:00 --reason TEXT',
      },
    ]);
    const { out } = await world.run('inbox');
    expect(out).toContain('Run  rent for 2026-11-20T09:00 since 2026-11-20 09:00:00 UTC');
    expect(out).toContain('would be batch rent-2026-11-20; make sure first that it was not paid');
  });

  it('shows since when a run has failed that is due later', async () => {
    const world = fakeWorld({ cwd: temporaryFolder() });
    const rule = ['--calendar', 'daily 09:00', '--timezone', 'UTC', '--file', 'pay-{date}.csv'];
    await world.run('schedule', 'create', 'rent', ...rule, '--yes');
    const failed = { state: 'FAILED', detail: 'why', atMs: Date.parse(NOW) - 1_000 } as const;
    const dueAtMs = Date.parse('2026-11-22T09:00:00Z');
    await inStore(world, (store) =>
      store.scheduleRuns.note(
        { scheduleId: 'rent', nominal: '2026-11-22T09:00' },
        { ...failed, dueAtMs },
      ),
    );
    expect(await items(world)).toMatchObject([
      { since: new Date(failed.atMs).toISOString(), due: '2026-11-22T09:00:00.000Z' },
    ]);
    const { out } = await world.run('inbox');
    expect(out).toContain(
      'would be batch rent-2026-11-22, due 2026-11-22 09:00:00 UTC, in 1 day; make sure',
    );
  });

  it('lists a run that was missed without a worker', async () => {
    const world = fakeWorld({ cwd: temporaryFolder() });
    const rule = ['--calendar', 'daily 09:00', '--timezone', 'UTC', '--file', 'pay-{date}.csv'];
    await world.run('schedule', 'create', 'rent', ...rule, '--yes');
    await inStore(world, async (store) => {
      const db = writableDb(store);
      const createdAtMs = Date.parse('2026-11-19T12:00:00Z');
      const times = { created_at_ms: createdAtMs, checked_until_ms: createdAtMs };
      await db.updateTable('schedule').set(times).execute();
    });
    expect(await items(world)).toMatchObject([{ kind: 'RUN', run: '2026-11-20T09:00' }]);
  });

  it('is empty when nothing waits, and leaves out ended batches', async () => {
    const world = await worldThatWaits({ status: { state: 'PAYING', approval: null } });
    expect((await world.run('inbox')).err).toContain('Nothing is waiting.');
    const ended = await worldThatWaits();
    await inStore(ended, (store) => playEnd(store, 'payroll', { state: 'CANCELED' }));
    expect(await items(ended)).toEqual([]);
    ended.engine.isDown = true;
    expect((await ended.run('inbox')).code).toBe(6);
  });
});

describe('bursar audit', () => {
  const append = (world: FakeWorld, action: string, batchId: string | null = 'payroll') =>
    inStore(world, (store) =>
      store.audit.append({ atMs: NOW_MS, batchId, actor: 'zoe', action, detail: { why: 'x\n' } }),
    );

  const stepsSoFar = (world: FakeWorld) =>
    inStore(world, async (store) => (await store.audit.head()).seq);

  it('lists each decision with its person, and reports that the log is whole', async () => {
    const world = await worldThatWaits();
    const before = await stepsSoFar(world);
    // The first entry of the batch in this hour has a head in the store chain.
    await append(world, 'one');
    await append(world, 'two', null);
    const { code, value } = await world.json('audit');
    expect(code).toBe(0);
    expect(value).toMatchObject({
      schema: 'bursar.audit/v1',
      whole: true,
      checked: before + 3,
      broken: null,
      head: { seq: before + 3 },
      entries: [
        { at: '2026-11-21T09:00:00.000Z', batchId: 'payroll', actor: 'zoe', action: 'one' },
        { seq: before + 3, batchId: null, action: 'two', detail: { why: 'x\n' } },
      ],
    });
    const ofBatch = (await world.json('audit', 'payroll')).value['entries'] as unknown[];
    expect(ofBatch).toHaveLength(1);
    const { out, err } = await world.run('audit');
    expect(out).toContain(`${before + 1}  2026-11-21 09:00:00 UTC\n    zoe one in batch payroll\n`);
    const end = `The log is whole: ${before + 3} entries. Its end, to be kept elsewhere: ${before + 3}:`;
    expect(err).toContain(end);
  });

  it('shows sentences that fit a narrow terminal', async () => {
    const world = await worldThatWaits();
    const reason = 'the totals of the file are those that HR has sent on Monday';
    const entry = { atMs: NOW_MS, actor: 'bob', action: 'approve', detail: { reason } };
    await inStore(world, (store) => store.audit.append({ ...entry, batchId: 'payroll' }));
    const narrow = fakeWorld({ cwd: world.world.cwd, columns: 60 });
    const { out } = await narrow.run('audit');
    expect(out).toContain(
      '    bob approved batch payroll: the totals of the file are\n    those that HR has sent on Monday',
    );
    const longest = Math.max(...out.split('\n').map((line) => line.length));
    expect(longest).toBeLessThanOrEqual(60);
  });

  it('lists the steps of the engine with their changes on demand', async () => {
    const world = await worldThatWaits();
    const { value } = await world.json('audit', 'payroll', '--all');
    const entries = value['entries'] as Record<string, unknown>[];
    expect(entries.map(({ action }) => action)).toContain('take');
    expect(entries[0]).toMatchObject({ facts: { batch: { generation: 0 } } });
  });

  it('refuses an unknown batch: a mistyped id must not look audited', async () => {
    const world = await worldThatWaits();
    const { code, value } = await world.json('audit', 'pyroll');
    expect([code, value['code']]).toEqual([5, 'BATCH_NOT_FOUND']);
    await append(world, 'submit-rejected', 'refused-before-it-began');
    expect((await world.json('audit', 'refused-before-it-began')).code).toBe(0);
  });

  it('is whole when it is empty, and longer than a page', async () => {
    const world = await worldThatWaits();
    expect((await world.json('audit')).value).toMatchObject({ whole: true, entries: [] });
    await inStore(world, async (store) => {
      const entry = { atMs: NOW_MS, batchId: null, actor: 'a', action: 'b', detail: {} };
      await Promise.all(Array.from({ length: 501 }, () => store.audit.append(entry)));
    });
    expect((await world.json('audit')).value['entries']).toHaveLength(501);
  });

  it('shows that it was changed, and where, with an exit code of its own', async () => {
    const world = await worldThatWaits();
    for (const action of ['one', 'two', 'three']) await append(world, action);
    const seq = (await stepsSoFar(world)) - 1;
    await inStore(world, async (store) => {
      const db = writableDb(store);
      await sql.raw(`update audit set actor = 'eve' where seq = ${seq}`).execute(db);
    });
    const { code, value } = await world.json('audit', 'payroll');
    expect(code).toBe(14);
    expect(value).toMatchObject({ whole: false, broken: { seq } });
    expect((await world.run('audit')).err).toContain('AUDIT_BROKEN');
  });
});

describe('bursar inbox of batches without a running workflow', () => {
  it.each([
    ['Temporal forgot', undefined, 'Temporal no longer has it'],
    ['a person terminated', 'TERMINATED', 'its workflow is closed (TERMINATED)'],
  ])('names one that %s, and the command that continues it', async (_who, status, why) => {
    const world = await worldThatWaits();
    world.engine.executions.clear();
    if (status !== undefined) {
      world.engine.executions.set('payroll', { ...running(undefined), status });
    }
    expect(await items(world)).toMatchObject([
      {
        kind: 'LOST',
        batchId: 'payroll',
        waitsFor: [],
        since: null,
        missing: [`no workflow runs it: ${why}`],
        command: 'bursar recover payroll',
      },
    ]);
  });

  it('names none that has ended', async () => {
    const world = await worldThatWaits();
    world.engine.executions.clear();
    await inStore(world, (store) => playEnd(store, 'payroll', { state: 'CANCELED' }));
    expect(await items(world)).toEqual([]);
  });
});
