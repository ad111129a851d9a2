import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  CLOCK_AHEAD_MS_MAX,
  approvalFault,
  signerRefusal,
} from '../../../src/domain/approval/check-approval.ts';
import type { Question } from '../../../src/domain/approval/question.ts';
import type { Approval } from '../../../src/domain/approval/statement.ts';
import {
  approvalBy,
  DAY_MS,
  isoOf,
  NOW_MS,
  person,
  policyOf,
  question,
  signed,
  tier,
} from '../../support/approvers.ts';

type Case = Readonly<{
  given?: unknown;
  question?: Question | null;
  before?: readonly Approval[];
  nowMs?: number;
}>;

const codeOf = ({ given = approvalBy('bob'), before = [], nowMs = NOW_MS, ...rest }: Case) =>
  approvalFault(given, rest.question === undefined ? question() : rest.question, {
    given: before,
    nowMs,
  })?.code ?? null;

const unsigned = (name: string): Approval => ({ ...approvalBy(name), signature: null });
const UNSIGNED = question({ policy: policyOf({ mode: 'unsigned' }) });
const lasting = (ms: number) => approvalBy('bob', { expiresAt: isoOf(NOW_MS + ms) });
const issued = (ms: number) => approvalBy('bob', { issuedAt: isoOf(NOW_MS + ms) });

