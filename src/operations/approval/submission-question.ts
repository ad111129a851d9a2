import type { ApprovalPolicy } from '../../domain/approval/policy.ts';
import type { SubmissionSubject } from '../../domain/approval/submission.ts';

/**
 * The subject that a submitter signs. `policy`: who may sign; null: no batch needs approvals. `isNeeded`: whether each batch needs
 * approvals, so that a policy that counts signatures refuses it unsigned.
 */
export type SubmissionQuestion = SubmissionSubject &
  Readonly<{ policy: ApprovalPolicy | null; isNeeded: boolean }>;
