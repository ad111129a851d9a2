import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { questionOfAnswer } from '../../../src/domain/approval/answer.ts';
import {
  type AuthorityFacts,
  mayPay,
  missingAuthority,
} from '../../../src/domain/approval/authority.ts';
import { holdSubject, questionOfBatch } from '../../../src/domain/approval/question.ts';
import type { Approval } from '../../../src/domain/approval/statement.ts';
import { submissionSubject } from '../../../src/domain/approval/submission.ts';
import type { HoldKind, LiftBasis, PastHold } from '../../../src/domain/holds/hold.ts';
import { HOLD_KINDS } from '../../../src/domain/holds/hold.ts';
import { approvalBy, isoOf, NOW_MS, policyOf, SUBJECT } from '../../support/approvers.ts';

const HOUR_MS = 3_600_000;
const SUBMISSION = submissionSubject({
  batchId: 'payroll',
  accountRef: 'main',
  fileSha256: 'f'.repeat(64),
  optionsJson: '{}',
  generation: 0,
  parentBatchId: null,
});
const SUBMIT = approvalBy('alice', { ...SUBMISSION, decision: 'submit' });
const PLAN = ['bob', 'carol'].map((name) => approvalBy(name));

type Batch = AuthorityFacts['batch'];
const BATCH: Batch = {
  batchId: 'payroll',
  submittedBy: 'alice',
  digest: SUBJECT,
  rules: { approval: policyOf() },
  summary: { currencies: [{ currency: 'USDT_TRC20', total: '1000' }] },
  releasedAtMs: NOW_MS + HOUR_MS,
  plannedAtMs: NOW_MS,
  isStopped: false,
  dueAtMs: null,
};

const facts = (more: Partial<AuthorityFacts> = {}): AuthorityFacts => ({
  batch: BATCH,
  submissions: [SUBMISSION],
  statements: [SUBMIT, ...PLAN],
  holds: [],
  answer: null,
  ...more,
});

const lifted = (kind: HoldKind, basis: LiftBasis, n = 1): PastHold => ({
  n,
  kind,
  reason: 'a reason',
  by: 'Bursar',
  since: isoOf(NOW_MS),
  facts: {},
  released: { by: 'bob', reason: 'fine', at: isoOf(NOW_MS + HOUR_MS), basis },
});

const approvalsOf = (hold: PastHold): Approval[] =>
  ['bob', 'carol'].map((name) => approvalBy(name, { subject: holdSubject(SUBJECT, hold) }));

it('a batch pays with a signed submit and all approvals of its policy', () => {
  expect(mayPay(facts())).toEqual({ kind: 'may-pay' });
});

it('a batch without a policy pays once it is released', () => {
  const batch = { ...BATCH, rules: { approval: null } };
  expect(mayPay(facts({ batch, statements: [] }))).toEqual({ kind: 'may-pay' });
});

it.each<[string, Partial<Batch>, string]>([
  ['not released', { releasedAtMs: null }, 'unreleased'],
  ['released before its time', { dueAtMs: NOW_MS + HOUR_MS + 1 }, 'unreleased'],
  ['canceled', { isStopped: true }, 'held'],
  ['submitted by another person than the one who signed', { submittedBy: 'dave' }, 'unapproved'],
  ['of another plan', { digest: `sha256:${'e'.repeat(64)}` }, 'unapproved'],
  ['released before the approvals were given', { releasedAtMs: NOW_MS - HOUR_MS }, 'unapproved'],
  ['released after they ran out', { releasedAtMs: NOW_MS + 25 * HOUR_MS }, 'unapproved'],
])('a batch that is %s does not pay', (_what, more, kind) => {
  expect(mayPay(facts({ batch: { ...BATCH, ...more } }))).toMatchObject({ kind });
});

it.each<[string, Partial<AuthorityFacts>, string]>([
  ['the signed submit', { statements: PLAN }, 'alice did not sign the submit'],
  [
    'an approval',
    { statements: [SUBMIT, PLAN[0] as Approval] },
    'the plan is not approved: 1 more',
  ],
  [
    'anything but a refusal',
    { statements: [SUBMIT, ...PLAN, approvalBy('carol', { decision: 'refuse' })] },
    'the plan is not approved: refused',
  ],
])('a batch that lacks %s is reported', (_what, more, why) => {
  const verdict = mayPay(facts(more));
  expect(verdict).toEqual({ kind: 'unapproved', why: expect.stringContaining(why) });
  expect(missingAuthority(facts(more))).toContain(why);
});

