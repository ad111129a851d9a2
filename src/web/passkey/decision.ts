import { CHALLENGE_MS } from '../../domain/approval/sign-in.ts';
import { type ApprovalStatement, statementText } from '../../domain/approval/statement.ts';
import { readChallenge } from './session.ts';
import { signText } from './ask.ts';

/** The subject of a decision, and its person. `lastsMs`: how long the decision counts. */
export type SignedSubject = Readonly<{
  batchId: string;
  subject: string;
  decision: ApprovalStatement['decision'];
  person: string;
  reason: string;
  lastsMs: number;
}>;

export type SignedDecision = ApprovalStatement & Readonly<{ signature: string }>;

/** The statement of a decision that is made now. */
function statementOf({ lastsMs, ...about }: SignedSubject, nowMs: number): ApprovalStatement {
  const issuedAt = new Date(nowMs).toISOString();
  return { ...about, issuedAt, expiresAt: new Date(nowMs + lastsMs).toISOString() };
}

/** Lets the person sign a decision with their passkey. @throws ApiFailure, PasskeyFailure */
export async function signDecision(about: SignedSubject): Promise<SignedDecision> {
  const { rpId, expiresAt } = await readChallenge();
  // The clock of this device may be wrong. A statement has the time of the server.
  const statement = statementOf(about, Date.parse(expiresAt) - CHALLENGE_MS);
  const { signature } = await signText(statementText(statement), rpId);
  return { ...statement, signature };
}
