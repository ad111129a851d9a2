import type { CurrencyTotal } from '../money/currency-total.ts';
import type { Hold } from '../holds/hold.ts';
import type { ApprovalRule } from '../plan/rules.ts';
import { sha256Hex } from '../sending/identity.ts';
import type { ApprovalPolicy } from './policy.ts';
import type { ApprovalDecision } from './statement.ts';
import { requirementsOf } from './requirements.ts';

/** The parts that a statement must match, so that it is one person's decision about one subject. */
export type ApprovalSubject = Readonly<{
  policy: ApprovalPolicy;
  batchId: string;
  subject: string;
}>;

/** The batch that a question is about. */
export type QuestionedBatch = Readonly<{
  batchId: string;
  totals: readonly CurrencyTotal[];
  submittedBy: string;
}>;

/** The question to the approvers: one subject of one batch, under the policy of its plan. */
export type Question = ApprovalSubject &
  QuestionedBatch &
  Readonly<{
    /** The decision that counts as a yes; `approve` when it is missing. */
    consent?: ApprovalDecision;
  }>;

/** The decision that counts as a yes. */
export const consentOf = ({ consent = 'approve' }: Question): ApprovalDecision => consent;

/** The parts of a question. `hold`: the hold to lift; null: the question is about the plan. */
export type QuestionParts = QuestionedBatch &
  Readonly<{ policy: ApprovalPolicy | null; digest: string; hold: Hold | null }>;

/** The question of a batch; null when its plan needs no approval. */
export function questionOf({ policy, digest, hold, ...rest }: QuestionParts): Question | null {
  if (policy === null || requirementsOf(policy, rest.totals).length === 0) return null;
  return { ...rest, policy, subject: subjectOf(digest, hold) };
}

/** A batch as it is written down, as far as its approvers are concerned. */
export type ApprovedBatch = Readonly<{
  batchId: string;
  submittedBy: string;
  /** null: not planned yet. */
  digest: string | null;
  rules: ApprovalRule | null;
  summary: Readonly<{ currencies: readonly CurrencyTotal[] }> | null;
}>;

/** The question of a batch from its record; null also when it has no plan yet. */
export function questionOfBatch(
  { batchId, submittedBy, digest, rules, summary }: ApprovedBatch,
  hold: Hold | null,
): Question | null {
  if (digest === null || summary === null) return null;
  const policy = rules?.approval ?? null;
  const totals = summary.currencies.map(({ currency, total }) => ({ currency, total }));
  return questionOf({ policy, totals, batchId, digest, submittedBy, hold });
}

/** A plan is named by its digest, a hold by the digest and everything that a person reads of the hold. */
export const subjectOf = (digest: string, hold: Hold | null): string =>
  hold === null ? digest : holdSubject(digest, hold);

/** Names a hold of a plan: an approval of it lifts this hold, and no other. */
export const holdSubject = (digest: string, { kind, n, since, reason }: Hold): string =>
  subjectHash('bursar-hold/v1', [digest, kind, n, since, reason]);

/** Names a subject by its kind and its parts. Parts are written as JSON, so that no part can pass for two. */
export const subjectHash = (kind: string, parts: readonly unknown[]): string =>
  `sha256:${sha256Hex([kind, ...parts].map((part) => JSON.stringify(part)).join('\n'))}`;
