import { z } from 'zod';
import type { PaymentOptions } from '../../contract/batch.ts';
import { PLAN_PARTS, type PlanParts } from '../../domain/plan/digest.ts';
import { END_STATES } from '../../domain/batch/batch-state.ts';
import type { FundsLine } from '../../operations/file/funds.ts';
import { fileForm, findingCode } from '../../operations/file/plan-schema.ts';
import { PLAN_SCHEMA } from '../../operations/file/plan-view.ts';
import type { ProgramPlan } from '../../operations/file/program-submit.ts';
import { signing } from './approval.ts';
import { finding } from './finding.ts';
import { amount, detailedNote, instant } from './values.ts';

const sentences = z.array(z.string());

const fundsLine: z.ZodType<FundsLine> = z.object({
  currency: z.string(),
  available: amount,
  requested: amount,
  fee: amount.nullable(),
  reserved: amount.nullable(),
  claimed: amount.nullable(),
  free: amount.nullable(),
  left: amount,
  caps: z.array(z.object({ cap: z.string(), isAbove: z.boolean() })),
  heldAs: z.array(z.object({ currency: z.string(), amount })).exactOptional(),
});

/** The choices of a batch, as its plan has them. */
const paymentOptions: z.ZodType<PaymentOptions> = z.object({
  currency: z.string().nullable(),
  skipInvalid: z.boolean(),
  expectCount: z.int().nullable(),
  expectTotals: z.array(z.string()),
  accept: z.array(findingCode),
  at: instant.nullable(),
  executionDate: instant.nullable(),
  fundsWaitMs: z.int().nullable(),
  beforeScheduled: z.boolean(),
  chunkRows: z.int(),
  rowTag: z.enum(['append', 'off']),
  canaryRows: z.int(),
  stopLoss: z.array(z.string()),
  form: fileForm.exactOptional(),
});

const hash = z.string().regex(/^[0-9a-f]{64}$/);

/** A hash of each part of a plan. */
export const planParts: z.ZodType<PlanParts> = z.object(
  Object.fromEntries(PLAN_PARTS.map((part) => [part, hash])) as Record<
    keyof PlanParts,
    typeof hash
  >,
);

const chunk = z.object({
  chunk: z.int(),
  currency: z.string(),
  rows: z.int(),
  total: amount,
  firstRow: z.int(),
  lastRow: z.int(),
  rowsSha256: hash,
  idempotencyKey: z.string(),
});

/** A plan: `bursar.plan/v1`. */
export const programPlan: z.ZodType<ProgramPlan> = z.object({
  schema: z.literal(PLAN_SCHEMA),
  batchId: z.string(),
  account: z.string().nullable(),
  file: z.object({
    name: z.string(),
    path: z.string().nullable(),
    sha256: hash,
    sizeBytes: z.int(),
  }),
  rows: z.object({ total: z.int(), accepted: z.int(), refused: z.int() }),
  currencies: z.array(z.object({ currency: z.string(), rows: z.int(), total: amount })),
  funds: z.array(fundsLine).nullable(),
  chunks: z.int(),
  at: instant.nullable(),
  executionDate: instant.nullable(),
  choices: paymentOptions,
  controlTotals: z
    .object({ expectCount: z.int().nullable(), expectTotals: z.array(z.string()) })
    .nullable(),
  totalRow: z
    .object({ row: z.int(), total: amount, currency: z.string().nullable() })
    .exactOptional(),
  sheet: z.string().exactOptional(),
  findings: z.array(finding),
  rules: z.object({
    approval: sentences,
    approvers: sentences,
    findings: sentences,
    limits: sentences,
    fees: sentences,
  }),
  approvalNeeded: sentences,
  historyRead: z.boolean(),
  digest: z.string().nullable(),
  parts: planParts.nullable(),
  nack: z.string().nullable(),
  toCorrect: z.string().exactOptional(),
  problems: z.array(detailedNote),
  chunkList: z.array(chunk),
  service: z.object({
    url: z.string().nullable(),
    account: z.string().nullable(),
    environment: z.enum(['LIVE', 'SANDBOX']),
  }),
  submission: z.object({ batchId: z.string(), subject: z.string() }).nullable(),
  signing,
  refused: z
    .array(detailedNote.and(z.object({ row: z.int(), column: z.string(), value: z.string() })))
    .meta({ description: 'the first reasons for refusing rows, in the order of the file' }),
  reasons: z.int().meta({ description: 'how many reasons there are' }),
  batch: z
    .object({ batchId: z.string(), endState: z.enum(END_STATES).nullable() })
    .nullable()
    .meta({ description: 'the batch that has this id already' }),
});