it.each<[string, Batch['rules']]>([
  ['with a policy', { approval: policyOf() }],
  ['without one', { approval: null }],
])('a release before the time of the plan is reported, %s', (_what, rules) => {
  const at = (dueAtMs: number) => facts({ batch: { ...BATCH, rules, dueAtMs } });
  expect(missingAuthority(at(NOW_MS + HOUR_MS + 1))).toContain('released before');
  expect(missingAuthority(at(NOW_MS + HOUR_MS))).toBeNull();
});

it('a policy that counts names needs no signed submit', () => {
  const batch = { ...BATCH, rules: { approval: { ...policyOf(), mode: 'unsigned' as const } } };
  expect(mayPay(facts({ batch, statements: PLAN }))).toEqual({ kind: 'may-pay' });
});

it('a plan that is older than signed submissions needs none', () => {
  const batch = { ...BATCH, plannedAtMs: null };
  expect(mayPay(facts({ batch, statements: PLAN }))).toEqual({ kind: 'may-pay' });
});

it('a batch with a hold that is on does not pay, though nothing else is missing', () => {
  const hold: PastHold = { ...lifted('PAUSE', 'approvals'), released: null };
  expect(mayPay(facts({ holds: [hold] }))).toEqual({ kind: 'held' });
  expect(missingAuthority(facts({ holds: [hold] }))).toBeNull();
});

it('no statement can be left out', () => {
  const all = [SUBMIT, ...PLAN];
  for (const left of all) {
    const statements = all.filter((one) => one !== left);
    expect(mayPay(facts({ statements }))).toMatchObject({ kind: 'unapproved' });
  }
});

it('an approval is no submit, and a submit of another batch is none', () => {
  const others = [
    { ...SUBMIT, decision: 'approve' } as const,
    approvalBy('alice', { ...SUBMISSION, decision: 'approve' }),
    approvalBy('alice', { ...SUBMISSION, batchId: 'other', decision: 'submit' }),
    { ...SUBMIT, signature: PLAN[0]?.signature ?? null },
  ];
  for (const other of others) {
    expect(mayPay(facts({ statements: [other, ...PLAN] }))).toMatchObject({ kind: 'unapproved' });
  }
});

