import type { ApprovalPolicy } from '../../domain/approval/policy.ts';
import { requirementsOf } from '../../domain/approval/requirements.ts';
import type { SubmissionSubject } from '../../domain/approval/submission.ts';
import type { CurrencyTotal } from '../../domain/money/currency-total.ts';

/**
 * How a submit is signed. `policy`: who may sign; null: no batch needs approvals. `isNeeded`: whether approvals are needed, so that a
 * policy that counts signatures refuses it unsigned.
 */
export type Signing = Readonly<{ policy: ApprovalPolicy | null; isNeeded: boolean }>;

/** The subject that a submitter signs, and how. */
export type SubmissionQuestion = SubmissionSubject & Signing;

/** How the submit of these totals is signed. */
export const signingOf = (
  policy: ApprovalPolicy | null,
  totals: readonly CurrencyTotal[],
): Signing => ({ policy, isNeeded: policy !== null && requirementsOf(policy, totals).length > 0 });
