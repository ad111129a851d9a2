import { describe, expect, it } from '@jest/globals';
import {
  NO_APPROVALS,
  verifiedApprovals,
  withoutPending,
  withPending,
  withRecorded,
  withStored,
} from '../../../src/domain/approval/given-approvals.ts';
import type { Approval } from '../../../src/domain/approval/statement.ts';
import { approvalBy, question } from '../../support/approvers.ts';

const [BOB, CAROL, DAVE] = ['bob', 'carol', 'dave'].map((name) => approvalBy(name)) as [
  Approval,
  Approval,
  Approval,
];

describe('the approvals of a batch', () => {
  it('count when they are recorded, and not while they are pending', () => {
    const pending = withPending(NO_APPROVALS, BOB);
    expect(verifiedApprovals(question(), pending)).toEqual([]);
    const recorded = withoutPending(withRecorded(pending, BOB), BOB);
    expect(recorded.pending).toEqual([]);
    expect(verifiedApprovals(question(), recorded)).toEqual([BOB]);
  });

  it.each<[string, Approval[], Approval[], Approval[], Approval[]]>([
    ['has the same', [BOB], [BOB], [BOB], [BOB]],
    ['has forgotten one', [BOB, CAROL], [BOB], [BOB, CAROL], [BOB]],
    ['has one more', [BOB], [BOB, CAROL], [BOB], [BOB, CAROL]],
    ['was read while one was recorded', [BOB, DAVE], [BOB], [BOB], [BOB, DAVE]],
    ['was read with the one that was recorded then', [BOB, DAVE], [BOB, DAVE], [BOB], [BOB, DAVE]],
  ])('are those of a store that %s', (_what, recorded, stored, before, left) => {
    const given = { recorded, pending: [] };
    expect(withStored(given, stored, before).recorded).toEqual(left);
  });

  it('are verified for each question, and again when others come', () => {
    const given = withRecorded(NO_APPROVALS, BOB);
    expect(verifiedApprovals(question(), given)).toEqual([BOB]);
    expect(verifiedApprovals(question({ subject: 'another' }), given)).toEqual([]);
    expect(verifiedApprovals(question(), withRecorded(given, CAROL))).toEqual([BOB, CAROL]);
    expect(verifiedApprovals(question(), given)).toBe(verifiedApprovals(question(), given));
  });
});