describe('a hold that was lifted', () => {
  it.each(HOLD_KINDS)('of the kind %s needs the approvals of exactly that hold', (kind) => {
    const hold = lifted(kind, 'approvals');
    const other = lifted(kind, 'approvals', 2);
    const statements = [SUBMIT, ...PLAN];
    expect(mayPay(facts({ holds: [hold] }))).toMatchObject({ kind: 'unapproved' });
    const ofOther = [...statements, ...approvalsOf(other)];
    expect(mayPay(facts({ holds: [hold], statements: ofOther }))).toMatchObject({
      kind: 'unapproved',
    });
    const ofHold = [...statements, ...approvalsOf(hold)];
    expect(mayPay(facts({ holds: [hold], statements: ofHold }))).toEqual({ kind: 'may-pay' });
  });

  it('by a name, which the policy does not count, keeps the batch from paying', () => {
    const holds = [lifted('APPROVAL', 'name')];
    expect(mayPay(facts({ holds }))).toMatchObject({ kind: 'unapproved' });
  });

  it('by its own rule is lifted, if a rule of that kind lifts anything', () => {
    expect(mayPay(facts({ holds: [lifted('DAY_LIMIT', 'rule')] }))).toEqual({ kind: 'may-pay' });
    expect(mayPay(facts({ holds: [lifted('STOP_LOSS', 'rule')] }))).toMatchObject({
      kind: 'unapproved',
    });
  });

  it('before there was a plan needs no approvals: those of the plan came later', () => {
    const holds = [lifted('PAUSE', 'unplanned')];
    expect(mayPay(facts({ holds }))).toEqual({ kind: 'may-pay' });
  });

  it('by a version that did not store the reason is lifted only where the plan is as old', () => {
    const { released, ...hold } = lifted('PAUSE', 'approvals');
    const older = { ...hold, released: released && { ...released, basis: null } } as PastHold;
    expect(mayPay(facts({ holds: [older] }))).toMatchObject({ kind: 'unapproved' });
    const batch = { ...BATCH, plannedAtMs: null };
    expect(mayPay(facts({ batch, holds: [older] }))).toEqual({ kind: 'may-pay' });
    const named = lifted('PAUSE', 'name');
    expect(mayPay(facts({ batch, holds: [named] }))).toMatchObject({ kind: 'unapproved' });
  });

  it('at a time that cannot be read is not lifted', () => {
    const hold = lifted('PAUSE', 'approvals');
    const odd = { ...hold, released: hold.released && { ...hold.released, at: 'soon' } };
    const statements = [SUBMIT, ...PLAN, ...approvalsOf(hold)];
    expect(mayPay(facts({ holds: [odd], statements }))).toMatchObject({ kind: 'unapproved' });
  });

  it('does not replace the approvals of the plan while it is still on', () => {
    const hold: PastHold = { ...lifted('APPROVAL', 'approvals'), released: null };
    const statements = [SUBMIT, ...approvalsOf(hold)];
    expect(missingAuthority(facts({ holds: [hold], statements }))).toContain('not approved');
  });

  it('replaces the approvals of the plan where an older store lost them, and names the plan', () => {
    const hold = lifted('APPROVAL', 'approvals');
    const statements = [SUBMIT, ...approvalsOf(hold)];
    expect(mayPay(facts({ holds: [hold], statements }))).toEqual({ kind: 'may-pay' });
    const pause = lifted('PAUSE', 'approvals');
    const ofPause = [SUBMIT, ...approvalsOf(pause)];
    expect(mayPay(facts({ holds: [pause], statements: ofPause }))).toMatchObject({
      kind: 'unapproved',
    });
  });
});

it('the answer "not created" needs the approvals of that answer, about that many attempts', () => {
  const answer = { chunk: 4, idempotencyKey: 'k', answer: 'not-created', attempts: 2 } as const;
  const signedFor = (attempts: number): Approval[] => {
    const { subject = '' } = questionOfAnswer(BATCH, { ...answer, attempts }) ?? {};
    return ['bob', 'carol'].map((name) => approvalBy(name, { subject, decision: 'not-created' }));
  };
  const given = { ...answer, atMs: NOW_MS + HOUR_MS };
  const verdict = (statements: Approval[]) =>
    mayPay(facts({ answer: given, statements: [SUBMIT, ...PLAN, ...statements] })).kind;
  expect(verdict([])).toBe('unapproved');
  expect(verdict(signedFor(3))).toBe('unapproved');
  expect(verdict(signedFor(2).slice(1))).toBe('unapproved');
  expect(verdict(signedFor(2))).toBe('may-pay');
});

it('a batch that pays has the genuine approvals of two people other than the submitter, with any other records in the store', () => {
  const names = ['alice', 'bob', 'carol', 'dave', 'eve'];
  const statement = fc
    .record({
      person: fc.constantFrom(...names),
      signer: fc.constantFrom(...names),
      decision: fc.constantFrom('approve', 'submit', 'not-created', 'refuse' as const),
      subject: fc.constantFrom(SUBJECT, SUBMISSION.subject, 'sha256:other'),
      isSigned: fc.boolean(),
    })
    .map(({ person, signer, decision, subject, isSigned }) => {
      const made = approvalBy(signer, { subject, decision: decision as 'approve' });
      return { ...made, person, signature: isSigned ? made.signature : null };
    });
  const isGenuine = (name: string, statements: readonly Approval[]): boolean =>
    statements.some((one) =>
      [approvalBy(name)].some((real) => real.signature === one.signature && one.person === name),
    );
  fc.assert(
    fc.property(fc.array(statement, { maxLength: 8 }), (statements) => {
      const { kind } = mayPay(facts({ statements: [SUBMIT, ...statements] }));
      if (kind !== 'may-pay') return;
      expect(isGenuine('bob', statements) && isGenuine('carol', statements)).toBe(true);
      expect(questionOfBatch(BATCH, null)).not.toBeNull();
    }),
    { numRuns: 300 },
  );
});
