import { describe, expect, it } from '@jest/globals';
import type { Approval } from '../../src/domain/approval/statement.ts';
import { approvalBy, DAY_MS, isoOf, NOW_MS, policyOf, signed } from '../support/approvers.ts';
import { DIGEST, keyFile, TOTALS, worldThatWaits } from './support/approvals.ts';
import { inStore } from './support/in-store.ts';
import { liveStatus } from './support/fake-engine.ts';

const HOLD = { kind: 'STOP_LOSS', reason: '6 rows failed', by: 'Bursar', facts: {} } as const;

const saidBy = (name: string, more: Parameters<typeof approvalBy>[1] = {}): Approval =>
  approvalBy(name, { subject: DIGEST, ...more });

/** What status says of a batch about which this is written down. */
async function statusWith(said: Approval) {
  const world = await worldThatWaits();
  await inStore(world, (store) => store.approvals.add(said, NOW_MS));
  const { out } = await world.run('status', 'payroll');
  return { out, world };
}

describe('a batch that has ended', () => {
  it('keeps who decided about its plan, when, why, and how that was signed', async () => {
    const world = await worldThatWaits();
    const long = NOW_MS - 100 * DAY_MS;
    const times = { issuedAt: isoOf(long), expiresAt: isoOf(long + DAY_MS) };
    const given = [
      saidBy('bob', { ...times, reason: 'checked with HR' }),
      { ...saidBy('carol', times), reason: 'not what carol wrote' },
    ];
    await inStore(world, async (store) => {
      for (const one of given) await store.approvals.add(one, long);
      await store.batches.end('payroll', { state: 'COMPLETED', atMs: NOW_MS, error: null });
    });
    const { out } = await world.run('status', 'payroll', '--json');
    const shown = JSON.parse(out) as Readonly<Record<string, unknown>>;
    expect([shown['isOver'], shown['approval'], shown['decisions']]).toEqual([
      true,
      undefined,
      [
        {
          person: 'bob',
          decision: 'approve',
          reason: 'checked with HR',
          issuedAt: times.issuedAt,
          about: 'plan',
          signedBy: 'ed25519',
          isGenuine: true,
          why: null,
          code: null,
        },
        expect.objectContaining({ person: 'carol', signedBy: null, isGenuine: false }),
      ],
    ]);
  });
});

describe('bursar status of a batch that waits for people', () => {
  it('shows who approved, and which approvals are missing', async () => {
    const { out } = await statusWith(saidBy('bob'));
    expect(out).toMatch(/approved +by bob, 2026-11-21 09:00:00 UTC\n/);
    expect(out).toMatch(/still needed +1 more from finance: carol/);
    expect(out).not.toMatch(/expired|NOT GENUINE/);
  });

  it('does not call a lapsed approval approved', async () => {
    const lapsed = { issuedAt: isoOf(NOW_MS - 2_000), expiresAt: isoOf(NOW_MS - 1_000) };
    const { out } = await statusWith(saidBy('bob', lapsed));
    expect(out).toMatch(/expired +by bob, 2026-11-21 08:59:58 UTC: The approval expired at 2026-/);
    expect(out).toMatch(/still needed +2 more from finance: bob, carol/);
    expect(out).not.toMatch(/approved/);
  });

  it.each<[string, Approval]>([
    ['signed', signed(saidBy('carol'), 'eve')],
    ['changed', { ...saidBy('carol'), expiresAt: isoOf(NOW_MS + 9_000) }],
    ['damaged', { ...saidBy('carol'), issuedAt: 'long ago' }],
  ])(
    'shows the decision of another person (%s), and so do inbox and approve',
    async (_what, one) => {
      const { out, world } = await statusWith(one);
      expect(out).toMatch(/NOT GENUINE +by carol, .*Find out who can write to the store/);
      expect(out).not.toMatch(/approved/);
      expect((await world.run('inbox')).out).toContain('NOT GENUINE, in the name of carol');
      const key = keyFile(world, 'carol');
      const { code, err } = await world.run(
        'approve',
        'payroll',
        '--key',
        key,
        '--confirm',
        TOTALS,
      );
      expect([code, world.engine.updates]).toMatchObject([0, [{ approval: { person: 'carol' } }]]);
      expect(err).toContain('NOT GENUINE');
    },
  );

  it.each([
    [policyOf(), HOLD, 'bursar approve payroll --key FILE'],
    [null, HOLD, 'bursar resume payroll --hold 1 --reason'],
    [policyOf(), { ...HOLD, kind: 'PAUSE' } as const, 'bursar resume payroll --hold 1 --reason'],
  ])('shows how a batch goes on after a hold: %#', async (policy, hold, command) => {
    const world = await worldThatWaits({ policy });
    const put = await inStore(world, (store) => store.holds.put('payroll', hold, NOW_MS));
    const live = liveStatus({ state: 'PAYING', holds: [put], approval: null });
    for (const workers of [true, false]) {
      world.engine.workers = workers;
      world.engine.statuses.set('payroll', live);
      const { out } = await world.run('status', 'payroll');
      expect(out).toContain(`(hold 1)\n  ${command}`);
    }
  });
});
