import type { Approval, ApprovalDecision } from '../domain/approval/statement.ts';
import type { Hold } from '../domain/holds/hold.ts';
import type { Refused } from './activities.ts';

/** The approval, and the open hold that is its subject. null: no hold. */
export type RecordApprovalInput = Readonly<{
  batchId: string;
  approval: Approval;
  hold: Hold | null;
  /** The name of the sender; null or missing when the sender gives none. */
  by?: string | null;
}>;

/** An approval that does not count. `by`: its sender, `person`: the signer that it names; null when it names none. */
export type RefusedApproval = Readonly<{
  batchId: string;
  by: string | null;
  person: string | null;
  decision: ApprovalDecision;
  code: string;
}>;

export type Recorded = Readonly<{ kind: 'recorded' }>;

export type ApprovalActivities = Readonly<{
  /** Checks an approval or a refusal again, against the store, and writes it down. A repeated one counts once. */
  recordApproval(input: RecordApprovalInput): Promise<Recorded | Refused>;
  /** Writes down that a person sent an approval that does not count. */
  noteRefusedApproval(input: RefusedApproval): Promise<void>;
}>;
