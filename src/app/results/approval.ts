import { z } from 'zod';
import type { ApprovalPolicy } from '../../domain/approval/policy.ts';
import type { Question } from '../../domain/approval/question.ts';
import { type Approval, DECISIONS, readApproval } from '../../domain/approval/statement.ts';
import { currencyTotal, instant } from './values.ts';

const person = z.object({
  name: z.string(),
  publicKey: z.string().nullable(),
  roles: z.array(z.string()),
  users: z.array(z.string()),
});

const tier = z.object({
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

/** The question that a signature answers. Its text is in docs/audit.md. */
export const question: z.ZodType<Question> = z.object({
  policy,
  batchId: z.string(),
  subject: z.string(),
  totals: z.array(currencyTotal),
  submittedBy: z.string(),
  consent: z.enum(DECISIONS).exactOptional(),
});

/** A decision of one person. `signature`: 64 bytes in base64; null where approvals are unsigned. */
export const approval: z.ZodType<Approval> = z
  .object({
    batchId: z.string(),
    subject: z.string(),
    decision: z.enum(DECISIONS),
    person: z.string(),
    reason: z.string(),
    issuedAt: instant,
    expiresAt: instant,
    signature: z.string().nullable(),
  })
  .refine((given) => typeof readApproval(given) !== 'string', 'is no decision of a person');
