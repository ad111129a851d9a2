/** What an approver says, of one plan or of one hold. Instants are ISO 8601 in UTC. */
export type ApprovalStatement = Readonly<{
  batchId: string;
  /** What is approved: the digest of the plan, or of the plan and what it is held for. */
  subject: string;
  decision: 'approve' | 'refuse';
  /** Name of a person of the policy. */
  person: string;
  reason: string;
  issuedAt: string;
  expiresAt: string;
}>;

/** `signature` is 64 bytes in base64, over the text of the statement; null where approvals are unsigned. */
export type Approval = ApprovalStatement & Readonly<{ signature: string | null }>;
