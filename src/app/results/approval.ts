import { z } from 'zod';
import type { ApprovalGap } from '../../domain/approval/gaps.ts';
import type { ApprovalPolicy } from '../../domain/approval/policy.ts';
import type { Question } from '../../domain/approval/question.ts';
import {
  type Approval,
  DECISIONS,
  FIELD_LENGTH_MAX,
  readApproval,
  REASON_LENGTH_MAX,
  SIGNATURE_LENGTH_MAX,
} from '../../domain/approval/statement.ts';
import type {
  ApprovalQuestion,
  DecideResult,
  QuestionedPlan,
} from '../../operations/approval/approval-question.ts';
import { fileForm } from '../../operations/file/plan-schema.ts';
import type { Signing, SubmissionQuestion } from '../../operations/approval/submission-question.ts';
import type { StatementView } from '../../operations/batch/standing-view.ts';
import { hold } from './hold.ts';
import { finding } from './finding.ts';
import { amount, currencyTotal, errorCode, instant } from './values.ts';

const person = z.object({
  name: z.string(),
  publicKey: z.string().nullable(),
  roles: z.array(z.string()),
  users: z.array(z.string()),
});

/** From which total on how many people must approve. */
export const tier = z.object({
  currency: z.string().nullable(),
  above: z.string(),
  approvals: z.int(),
  roles: z.array(z.string()),
  mustInclude: z.array(z.string()),
});

const policy: z.ZodType<ApprovalPolicy> = z.object({
  mode: z.enum(['signed', 'unsigned']),
  expiresAfterMs: z.int(),
  tiers: z.array(tier),
  people: z.array(person),
});

const signingFields = { policy: policy.nullable(), isNeeded: z.boolean() };

/** How a submit is signed. */
export const signing: z.ZodType<Signing> = z.object(signingFields);

/** What a submitter signs. */
export const submissionQuestion: z.ZodType<SubmissionQuestion> = z.object({
  batchId: z.string(),
  subject: z.string(),
  ...signingFields,
});

/** The question that a signature answers. Its text is in docs/audit.md. */
export const question: z.ZodType<Question> = z.object({
  policy,
  batchId: z.string(),
  subject: z.string(),
  totals: z.array(currencyTotal),
  submittedBy: z.string(),
  consent: z.enum(DECISIONS).exactOptional(),
});

/** The fields of a decision. */
const statement = {
  batchId: z.string(),
  subject: z.string(),
  decision: z.enum(DECISIONS),
  person: z.string(),
  reason: z.string(),
  issuedAt: instant,
  expiresAt: instant,
};

/** An instant as it stands in a statement: it has one text. */
const signedInstant = z.iso.datetime({ precision: 3 });

const signedField = z.string().min(1).max(FIELD_LENGTH_MAX);

/** A decision of one person. `signature`: 64 bytes in base64; null where approvals are unsigned. */
export const approval: z.ZodType<Approval> = z
  .object({
    batchId: signedField,
    subject: signedField,
    decision: z.enum(DECISIONS),
    person: signedField,
    reason: z.string().max(REASON_LENGTH_MAX),
    issuedAt: signedInstant,
    expiresAt: signedInstant,
    signature: z.string().min(1).max(SIGNATURE_LENGTH_MAX).nullable(),
  })
  .refine((given) => typeof readApproval(given) !== 'string', 'is no decision of a person');

/** Approvals that a question lacks. */
export const approvalGap: z.ZodType<ApprovalGap> = z.object({
  count: z.int(),
  roles: z.array(z.string()),
  candidates: z.array(z.string()),
});

/** An answer of an approver, and why it does not count. */
export const statementView: z.ZodType<StatementView> = z.object({
  person: z.string(),
  decision: z.enum(DECISIONS),
  reason: z.string(),
  issuedAt: instant,
  about: z.enum(['plan', 'hold']),
  signedBy: z.enum(['passkey', 'ed25519']).nullable(),
  isGenuine: z.boolean(),
  why: z.string().nullable(),
  code: errorCode.nullable(),
});

const questionedPlan: z.ZodType<QuestionedPlan> = z.object({
  digest: z.string().nullable(),
  file: z.string(),
  fileSha256: z.string(),
  submittedBy: z.string(),
  submittedAt: instant,
  currencies: z.array(z.object({ currency: z.string(), rows: z.int(), total: amount })),
  refusedRows: z.int(),
  sheet: z.string().nullable(),
  form: fileForm,
  currency: z.string().nullable(),
  fees: z.array(z.object({ currency: z.string(), fee: amount })),
  at: instant.nullable(),
  executionDate: instant.nullable(),
  findings: z.array(finding),
});

export const approvalQuestionResult: z.ZodType<ApprovalQuestion> = z.object({
  schema: z.literal('bursar.approval-question/v1'),
  batchId: z.string(),
  question,
  plan: questionedPlan,
  hold: hold.nullable(),
  outlook: z.string().nullable(),
  approvals: z.array(z.object(statement)),
  given: z.array(statementView),
  missing: z.array(z.string()),
  gaps: z.array(approvalGap),
});

export const decideResult: z.ZodType<DecideResult> = z.object({
  schema: z.literal('bursar.approval/v1'),
  ...statement,
  signed: z.boolean(),
  missing: z.array(z.string()),
});
