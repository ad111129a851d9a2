import { describe, expect, it } from '@jest/globals';
import type { ApprovalPolicy } from '../../../src/domain/approval/policy.ts';
import type { HouseRules } from '../../../src/domain/plan/rules.ts';
import { rulesInWords } from '../../../src/domain/plan/rules-in-words.ts';
import { POLICY, RULES } from './support/house-rules.ts';

const USDT = { currency: 'USDT_TRC20', amount: '1000' };
const [TIER] = POLICY.tiers;
const [PERSON] = POLICY.people;
if (TIER === undefined || PERSON === undefined) throw new Error('the policy has no tier or person');

describe('the house rules as sentences', () => {
  it('state the defaults where nothing is set', () => {
    expect(rulesInWords(RULES)).toEqual({
      approval: ['No approval is needed.'],
      approvers: [],
      findings: ['Payments of the last 25 days are looked at.'],
      limits: ['No limits.'],
      fees: ['Fees may rise by 20 % before the due time.'],
    });
  });

  it('state everything that is set', () => {
    const rules: HouseRules = {
      approval: POLICY,
      findings: { confirm: ['TAG_MAY_BE_NEEDED'], block: ['ADDRESS_BURN', 'DUPLICATE_ROW'] },
      historyDays: 1,
      limits: { row: [USDT], batch: [], day: [{ currency: 'BTC', amount: '2' }, USDT], payee: [] },
      fees: { driftMaxPercent: null, shareMaxPercent: '2', totalMax: [USDT] },
    };
    expect(rulesInWords(rules)).toEqual({
      approval: [
        'Approvals are signed.',
        'An approval counts for 3 days.',
        'Above 1000 USDT_TRC20: 2 approvals by finance or board, among them one by board.',
      ],
      approvers: ['bob may approve: board, ed25519:b, submits as "bob.b" or "root".'],
      findings: [
        'These stop a batch: ADDRESS_BURN, DUPLICATE_ROW.',
        'These must be accepted: TAG_MAY_BE_NEEDED.',
        'Payments of the last 1 day are looked at.',
      ],
      limits: [
        'A row: at most 1000 USDT_TRC20.',
        'All batches of a day: at most 2 BTC, 1000 USDT_TRC20.',
      ],
      fees: [
        'Fees may rise before the due time.',
        'Fees: at most 2 % of the amount.',
        'Fees of a batch: at most 1000 USDT_TRC20.',
      ],
    });
  });

  it('warn in capitals that approvals are unsigned', () => {
    const { approval } = rulesInWords({ ...RULES, approval: { ...POLICY, mode: 'unsigned' } });
    expect(approval[0]).toMatch(/UNSIGNED/);
  });

  const approving = (change: Partial<ApprovalPolicy>): HouseRules => ({
    ...RULES,
    approval: { ...POLICY, ...change },
  });
  const tier = (change: Partial<typeof TIER>) => approving({ tiers: [{ ...TIER, ...change }] });
  const person = (change: Partial<typeof PERSON>) =>
    approving({ people: [{ ...PERSON, ...change }] });
  const limits = (change: Partial<HouseRules['limits']>): HouseRules => ({
    ...RULES,
    limits: { ...RULES.limits, ...change },
  });
  const fees = (change: Partial<HouseRules['fees']>): HouseRules => ({
    ...RULES,
    fees: { ...RULES.fees, ...change },
  });

  it('are different for different rules', () => {
    const all: HouseRules[] = [
      RULES,
      approving({}),
      approving({ mode: 'unsigned' }),
      approving({ expiresAfterMs: 259_200_001 }),
      approving({ tiers: [] }),
      approving({ people: [] }),
      tier({ currency: null }),
      tier({ above: '0' }),
      tier({ approvals: 1 }),
      tier({ roles: [] }),
      tier({ roles: ['finance'] }),
      tier({ mustInclude: [] }),
      tier({ mustInclude: ['finance', 'board'] }),
      person({ name: 'alice' }),
      person({ publicKey: null }),
      person({ publicKey: 'ed25519:c' }),
      person({ roles: [] }),
      person({ users: [] }),
      person({ users: ['bob.b" or "root'] }),
      { ...RULES, findings: { confirm: ['ADDRESS_BURN'], block: [] } },
      { ...RULES, findings: { confirm: [], block: ['ADDRESS_BURN'] } },
      { ...RULES, historyDays: 26 },
      { ...RULES, payees: { knownAbove: [USDT], paidBefore: true } },
      { ...RULES, payees: { knownAbove: [USDT], paidBefore: false } },
      { ...RULES, payees: { knownAbove: [{ ...USDT, amount: '1001' }], paidBefore: false } },
      limits({ row: [USDT] }),
      limits({ batch: [USDT] }),
      limits({ day: [USDT] }),
      limits({ payee: [USDT] }),
      limits({ payee: [{ ...USDT, amount: '1001' }] }),
      fees({ driftMaxPercent: null }),
      fees({ driftMaxPercent: '0' }),
      fees({ shareMaxPercent: '1' }),
      fees({ totalMax: [USDT] }),
    ];
    expect(new Set(all.map((rules) => JSON.stringify(rulesInWords(rules)))).size).toBe(all.length);
  });
});
