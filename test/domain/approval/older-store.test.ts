import { expect, it } from '@jest/globals';
import {
  type NotedBatch,
  olderStoreSubject,
  type OlderStoreNote,
  unsignedNotes,
} from '../../../src/domain/approval/older-store.ts';
import type { Approval } from '../../../src/domain/approval/statement.ts';
import { approvalBy, policyOf } from '../../support/approvers.ts';

const HEAD = 'a'.repeat(64);
const { subject } = olderStoreSubject(HEAD);
const BATCH = { policy: policyOf(), submittedAtMs: 10, plannedAtMs: 11, endedAtMs: 20 };
const NOTE: OlderStoreNote = { seq: 5, atMs: 15, subject, heads: ['b'.repeat(64), HEAD] };

const signed = (name: string, decision: Approval['decision'] = 'store-older'): Approval =>
  approvalBy(name, { ...olderStoreSubject(HEAD), decision });

type Case = Readonly<{
  batch?: Partial<NotedBatch>;
  note?: Partial<OlderStoreNote>;
  statements?: readonly Approval[];
}>;

const isUnsigned = ({ batch, note, statements = [] }: Case): boolean =>
  unsignedNotes({ ...BATCH, ...batch }, [{ ...NOTE, ...note }], statements).length > 0;

it.each<[string, Case]>([
  ['no statement', {}],
  ['a statement of a stranger', { statements: [signed('eve')] }],
  ['a signature that is not theirs', { statements: [{ ...signed('bob'), person: 'carol' }] }],
  ['a statement that decides something else', { statements: [signed('bob', 'approve')] }],
  ['a statement for another copy', { statements: [signed('bob')], note: { heads: [] } }],
  [
    'a statement that its entry does not name',
    { statements: [signed('bob')], note: { subject: null } },
  ],
])('a note with %s is unsigned', (_what, given) => {
  expect(isUnsigned(given)).toBe(true);
});

it.each<[string, Case]>([
  ['a statement of a person of the policy', { statements: [signed('bob')] }],
  ['no policy', { batch: { policy: null } }],
  ['a policy that counts no signatures', { batch: { policy: policyOf({ mode: 'unsigned' }) } }],
  ['a plan that is older than signed statements', { batch: { plannedAtMs: null } }],
  ['a batch that was submitted later', { note: { atMs: 9 } }],
  ['a batch that had ended', { note: { atMs: 20 } }],
])('a note lacks nothing for a batch with %s', (_what, given) => {
  expect(isUnsigned(given)).toBe(false);
});
