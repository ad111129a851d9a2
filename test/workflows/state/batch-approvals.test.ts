import { describe, expect, it } from '@jest/globals';
import { subjectOf } from '../../../src/domain/approval/question.ts';
import type { Approval } from '../../../src/domain/approval/statement.ts';
import {
  approvalImpossibility,
  approvalStatus,
  askedHold,
  isHoldApproved,
  isPlanApproved,
  judgeApprovals,
  needsApproval,
  openQuestion,
} from '../../../src/workflows/state/batch-approvals.ts';
import type { BatchEvent } from '../../../src/workflows/state/batch-state.ts';
import { approvalBy, isoOf, NOW_MS, policyOf, SUBJECT, tier } from '../../support/approvers.ts';
import { ACT, entered, holdPut, stateAfter } from '../support/batch-events.ts';

const HOUR_MS = 3_600_000;
const TOTALS = [{ currency: 'USDT_TRC20', total: '1000' }];
const proposed = (policy: ReturnType<typeof policyOf> | null): BatchEvent => ({
  kind: 'plan-proposed',
  plan: { policy, digest: SUBJECT, totals: TOTALS },
});
const PLAN = proposed(policyOf());
const recorded = (...approvals: Approval[]): BatchEvent[] =>
  approvals.map((approval) => ({ kind: 'approval-recorded', approval }));
const [BOB, CAROL] = [approvalBy('bob'), approvalBy('carol')] as const;
const REFUSAL = approvalBy('bob', { decision: 'refuse', reason: 'too much' });
const STOP_LOSS = holdPut(1, 'STOP_LOSS');
const HELD_PLAN = [PLAN, entered('PAYING'), STOP_LOSS];

describe('the plan of a batch is approved', () => {
  it.each<[string, BatchEvent[], boolean]>([
    ['before it is proposed', [], true],
    ['when no policy needs approvals', [proposed(null)], true],
    ['not before an approval', [PLAN], false],
    ['not by one of two', [PLAN, ...recorded(BOB)], false],
    ['by two of finance', [PLAN, ...recorded(BOB, CAROL)], true],
    ['not by a forged approval', [PLAN, ...recorded(BOB, { ...CAROL, signature: 'AAAA' })], false],
    [
      'not while another decision is being recorded',
      [PLAN, ...recorded(BOB, CAROL), { kind: 'approval-came', approval: REFUSAL }],
      false,
    ],
    ['not after a refusal', [PLAN, ...recorded(BOB, CAROL, REFUSAL)], false],
  ])('%s: %#', (_what, events, isApproved) => {
    expect(isPlanApproved(stateAfter(...events), NOW_MS)).toBe(isApproved);
  });

  it('until an approval lapses', () => {
    const lapses = approvalBy('carol', { expiresAt: isoOf(NOW_MS + HOUR_MS) });
    const state = stateAfter(PLAN, ...recorded(BOB, lapses));
    const times = [NOW_MS + HOUR_MS - 1, NOW_MS + HOUR_MS];
    expect(times.map((atMs) => isPlanApproved(state, atMs))).toEqual([true, false]);
  });
});

describe('approvers are notified', () => {
  it.each<[string, BatchEvent[], string | null]>([
    ['about nothing before there is a plan', [], null],
    ['about the plan', [PLAN], SUBJECT],
    ['about nothing once it is paid', [PLAN, entered('PAYING')], null],
    ['about the hold of a rule', HELD_PLAN, subjectOf(SUBJECT, STOP_LOSS.hold)],
    ['about no pause', [PLAN, entered('PAYING'), holdPut(1, 'PAUSE')], null],
    [
      'about that hold also when the batch was stopped',
      [...HELD_PLAN, { kind: 'canceled', act: ACT }],
      subjectOf(SUBJECT, STOP_LOSS.hold),
    ],
    ['about no hold without a policy', [proposed(null), STOP_LOSS], null],
  ])('%s', (_what, events, subject) => {
    expect(openQuestion(stateAfter(...events))?.subject ?? null).toBe(subject);
  });

  it('about the difference in the balance first, once the batch was stopped', () => {
    const holds = [...HELD_PLAN, holdPut(2, 'BALANCE')];
    const stopped = [...holds, { kind: 'canceled', act: ACT } as const];
    const asked = [holds, stopped].map((events) => askedHold(stateAfter(...events))?.n);
    expect(asked).toEqual([1, 2]);
  });

  it('about a hold until enough of them approved that hold, and no other', () => {
    const subject = subjectOf(SUBJECT, STOP_LOSS.hold);
    const both = recorded(approvalBy('bob', { subject }), approvalBy('carol', { subject }));
    const approved = [[], recorded(BOB, CAROL), both].map((approvals) =>
      isHoldApproved(stateAfter(...HELD_PLAN, ...approvals), NOW_MS),
    );
    expect(approved).toEqual([false, false, true]);
  });
});

describe('the approvals of a batch', () => {
  it.each([
    [proposed(null), false],
    [PLAN, true],
  ])('are needed where a policy demands them (%#)', (plan, isNeeded) => {
    expect(needsApproval(stateAfter(plan))).toBe(isNeeded);
  });

  it.each([
    [2, null],
    [9, 'APPROVAL_IMPOSSIBLE'],
  ])('that %i people must give are impossible: %s', (people, code) => {
    const policy = policyOf({ tiers: [tier(people, { roles: ['finance'] })] });
    expect(approvalImpossibility(stateAfter(proposed(policy)))?.code ?? null).toBe(code);
  });

  it('name who refused first', () => {
    const judgement = judgeApprovals(stateAfter(PLAN, ...recorded(REFUSAL)), NOW_MS);
    expect(judgement).toMatchObject({ refused: { by: 'bob', reason: 'too much' } });
  });

  it('are shown with those that are not genuine apart', () => {
    const forged = { ...CAROL, signature: 'AAAA' };
    const status = approvalStatus(stateAfter(PLAN, ...recorded(BOB, forged)), NOW_MS);
    expect(status).toMatchObject({
      subject: SUBJECT,
      given: [{ person: 'bob' }],
      notGenuine: [{ person: 'carol' }],
    });
    expect(status?.missing).toHaveLength(1);
  });
});
