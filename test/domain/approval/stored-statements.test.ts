import { describe, expect, it } from '@jest/globals';
import { questionOfAnswer } from '../../../src/domain/approval/answer.ts';
import { unsignedActor } from '../../../src/domain/approval/people.ts';
import { type ApprovedBatch, questionOfBatch } from '../../../src/domain/approval/question.ts';
import { storedStatements } from '../../../src/domain/approval/stored-statements.ts';
import {
  approvalBy,
  DAY_MS,
  NOW_MS,
  policyOf,
  question,
  SUBJECT,
} from '../../support/approvers.ts';

const BATCH: ApprovedBatch = {
  batchId: 'payroll',
  submittedBy: 'alice',
  digest: SUBJECT,
  rules: { approval: policyOf() },
  summary: { currencies: [{ currency: 'USDT_TRC20', total: '1000' }] },
};

describe('the stored decisions on a question', () => {
  const said = (given: Parameters<typeof storedStatements>[1], atMs = NOW_MS) =>
    storedStatements(question(), given, atMs).map(({ isGenuine, why }) => [isGenuine, why]);
  const refusal = approvalBy('bob', { decision: 'refuse' });

  it('count while they are genuine and have not lapsed', () => {
    expect(said([approvalBy('bob'), refusal])).toEqual([
      [true, null],
      [true, null],
    ]);
  });

  it('leave out decisions on another question', () => {
    expect(said([approvalBy('bob', { subject: 'other' })])).toEqual([]);
  });

  it('lapse where they approve, and never where they refuse', () => {
    const later = NOW_MS + DAY_MS;
    expect(said([approvalBy('bob'), refusal], later)).toEqual([
      [true, expect.stringMatching(/expired|lapsed/)],
      [true, null],
    ]);
  });

  it('are shown as not genuine where they were changed, with the reason', () => {
    const changed = { ...approvalBy('bob'), reason: 'another one' };
    const damaged = { ...approvalBy('bob'), reason: 7 } as unknown as typeof changed;
    expect(said([changed, damaged])).toEqual([
      [false, expect.stringContaining('bob')],
      [false, 'Its reason is missing or not what it must be.'],
    ]);
  });
});

describe('a batch', () => {
  it.each<[string, Partial<ApprovedBatch>]>([
    ['that is not planned', { digest: null }],
    ['whose totals are not known', { summary: null }],
    ['without rules', { rules: null }],
    ['without a policy', { rules: { approval: null } }],
  ])('%s has no question', (_which, more) => {
    expect(questionOfBatch({ ...BATCH, ...more }, null)).toBeNull();
    const answer = { chunk: 1, idempotencyKey: 'k', answer: 'abandon', attempts: 1 } as const;
    expect(questionOfAnswer({ ...BATCH, ...more }, answer)).toBeNull();
  });

  it('has another question for every answer, chunk, key, mass payout and number of attempts', () => {
    const of = { chunk: 1, idempotencyKey: 'k' };
    const subjects = [
      { ...of, answer: 'abandon', attempts: 1 } as const,
      { ...of, answer: 'abandon', attempts: 2 } as const,
      { ...of, answer: 'adopt', massPayoutId: 'a' } as const,
      { ...of, answer: 'adopt', massPayoutId: 'b' } as const,
      { ...of, answer: 'not-created', attempts: 1 } as const,
      { ...of, answer: 'not-created', attempts: 2 } as const,
      { ...of, chunk: 2, answer: 'abandon', attempts: 1 } as const,
      { ...of, idempotencyKey: 'l', answer: 'abandon', attempts: 1 } as const,
    ].map((given) => questionOfAnswer(BATCH, given)?.subject);
    expect(new Set([SUBJECT, ...subjects]).size).toBe(subjects.length + 1);
  });
});

it('a name without a signature is marked under a policy, and nowhere else', () => {
  expect(unsignedActor(null, 'bob')).toBe('bob');
  expect(unsignedActor(policyOf(), 'bob')).toBe('bob (unsigned)');
});
