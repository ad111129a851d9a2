import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { instantMs, instantText } from '../../../src/domain/approval/instant.ts';
import { holdSubject, subjectOf } from '../../../src/domain/approval/question.ts';
import {
  type ApprovalStatement,
  readApproval,
  statementText,
} from '../../../src/domain/approval/statement.ts';
import type { Hold } from '../../../src/domain/holds/hold.ts';
import { anyText } from '../../support/any-text.ts';
import { approvalBy, SUBJECT } from '../../support/approvers.ts';

/** Texts that would pass for another field, or another line, if they were not written with care. */
const hostile = fc.oneof(
  anyText({ maxLength: 40 }),
  fc.constantFrom('"', '\n', '\r\n', '\u2028', '\\', '\ud800', '"\ndecision "approve'),
  fc
    .array(fc.constantFrom('"', '\\', '\n', 'n', 'u000a', ' ', 'decision "refuse"'))
    .map((parts) => parts.join('')),
);

const statements: fc.Arbitrary<ApprovalStatement> = fc.record({
  batchId: hostile,
  subject: hostile,
  decision: fc.constantFrom('approve', 'refuse'),
  person: hostile,
  reason: hostile,
  issuedAt: hostile,
  expiresAt: hostile,
});

describe('the text that is signed', () => {
  it('never changes', () => {
    expect(statementText(approvalBy('bob', { reason: 'seen by "me"\nand Zoë' }))).toBe(
      [
        'bursar-approval/v1',
        'batch "payroll"',
        `subject "${SUBJECT}"`,
        'decision "approve"',
        'person "bob"',
        'reason "seen by \\"me\\"\\nand Zoë"',
        'issued "2026-11-21T09:00:00.000Z"',
        'expires "2026-11-22T09:00:00.000Z"',
      ].join('\n'),
    );
  });

  it('has eight lines, with any text in its fields', () => {
    fc.assert(
      fc.property(statements, (statement) => {
        expect(statementText(statement).split('\n')).toHaveLength(8);
      }),
    );
  });

  it('differs, byte by byte, for any two statements that differ', () => {
    fc.assert(
      fc.property(statements, statements, (one, other) => {
        const bytes = [one, other].map((each) => Buffer.from(statementText(each)).toString('hex'));
        expect(bytes[0] === bytes[1]).toBe(JSON.stringify(one) === JSON.stringify(other));
      }),
    );
  });
});

describe('an approval that came over the wire', () => {
  it('is read to the last field, without other fields', () => {
    const approval = approvalBy('bob');
    expect(readApproval({ ...approval, extra: 1, __proto__: { person: 'eve' } })).toEqual(approval);
  });

  it.each<{ field: string; value: unknown }>`
    field          | value
    ${'batchId'}   | ${undefined}
    ${'batchId'}   | ${''}
    ${'batchId'}   | ${'x'.repeat(101)}
    ${'subject'}   | ${7}
    ${'decision'}  | ${'APPROVE'}
    ${'decision'}  | ${['approve']}
    ${'person'}    | ${null}
    ${'person'}    | ${{ toString: 'bob' }}
    ${'reason'}    | ${undefined}
    ${'reason'}    | ${'x'.repeat(501)}
    ${'issuedAt'}  | ${'2026-11-21'}
    ${'issuedAt'}  | ${'2026-11-21T09:00:00Z'}
    ${'issuedAt'}  | ${'2026-11-21T10:00:00.000+01:00'}
    ${'expiresAt'} | ${'2026-02-30T09:00:00.000Z'}
    ${'expiresAt'} | ${'never'}
    ${'expiresAt'} | ${1_800_000_000_000}
    ${'signature'} | ${undefined}
    ${'signature'} | ${''}
    ${'signature'} | ${'x'.repeat(1_501)}
  `('is none when its $field is $value', ({ field, value }) => {
    expect(readApproval({ ...approvalBy('bob'), [field]: value })).toBe(field);
  });

  it.each([undefined, null, 'approve', 7, [], {}, [approvalBy('bob')]])(
    'is none when it is %p',
    (given) => {
      expect(readApproval(given)).toBe('batchId');
    },
  );

  it('in any form is read without an internal error', () => {
    fc.assert(
      fc.property(fc.anything(), (given) => {
        expect(typeof readApproval(given)).toBe('string');
      }),
    );
  });
});

describe('an instant', () => {
  it('has one text', () => {
    fc.assert(
      fc.property(fc.date({ noInvalidDate: true }), (date) => {
        expect(instantMs(instantText(date.getTime()))).toBe(date.getTime());
      }),
    );
    expect(instantMs('2026-11-21T09:00:00.0000Z')).toBeUndefined();
  });
});

describe('the subject of an approval', () => {
  const hold = (more: Partial<Hold> = {}): Hold => ({
    n: 1,
    kind: 'STOP_LOSS',
    reason: '6 % of the rows failed',
    by: 'the rules of the plan',
    since: '2026-11-21T09:00:00.000Z',
    facts: {},
    ...more,
  });

  it('is the plan while the batch has no hold but a pause', () => {
    expect(subjectOf(SUBJECT, null)).toBe(SUBJECT);
    expect(subjectOf(SUBJECT, hold({ kind: 'PAUSE' }))).not.toBe(subjectOf(SUBJECT, hold()));
    expect(subjectOf(SUBJECT, hold())).toMatch(/^sha256:[0-9a-f]{64}$/);
  });

  it('differs for every plan and every hold, also when their parts join to equal texts', () => {
    const subjects = [
      holdSubject('a', hold()),
      holdSubject('b', hold()),
      holdSubject('a', hold({ n: 2 })),
      holdSubject('a', hold({ kind: 'FEE_CAP' })),
      holdSubject('a', hold({ since: '2026-11-22T09:00:00.000Z' })),
      holdSubject('a', hold({ reason: '6 % of the rows failed.' })),
      holdSubject('a', hold({ n: 1, reason: '1"\n"x' })),
      holdSubject('a', hold({ n: 11, reason: '"\n"x' })),
    ];
    expect(new Set(subjects).size).toBe(subjects.length);
  });
});
