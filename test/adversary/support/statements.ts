import type { BatchOptions } from '../../../src/contract/batch.ts';
import type { Approval, ApprovalDecision } from '../../../src/domain/approval/statement.ts';
import { isoOf, signed } from '../../support/approvers.ts';

/** What the submitter of every victim chose. */
export const OPTIONS: BatchOptions = {
  chunkRows: 2,
  chunksInFlight: 1,
  rowTag: 'append',
  currency: null,
  skipInvalid: false,
  expectCount: null,
  expectTotals: [],
  accept: ['SAME_FILE_AGAIN'],
  expectedDigest: null,
  canaryRows: 0,
  stopLoss: [],
  at: null,
  executionDate: null,
  fundsWaitMs: null,
  beforeScheduled: false,
  pollMinMs: 100,
  pollMaxMs: 1_000,
};

type StatementDetails = Readonly<{
  decision: ApprovalDecision;
  /** Whose key signs. */
  signer: string;
  issuedMs: number;
  lastsMs: number;
  reason: string;
}>;

/** A statement that a person signed, an hour ago unless the test says when. */
export function statementBy(
  person: string,
  about: Readonly<{ batchId: string; subject: string }>,
  {
    decision = 'approve',
    signer = person,
    issuedMs = Date.now() - 3_600_000,
    lastsMs = 20 * 3_600_000,
    reason = '',
  }: Partial<StatementDetails> = {},
): Approval {
  const times = { issuedAt: isoOf(issuedMs), expiresAt: isoOf(issuedMs + lastsMs) };
  return signed({ ...about, decision, person, reason, ...times }, signer);
}
