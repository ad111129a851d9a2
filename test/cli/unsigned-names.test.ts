import { describe, expect, it } from '@jest/globals';
import type { ApprovalPolicy } from '../../src/domain/approval/policy.ts';
import { policyOf, setPolicy } from '../support/approvers.ts';
import { createSchedule, definition } from '../support/schedule-definitions.ts';
import { bobApproves, writeKeyFile } from '../support/signing-people.ts';
import { type FakeWorld, fakeWorld } from './support/fake-world.ts';
import { inStore } from './support/in-store.ts';
import { payrollWorld } from './support/payroll-world.ts';
import { playDoubt, playEnd } from './support/play.ts';

/** Settings with a policy, of a person who has no key at hand. */
const { BURSAR_OPERATOR_KEY_FILE: _, ...POLICY } = bobApproves('USDT_TRC20');

type Options = Readonly<{ policy?: ApprovalPolicy | null; env?: Record<string, string> }>;

/** A batch in doubt. Its plan has the policy; the settings of the command line may have none. */
async function doubtfulWorld({ policy = policyOf(), env = {} }: Options = {}): Promise<FakeWorld> {
  const made = await payrollWorld(async (store) => {
    await playDoubt(store, 'payroll');
    await setPolicy(store, 'payroll', policy);
  });
  return fakeWorld({ cwd: made.world.cwd, engine: made.engine, env });
}

/** The names in the audit log for some actions. */
const namesOf = (made: FakeWorld, ...actions: string[]): Promise<string[]> =>
  inStore(made, async ({ audit }) =>
    (await audit.list({ limit: 1_000 }))
      .filter(({ action }) => actions.includes(action))
      .map(({ actor, action }) => `${actor}: ${action}`),
  );

describe('under a policy the log marks a name that did not sign', () => {
  it.each([
    ['pause', 'hold'],
    ['cancel', 'cancel'],
  ])('of %s, while the command line needs no policy', async (command, action) => {
    const made = await doubtfulWorld();
    expect((await made.run(command, 'payroll', '--reason', 'wrong month')).code).toBe(0);
    // The same person may still say it again.
    expect((await made.run(command, 'payroll', '--reason', 'wrong month')).code).toBe(0);
    expect(await namesOf(made, action)).toEqual([`alice (unsigned): ${action}`]);
  });

  it.each([
    ['pause', 'hold'],
    ['cancel', 'cancel'],
  ])('of %s, before the batch has a plan', async (command, action) => {
    const made = await doubtfulWorld({ policy: null, env: POLICY });
    expect((await made.run(command, 'payroll', '--reason', 'wrong month')).code).toBe(0);
    expect(await namesOf(made, action)).toEqual([`alice (unsigned): ${action}`]);
  });

  it('of a refused act', async () => {
    const made = await doubtfulWorld({ env: POLICY });
    expect((await made.run('recover', '--store', 'older', '--yes')).code).not.toBe(0);
    expect(await namesOf(made, 'recover-rejected')).toEqual(['alice (unsigned): recover-rejected']);
    const plain = await doubtfulWorld();
    await plain.run('resend', 'payroll', '--confirm-not-paid-elsewhere', '--yes');
    expect(await namesOf(plain, 'resend-rejected')).toEqual(['alice (unsigned): resend-rejected']);
  });

  it('of an act on a schedule', async () => {
    const made = await doubtfulWorld({
      env: {
        ...POLICY,
        BURSAR_APPROVAL_TIERS: JSON.stringify([
          { currency: 'BTC', above: '100', approvals: 1, roles: ['finance'] },
        ]),
      },
    });
    const rule = ['--cron', '0 9 * * *', '--timezone', 'UTC', '--file', 'pay-{date}.csv'];
    await made.run('schedule', 'create', 'rent', ...rule, '--yes');
    await made.run('schedule', 'pause', 'rent', '--note', 'audit');
    await made.run('schedule', 'resume', 'rent');
    await made.run('schedule', 'delete', 'rent', '--yes');
    const actions = ['schedule-create', 'schedule-pause', 'schedule-resume', 'schedule-delete'];
    expect(await namesOf(made, ...actions)).toEqual(
      actions.map((action) => `alice (unsigned): ${action}`),
    );
  });

  it('of an act on a run, unless the person signs the exact reason', async () => {
    const made = await doubtfulWorld({ env: POLICY });
    await inStore(made, (store) => createSchedule(store, definition(), 1));
    writeKeyFile(made.world.cwd, 'alice');
    const run = ['--run', '2026-11-22T09:00', '--reason', 'late file', '--yes'];
    const { code, err } = await made.run(
      'schedule',
      'trigger',
      'rent',
      ...run,
      '--key',
      'alice.key',
    );
    expect([code, err]).toEqual([0, expect.anything()]);
    expect(made.engine.demands).toMatchObject([
      { by: 'alice', submission: { person: 'alice', decision: 'submit', reason: 'late file' } },
    ]);
  });

  it('of a report that was written again', async () => {
    const made = await doubtfulWorld();
    await inStore(made, (store) => playEnd(store, 'payroll', { state: 'PARTIAL' }));
    expect((await made.run('report', 'payroll')).code).toBe(0);
    expect(await namesOf(made, 'report')).toEqual(['alice (unsigned): report']);
  });

  it('and no one without a key declares that the store is an older copy, whose batches have the policy', async () => {
    const made = await doubtfulWorld();
    made.engine.executions.clear();
    const { code, value } = await made.json('recover', '--store', 'older', '--yes');
    expect([code, value['code']]).toEqual([2, 'APPROVAL_UNSIGNED']);
    const restoredAtMs = await inStore(made, ({ restores }) => restores.lastAtMs());
    expect([restoredAtMs, await namesOf(made, 'store-older')]).toEqual([undefined, []]);
  });

  it('of a recovery, whose statement has the signed reason', async () => {
    const made = await doubtfulWorld({ env: POLICY });
    await inStore(made, (store) => createSchedule(store, definition(), 1));
    writeKeyFile(made.world.cwd, 'alice');
    made.engine.executions.clear();
    const flags = ['--store', 'older', '--yes', '--key', 'alice.key'];
    expect((await made.run('recover', ...flags)).code).toBe(0);
    const actions = ['recover', 'schedule-recover', 'schedule-pause', 'hold'];
    expect(new Set(await namesOf(made, ...actions))).toEqual(
      new Set(actions.map((action) => `alice (unsigned): ${action}`)),
    );
    const noted = await inStore(made, ({ audit }) => audit.list({ limit: 1_000 }));
    expect(noted.filter(({ action }) => action === 'store-older')).toMatchObject([
      {
        actor: 'alice',
        detail: { reason: 'the store was brought back from an older copy', signed: true },
      },
    ]);
  });
});

it('without a policy names stay unmarked', async () => {
  const made = await doubtfulWorld({ policy: null });
  await made.run('pause', 'payroll', '--reason', 'wrong month');
  await made.run('cancel', 'payroll', '--reason', 'wrong month');
  expect(await namesOf(made, 'hold', 'cancel')).toEqual(['alice: hold', 'alice: cancel']);
});
