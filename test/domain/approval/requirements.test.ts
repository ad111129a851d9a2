import { describe, expect, it } from '@jest/globals';
import {
  approvalNeeds,
  policyAheadText,
  policyText,
} from '../../../src/domain/approval/policy-text.ts';
import { questionOf } from '../../../src/domain/approval/question.ts';
import { reachOf, requirementsOf } from '../../../src/domain/approval/requirements.ts';
import { person, policyOf, question, SUBJECT, tier } from '../../support/approvers.ts';
import { passkeyOf } from '../../support/passkeys.ts';

const TIERS = [
  tier(3, { above: '100000' }),
  tier(1, { above: '1000' }),
  tier(2, { above: '5000', currency: 'USDT_TRC20' }),
  tier(4, { above: '0.00000001', currency: 'BTC' }),
];

describe('the requirements of a policy', () => {
  it.each<{ currency: string; total: string; approvals: number | undefined }>`
    currency        | total                              | approvals
    ${'USDT_TRC20'} | ${'1000'}                          | ${undefined}
    ${'USDT_TRC20'} | ${'1000.000000000000000000000001'} | ${1}
    ${'USDT_TRC20'} | ${'5000'}                          | ${1}
    ${'USDT_TRC20'} | ${'5000.01'}                       | ${2}
    ${'USDT_TRC20'} | ${'900000'}                        | ${2}
    ${'TRX'}        | ${'900000'}                        | ${3}
    ${'TRX'}        | ${'100000'}                        | ${1}
    ${'BTC'}        | ${'0.00000001'}                    | ${undefined}
    ${'BTC'}        | ${'0.00000002'}                    | ${4}
    ${'BTC'}        | ${'90071992547409930000000'}       | ${4}
  `('for $total $currency is $approvals', ({ currency, total, approvals }) => {
    const policy = policyOf({ tiers: TIERS });
    const found = requirementsOf(policy, [{ currency, total }]);
    expect(found.map((one) => one.tier.approvals)).toEqual(
      approvals === undefined ? [] : [approvals],
    );
  });

  it('apply to each currency of a file', () => {
    const totals = [
      { currency: 'TRX', total: '2000' },
      { currency: 'BTC', total: '1' },
      { currency: 'TON', total: '1' },
    ];
    const found = requirementsOf(policyOf({ tiers: TIERS }), totals);
    expect(found.map((one) => [one.currency, one.tier.approvals])).toEqual([
      ['TRX', 1],
      ['BTC', 4],
    ]);
  });

  it('are empty without a policy, or below every tier', () => {
    const { policy, subject: _, ...parts } = question();
    const whole = { ...parts, digest: SUBJECT, hold: null };
    expect(questionOf({ ...whole, policy })).toEqual(question());
    expect(questionOf({ ...whole, policy: null })).toBeNull();
    const small = { ...whole, totals: [{ currency: 'TRX', total: '1000' }] };
    expect(questionOf({ ...small, policy: policyOf({ tiers: TIERS }) })).toBeNull();
  });
});

describe('how many of all batches wait for approvals', () => {
  it.each([
    ['none', null],
    ['some', policyOf({ tiers: TIERS })],
    ['some', policyOf({ tiers: [tier(1, { currency: 'TRX' })] })],
    ['all', policyOf({ tiers: [...TIERS, tier(1, { above: '0.00' })] })],
  ] as const)('is %s', (reach, policy) => {
    expect(reachOf(policy)).toBe(reach);
  });
});

describe('the sentences of schedules', () => {
  it('name every tier, since the totals are not known yet', () => {
    const tiers = [tier(2, { roles: ['finance'] }), tier(1, { above: '5', currency: 'TRX' })];
    expect(policyAheadText(policyOf({ tiers }))).toEqual([
      'A total above 0 of any currency needs 2 approvals of finance (alice, bob, carol), and not by the submitter.',
      'A total above 5.00 TRX needs 1 approval (alice, bob, carol, dave), and not by the submitter.',
    ]);
    expect(policyAheadText(null)).toEqual(policyText(null, []));
  });
});

describe('the approvals that a plan needs', () => {
  const totals = [
    { currency: 'USDT_TRC20', total: '1000' },
    { currency: 'BTC', total: '2' },
  ];

  it('name the number of people, their role and names, and the time', () => {
    const tiers = [tier(2, { roles: ['finance', 'it'], mustInclude: ['cfo'] })];
    expect(approvalNeeds(policyOf({ tiers }), totals)).toEqual([
      '2 people from finance or it (alice, bob, carol, dave), one of them from cfo, valid for 3 days',
    ]);
    expect(approvalNeeds(policyOf({ tiers: [tier(1)] }), totals)).toEqual([
      '1 person (alice, bob, carol, dave), valid for 3 days',
    ]);
  });

  it('are none without a policy, and below every limit', () => {
    expect(approvalNeeds(null, totals)).toEqual(['none: the settings name no approval tiers']);
    expect(approvalNeeds(policyOf({ tiers: [tier(1, { above: '1000' })] }), totals)).toEqual([
      'none: the totals are below every limit',
    ]);
  });

  it('say that unsigned approvals prove nothing', () => {
    expect(approvalNeeds(policyOf({ mode: 'unsigned' }), totals).at(-1)).toContain('UNSIGNED');
  });
});

describe('the sentences of plan and report', () => {
  const totals = [{ currency: 'USDT_TRC20', total: '1000' }];

  it('state that no approval is needed, and why', () => {
    expect(policyText(null, totals)).toEqual([
      'No approval is needed: the settings name no approval tiers.',
    ]);
    expect(policyText(policyOf({ tiers: [tier(1, { above: '1000' })] }), totals)).toEqual([
      'No approval is needed: the totals are not above any approval tier.',
    ]);
  });

  it('state the number of approvals, the people, the time, and that they are signed', () => {
    const tiers = [tier(2, { roles: ['finance', 'it'], mustInclude: ['cfo'] })];
    expect(policyText(policyOf({ tiers }), totals)).toEqual([
      '1,000.00 USDT (TRC20) (above 0.00) needs 2 approvals of finance or it (alice, bob, carol, dave), among the approvers one of cfo, and not by the submitter.',
      'An approval is valid for 3 days. Approvals are signed (Ed25519).',
    ]);
  });

  it('name passkeys where a person has one', () => {
    const people = [person('alice'), { ...person('bob'), publicKey: passkeyOf('bob') }];
    const [, how] = policyText(policyOf({ people }), totals);
    expect(how).toBe('An approval is valid for 3 days. Approvals are signed (Ed25519, passkeys).');
  });

  it('state that unsigned approvals prove nothing', () => {
    const [, how] = policyText(policyOf({ mode: 'unsigned' }), totals);
    expect(how).toContain('UNSIGNED');
    expect(how).toContain('For development only');
  });
});
