import { describe, expect, it } from '@jest/globals';
import type { ApprovalPolicy } from '../../src/domain/approval/policy.ts';
import type { BatchReport } from '../../src/domain/report/report.ts';
import { reportApprovals } from '../../src/report/compose-report.ts';
import { approvalsSection } from '../../src/report/summary/approvals.ts';
import {
  approvalBy,
  NOW_MS,
  policyOf,
  publicKeyOf,
  setPolicy,
  signed,
} from '../support/approvers.ts';
import { newBatch, planBatch } from '../support/store-fixtures.ts';
import { openTestStore } from '../support/test-database.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { reportOf } from './support/reports.ts';

const DIGEST = 'sha256:d';

/** Returns the approvals in the report of a planned batch with this policy and these decisions. */
async function reported(
  policy: ApprovalPolicy | null,
  given: readonly ReturnType<typeof approvalBy>[] = [],
): Promise<BatchReport['approvals']> {
  const store = await openTestStore(temporaryFolder());
  await planBatch(store, 'payroll', 1);
  await setPolicy(store, 'payroll', policy);
  for (const approval of given) await store.approvals.add(approval, NOW_MS + 5);
  const batch = await store.batches.find('payroll');
  if (batch === undefined) throw new Error('no such batch');
  const answer = await reportApprovals(store, batch);
  await store.close();
  return answer;
}

describe('the report', () => {
  it('states that no approval was needed', async () => {
    expect(await reported(null)).toEqual({
      policy: ['No approval is needed: the settings name no approval tiers.'],
      mode: null,
      given: [],
    });
  });

  it('states that there was no plan to approve', async () => {
    const store = await openTestStore(temporaryFolder());
    const batch = await store.batches.register(newBatch('refused'));
    expect((await reportApprovals(store, batch)).policy).toEqual([
      'The batch has no plan, so it needed no approval.',
    ]);
    await store.close();
  });

  it('has the policy and every decision, with the data to verify them', async () => {
    const approval = approvalBy('bob', { subject: DIGEST, reason: 'as agreed' });
    const { policy, mode, given } = await reported(policyOf(), [approval]);
    expect(policy[0]).toMatch(/^2\.00 TRX \(above 0\.00\) needs 2 approvals of finance/);
    expect(mode).toBe('signed');
    const takenAt = '2026-11-21T09:00:00.005Z';
    expect(given).toEqual([
      { ...approval, publicKey: publicKeyOf('bob'), proof: 'signed', takenAt },
    ]);
  });

  it('marks signatures that are missing or not valid', async () => {
    const of = { subject: DIGEST };
    const { given } = await reported(policyOf({ mode: 'unsigned' }), [
      signed(approvalBy('bob', of), 'eve'),
      { ...approvalBy('carol', of), signature: null },
      approvalBy('eve', of),
    ]);
    expect(given.map(({ person, proof }) => [person, proof])).toEqual([
      ['bob', 'forged'],
      ['carol', 'unsigned'],
      ['eve', 'forged'],
    ]);
  });
});

describe('the page of the report', () => {
  const page = (approvals: BatchReport['approvals']) =>
    approvalsSection(reportOf([], { approvals, digest: DIGEST })).markup;

  it('shows the policy and the decisions, and escapes their texts', async () => {
    const reason = '<script>alert(1)</script>';
    const refusal = approvalBy('bob', { subject: 'sha256:hold', decision: 'refuse', reason });
    const given = [approvalBy('carol', { subject: DIGEST }), refusal];
    const markup = page(await reported(policyOf(), given));
    expect(markup).toContain('needs 2 approvals of finance');
    expect(markup).toMatch(/carol.*approved.*the plan/s);
    expect(markup).toMatch(/bob.*refused.*a hold/s);
    expect(markup).toContain('signed, and verified for this report');
    expect(markup).toContain('&lt;script&gt;');
    expect(markup).not.toContain('<script>');
  });

  it('warns that unsigned approvals prove nothing', async () => {
    const unsigned = { ...approvalBy('bob', { subject: DIGEST }), signature: null };
    const markup = page(await reported(policyOf({ mode: 'unsigned' }), [unsigned]));
    expect(markup).toContain('Approvals are UNSIGNED');
    expect(markup).toContain('only a name');
  });
});
