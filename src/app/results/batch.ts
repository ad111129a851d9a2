import { z } from 'zod';
import { approvalGap, statementView } from './approval.ts';
import { OUTCOMES } from '../../domain/settling/outcome.ts';
import type { ShownBatch } from '../../operations/batch/standing-view.ts';
import type { ListedBatch } from '../../operations/batch/list-batches.ts';
import { hold } from './hold.ts';
import { amount, batchState, currencyTotal, errorNote, instant } from './values.ts';

/** Since when no worker answers. */
export const workerSilence = z.object({
  answers: z.literal(false),
  seenAt: instant.nullable(),
  taskQueue: z.string(),
});

export const listedBatch: z.ZodType<ListedBatch> = z.object({
  batchId: z.string(),
  state: batchState,
  file: z.string().nullable(),
  rows: z.int().nullable(),
  totals: z.array(currencyTotal),
  submittedAt: instant.nullable(),
  submittedBy: z.string().nullable(),
});

const rowCounts = z.object({
  total: z.int(),
  paid: z.int(),
  failed: z.int(),
  unknown: z.int(),
  notSent: z.int(),
  inFlight: z.int(),
  notSentYet: z.int().exactOptional(),
});

const currencyAmounts = z.object({
  currency: z.string(),
  requested: amount,
  fee: amount,
  feeIncludesUnpaid: z.literal(true).exactOptional(),
  paid: amount,
  failed: amount,
  unknown: amount,
  notSent: amount,
  inFlight: amount,
  notSentYet: amount.exactOptional(),
});

const attempt = z.object({
  n: z.int(),
  signedAt: instant,
  outcome: z.string(),
  httpStatus: z.int().exactOptional(),
  errorCode: z.string().exactOptional(),
  traceId: z.string().exactOptional(),
});

const operatorCase = z.object({
  chunk: z.int(),
  reason: z.string(),
  since: instant,
  idempotencyKey: z.string(),
  externalId: z.string(),
  rows: z.int(),
  currency: z.string(),
  total: amount,
  forgotten: z.object({ since: instant, until: instant }).exactOptional(),
  attempts: z.array(attempt),
});

const alarmCase = z.object({
  reason: z.string(),
  state: z.string(),
  since: instant,
  chunks: z.array(z.int()),
});

const doublePayment = z.object({
  row: z.int(),
  isCertain: z.boolean(),
  batches: z.array(z.object({ batchId: z.string(), outcome: z.enum(OUTCOMES) })),
  massPayouts: z.array(z.string()).exactOptional(),
});

const balanceCheck = z.object({
  result: z.enum(['explained', 'differs', 'not-checkable']),
  because: z.string().nullable(),
  lines: z.array(
    z.object({
      currency: z.string(),
      opening: amount,
      closing: amount,
      left: amount,
      atLeast: amount,
      atMost: amount.nullable(),
      unexplained: amount,
      beyondOrders: amount.exactOptional(),
    }),
  ),
  accepted: z.array(z.object({ by: z.string(), reason: z.string(), at: instant })),
  createdAgain: z
    .array(z.object({ chunk: z.int(), firstRow: z.int(), lastRow: z.int() }))
    .exactOptional(),
});

const activity = z.object({
  state: batchState,
  since: instant,
  note: z.string(),
  isHeld: z.boolean(),
  canceledBy: z.string().nullable(),
});

const approval = z.object({
  given: z.array(statementView),
  missing: z.array(z.string()),
  gaps: z.array(approvalGap),
});

/** Where a batch stands: `bursar.batch/v1`. */
export const batchStanding: z.ZodType<ShownBatch> = z.object({
  schema: z.literal('bursar.batch/v1'),
  batchId: z.string(),
  workflowId: z.string(),
  state: batchState,
  digest: z.string().nullable(),
  rows: rowCounts,
  amounts: z.array(currencyAmounts),
  chunks: z.object({ total: z.int(), byState: z.record(z.string(), z.int()) }),
  needsOperator: z.array(operatorCase),
  alarms: z.array(alarmCase),
  holds: z.array(hold),
  error: errorNote.nullable(),
  generation: z.int(),
  parentBatchId: z.string().nullable(),
  childBatchId: z.string().nullable(),
  paidTwice: z.array(doublePayment),
  balance: balanceCheck.exactOptional(),
  reportDir: z.string(),
  reportUrl: z.string().nullable(),
  verifying: z.object({ verified: z.int(), total: z.int() }).exactOptional(),
  isOver: z.boolean(),
  isRegistered: z.boolean(),
  isQueued: z.boolean(),
  activity: activity.exactOptional(),
  short: z.array(z.object({ currency: z.string(), amount })).exactOptional(),
  fundsUntil: instant.exactOptional(),
  worker: workerSilence.exactOptional(),
  canceled: z.object({ by: z.string(), reason: z.string() }).exactOptional(),
  submittedBy: z.string().exactOptional(),
  submittedAt: instant.exactOptional(),
  file: z.object({ name: z.string(), sha256: z.string() }).exactOptional(),
  approval: approval.exactOptional(),
  decisions: z.array(statementView).exactOptional(),
  holdsLiftedBy: z.enum(['approve', 'resume']),
  trouble: z.string().exactOptional(),
});