describe('an approval', () => {
  it('that lacks nothing counts, and so does a refusal', () => {
    expect(codeOf({})).toBeNull();
    expect(codeOf({ given: approvalBy('bob', { decision: 'refuse' }) })).toBeNull();
  });

  it.each<{ what: string; code: string; case: Case }>`
    what                                                      | code                       | case
    ${'when nothing waits for one'}                           | ${'APPROVAL_NOT_NEEDED'}   | ${{ question: null }}
    ${'that is nothing of the kind'}                          | ${'APPROVAL_UNREADABLE'}   | ${{ given: 'yes' }}
    ${'without a field'}                                      | ${'APPROVAL_UNREADABLE'}   | ${{ given: { ...approvalBy('bob'), reason: undefined } }}
    ${'of another batch'}                                     | ${'APPROVAL_FOR_ANOTHER'}  | ${{ given: approvalBy('bob', { batchId: 'payroll2' }) }}
    ${'that is a signed submit of the same subject'}          | ${'APPROVAL_FOR_ANOTHER'}  | ${{ given: approvalBy('bob', { decision: 'submit' }) }}
    ${'of another plan'}                                      | ${'APPROVAL_FOR_ANOTHER'}  | ${{ given: approvalBy('bob', { subject: 'sha256:e' }) }}
    ${'of nobody known'}                                      | ${'APPROVER_UNKNOWN'}      | ${{ given: approvalBy('eve') }}
    ${'of somebody under the name of a user'}                 | ${'APPROVER_UNKNOWN'}      | ${{ given: approvalBy('alice-at-work') }}
    ${'of somebody whose name only looks the same'}           | ${'APPROVER_UNKNOWN'}      | ${{ given: approvalBy('BOB') }}
    ${'that another one signed'}                              | ${'APPROVAL_FORGED'}       | ${{ given: signed(approvalBy('bob'), 'eve') }}
    ${'that another approver signed'}                         | ${'APPROVAL_FORGED'}       | ${{ given: signed(approvalBy('bob'), 'carol') }}
    ${'with the signature of another one of the same person'} | ${'APPROVAL_FORGED'}       | ${{ given: { ...approvalBy('bob'), signature: lasting(1).signature } }}
    ${'without a signature'}                                  | ${'APPROVAL_UNSIGNED'}     | ${{ given: unsigned('bob') }}
    ${'of the submitter'}                                     | ${'APPROVAL_BY_SUBMITTER'} | ${{ given: approvalBy('alice') }}
    ${'of the submitter, who submitted under another name'}   | ${'APPROVAL_BY_SUBMITTER'} | ${{ given: approvalBy('alice'), question: question({ submittedBy: 'alice-at-work' }) }}
    ${'of the submitter, in other letters'}                   | ${'APPROVAL_BY_SUBMITTER'} | ${{ given: approvalBy('alice'), question: question({ submittedBy: 'Alice-At-Work' }) }}
    ${'of somebody without the role'}                         | ${'APPROVER_NOT_ENTITLED'} | ${{ given: approvalBy('dave') }}
    ${'that has just expired'}                                | ${'APPROVAL_EXPIRED'}      | ${{ given: lasting(1_000), nowMs: NOW_MS + 1_000 }}
    ${'that would hold for longer than the policy lets it'}   | ${'APPROVAL_TOO_LONG'}     | ${{ given: lasting(3 * DAY_MS + 1) }}
    ${'from the future'}                                      | ${'APPROVAL_FROM_FUTURE'}  | ${{ given: issued(CLOCK_AHEAD_MS_MAX + 1) }}
    ${'that was given before'}                                | ${'APPROVAL_REPEATED'}     | ${{ before: [approvalBy('bob')] }}
    ${'of somebody who refused'}                              | ${'APPROVAL_REPEATED'}     | ${{ before: [approvalBy('bob', { decision: 'refuse' })] }}
  `('$what is refused: $code', ({ code, case: given }) => {
    expect(codeOf(given)).toBe(code);
  });

  it('is refused by a refusal in the same words: the submitter cannot refuse, and no person refuses twice', () => {
    const refuse = (name: string) => approvalBy(name, { decision: 'refuse' });
    expect(codeOf({ given: refuse('alice') })).toBe('APPROVAL_BY_SUBMITTER');
    expect(codeOf({ given: refuse('bob'), before: [refuse('bob')] })).toBe('APPROVAL_REPEATED');
    expect(codeOf({ given: refuse('eve') })).toBe('APPROVER_UNKNOWN');
  });

  it('of a question for a certain consent counts as that consent only', () => {
    const asked = question({ consent: 'not-created' });
    const codeFor = (decision: Approval['decision']) =>
      codeOf({ question: asked, given: approvalBy('bob', { decision }) });
    expect(codeFor('not-created')).toBeNull();
    for (const other of ['approve', 'refuse', 'adopt', 'submit'] as const) {
      expect(codeFor(other)).toBe('APPROVAL_FOR_ANOTHER');
    }
  });

  it('is the first one when an earlier one is not genuine', () => {
    const changed = { ...lasting(1_000), expiresAt: isoOf(NOW_MS + DAY_MS) };
    const written = { ...approvalBy('bob'), signature: 'nonsense' };
    const damaged = { ...approvalBy('bob'), reason: 7 } as unknown as Approval;
    for (const before of [changed, written, damaged, unsigned('bob')]) {
      expect(codeOf({ before: [before] })).toBeNull();
      expect(codeOf({ before: [before, approvalBy('bob')] })).toBe('APPROVAL_REPEATED');
    }
  });

  it('may be followed by a refusal of the same person, and by another approval when it has lapsed', () => {
    const before = [lasting(1_000)];
    expect(codeOf({ before, given: approvalBy('bob', { decision: 'refuse' }) })).toBeNull();
    expect(codeOf({ before, nowMs: NOW_MS + 999 })).toBe('APPROVAL_REPEATED');
    expect(codeOf({ before, nowMs: NOW_MS + 1_000 })).toBeNull();
  });

  it('of another subject, or of another person, is no repetition', () => {
    expect(codeOf({ before: [approvalBy('bob', { subject: 'other' })] })).toBeNull();
    expect(codeOf({ before: [approvalBy('carol')] })).toBeNull();
  });

  it('counts to the last millisecond of the time that the policy sets', () => {
    expect(codeOf({ given: lasting(1_000), nowMs: NOW_MS + 999 })).toBeNull();
    expect(codeOf({ given: lasting(3 * DAY_MS) })).toBeNull();
    expect(codeOf({ given: issued(CLOCK_AHEAD_MS_MAX) })).toBeNull();
  });

  it('of a second name with the same key is one of the same person', () => {
    const twin = person('rob', ['finance'], { publicKey: policyOf().people[1]?.publicKey ?? '' });
    const policy = policyOf({ people: [...policyOf().people, twin] });
    const asRob = signed({ ...approvalBy('rob') }, 'bob');
    expect(codeOf({ given: asRob, question: question({ policy }) })).toBeNull();
    expect(
      codeOf({ given: asRob, question: question({ policy }), before: [approvalBy('bob')] }),
    ).toBe('APPROVAL_REPEATED');
    expect(codeOf({ given: asRob, question: question({ policy, submittedBy: 'bob' }) })).toBe(
      'APPROVAL_BY_SUBMITTER',
    );
  });

  it('of a person with a required role counts, with any other roles', () => {
    const tiers = [tier(1, { roles: ['it'], mustInclude: ['cfo'] })];
    const asked = question({ policy: policyOf({ tiers }) });
    expect(codeOf({ given: approvalBy('carol'), question: asked })).toBeNull();
    expect(codeOf({ given: approvalBy('dave'), question: asked })).toBeNull();
    expect(codeOf({ given: approvalBy('bob'), question: asked })).toBe('APPROVER_NOT_ENTITLED');
  });

  it('with any changed field is refused: the signature holds for all of them', () => {
    const given = approvalBy('bob', { reason: 'seen' });
    const changes = fc.constantFrom<keyof Approval>(
      ...(['batchId', 'subject', 'decision', 'person', 'reason', 'issuedAt', 'expiresAt'] as const),
      'signature',
    );
    const bytes = fc.record({ field: changes, at: fc.nat(), by: fc.integer({ min: 1, max: 94 }) });
    fc.assert(
      fc.property(bytes, ({ field, at, by }) => {
        const text = given[field] ?? '';
        const place = at % text.length;
        const changed = String.fromCharCode(32 + ((text.charCodeAt(place) - 32 + by) % 95));
        const other = text.slice(0, place) + changed + text.slice(place + 1);
        expect(codeOf({ given: { ...given, [field]: other } })).not.toBeNull();
      }),
      { numRuns: 300 },
    );
    const flipped = { ...given, decision: 'refuse' };
    expect(codeOf({ given: flipped })).toBe('APPROVAL_FORGED');
  });

  it('of any form is refused or counts, and never causes an internal error', () => {
    fc.assert(
      fc.property(fc.anything(), (given) => {
        const note = approvalFault(given, question(), { given: [], nowMs: NOW_MS });
        expect(note?.code).toBe('APPROVAL_UNREADABLE');
      }),
    );
  });
});

