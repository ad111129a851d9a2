import type { Approval, Decision } from '../domain/approval/statement.ts';
import type { Hold } from '../domain/holds/hold.ts';
import type { Refused } from './activities.ts';

/** What an approver said, and the hold that is open: it says what is approved. null: none. */
export type RecordApprovalInput = Readonly<{
  batchId: string;
  approval: Approval;
  hold: Hold | null;
  /** Who handed it in; null or missing where nobody says. */
  by?: string | null;
}>;

/** An approval that does not count. `by`: who handed it in, `person`: in whose name; null where nobody says. */
export type RefusedApproval = Readonly<{
  batchId: string;
  by: string | null;
  person: string | null;
  decision: Decision;
  code: string;
}>;

export type Recorded = Readonly<{ kind: 'recorded' }>;

export type ApprovalActivities = Readonly<{
  /** Checks an approval or a refusal once more, against the store, and writes it down. The same one twice is one. */
  recordApproval(input: RecordApprovalInput): Promise<Recorded | Refused>;
  /** Writes down that somebody handed in what does not count. */
  noteRefusedApproval(input: RefusedApproval): Promise<void>;
}>;
