import type { Question } from '../../domain/approval/question.ts';
import { approvalFault } from '../../domain/approval/check-approval.ts';
import type { Approval } from '../../domain/approval/statement.ts';
import type { ErrorNote } from '../../domain/errors/bursar-error.ts';
import type { Store } from '../../store/index.ts';

type Taking = Readonly<{
  statement: Approval;
  /** The question that the statement must decide; null: there is none. */
  question: Question | null;
  nowMs(): number;
}>;

/** Writes a signed statement down, after everything about it was verified. Returns why it does not count, or null. */
export async function takeStatement(
  { approvals }: Store,
  { statement, question, nowMs }: Taking,
): Promise<ErrorNote | null> {
  const batchId = question?.batchId ?? statement.batchId;
  const given = (await approvals.statements(batchId)).map(({ approval }) => approval);
  // An activity may run again after it did its work.
  const isAsked = statement.subject === question?.subject;
  if (isAsked && given.some((one) => isSame(one, statement))) return null;
  const atMs = nowMs();
  const refusal = approvalFault(statement, question, { given, nowMs: atMs });
  if (refusal === null) await approvals.add(statement, atMs);
  return refusal;
}

const isSame = (one: Approval, other: Approval): boolean =>
  one.subject === other.subject &&
  one.person === other.person &&
  one.decision === other.decision &&
  one.issuedAt === other.issuedAt &&
  one.signature === other.signature;