describe('where approvals are unsigned', () => {
  it('a name is enough, and everything but the signature is checked', () => {
    expect(codeOf({ given: unsigned('bob'), question: UNSIGNED })).toBeNull();
    expect(codeOf({ given: unsigned('alice'), question: UNSIGNED })).toBe('APPROVAL_BY_SUBMITTER');
    expect(codeOf({ given: unsigned('dave'), question: UNSIGNED })).toBe('APPROVER_NOT_ENTITLED');
    const late = { ...unsigned('bob'), expiresAt: isoOf(NOW_MS) };
    expect(codeOf({ given: late, question: UNSIGNED })).toBe('APPROVAL_EXPIRED');
  });

  it('a signature must still be genuine', () => {
    expect(codeOf({ question: UNSIGNED })).toBeNull();
    const forged = signed(approvalBy('bob'), 'eve');
    expect(codeOf({ given: forged, question: UNSIGNED })).toBe('APPROVAL_FORGED');
    const keyless = question({
      policy: policyOf({
        mode: 'unsigned',
        people: [person('bob', ['finance'], { publicKey: null })],
      }),
    });
    expect(codeOf({ question: keyless })).toBe('APPROVAL_FORGED');
    expect(codeOf({ given: unsigned('bob'), question: keyless })).toBeNull();
  });
});

describe('a statement of an act that one person may decide', () => {
  const asked = question({ consent: 'abandon' });
  const code = (given: unknown, nowMs = NOW_MS) => signerRefusal(given, asked, nowMs)?.code ?? null;
  const abandon = (name: string) => approvalBy(name, { decision: 'abandon' });

  it('counts from any person of the policy, the submitter too', () => {
    expect(code(abandon('alice'))).toBeNull();
    expect(code(abandon('dave'))).toBeNull();
  });

  it.each<[string, unknown, string]>([
    ['is nothing of the kind', 'yes', 'APPROVAL_UNREADABLE'],
    ['decides something else', approvalBy('bob'), 'APPROVAL_FOR_ANOTHER'],
    ['is about another subject', { ...abandon('bob'), subject: 'other' }, 'APPROVAL_FOR_ANOTHER'],
    ['is of a person whom the policy does not name', abandon('eve'), 'APPROVER_UNKNOWN'],
    [
      'would hold for longer than the policy lets it',
      approvalBy('bob', { decision: 'abandon', expiresAt: isoOf(NOW_MS + 3 * DAY_MS + 1) }),
      'APPROVAL_TOO_LONG',
    ],
    ['has no signature', { ...abandon('bob'), signature: null }, 'APPROVAL_UNSIGNED'],
    ['was signed by another person', signed(abandon('bob'), 'carol'), 'APPROVAL_FORGED'],
  ])('is refused when it %s', (_what, given, refusal) => {
    expect(code(given)).toBe(refusal);
  });

  it('is refused before its time and after it', () => {
    expect(code(abandon('bob'), NOW_MS + DAY_MS)).toBe('APPROVAL_EXPIRED');
    expect(code(abandon('bob'), NOW_MS - CLOCK_AHEAD_MS_MAX - 1)).toBe('APPROVAL_FROM_FUTURE');
  });
});
