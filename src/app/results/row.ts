import { z } from 'zod';
import type { LineageOutcome } from '../../domain/lineage/lineage.ts';
import { OUTCOMES, SHOWN_OUTCOMES } from '../../domain/settling/outcome.ts';
import { ROW_STEPS } from '../../operations/batch/generation-story.ts';
import type { FoundPlace } from '../../operations/batch/find-word.ts';
import type { RowStory } from '../../operations/batch/story.ts';
import type { ShownRow } from '../../report/report-rows.ts';
import { amount, detailedNote, instant } from './values.ts';

/** One row of a file with its outcome so far: `bursar.row/v1`. A field without a value is an empty text. */
export const shownRow: z.ZodType<ShownRow> = z.object({
  row: z.int(),
  address: z.string(),
  amount: z.string(),
  currency: z.string(),
  comment: z.string(),
  reference: z.string(),
  name: z.string(),
  outcome: z.enum(SHOWN_OUTCOMES),
  reason: z.string(),
  chunk: z.int().nullable(),
  massPayoutId: z.string(),
  idempotencyKey: z.string(),
  withdrawalId: z.string(),
  transactionHash: z.string(),
  fee: z.string(),
  feeCurrency: z.string(),
  refused: z.boolean(),
  seenPaid: z.literal(true).exactOptional(),
  resentAs: z.string().exactOptional(),
});

const LINEAGE_OUTCOMES = [
  'UNPAID',
  'PAID',
  'UNKNOWN',
  'OPEN',
  'PAID_TWICE',
  'MAYBE_TWICE',
] as const satisfies readonly LineageOutcome[];

const chunkStory = z.object({
  chunk: z.int(),
  firstRow: z.int(),
  lastRow: z.int(),
  rows: z.int(),
  currency: z.string(),
  total: amount,
  idempotencyKey: z.string(),
  externalId: z.string(),
  state: z.string(),
  massPayoutId: z.string().nullable(),
  fee: amount.nullable(),
  needsOperator: z.string().nullable(),
  attempts: z.array(
    z.object({
      n: z.int(),
      signedAt: instant,
      endedAt: instant.nullable(),
      outcome: z.string(),
      httpStatus: z.int().exactOptional(),
      errorCode: z.string().exactOptional(),
      traceId: z.string().exactOptional(),
    }),
  ),
  lookups: z.array(z.object({ at: instant, result: z.string(), afterAttempts: z.int() })),
  answer: z.string().nullable(),
});

const generationStory = z.object({
  batchId: z.string(),
  generation: z.int(),
  chunk: z.int(),
  idempotencyKey: z.string(),
  massPayoutId: z.string(),
  withdrawalId: z.string(),
  transactionHash: z.string(),
  outcome: z.enum(SHOWN_OUTCOMES),
  reason: z.string(),
  sentAt: instant.nullable(),
});

/** The history of one row: `bursar.row-story/v1`. */
export const rowStory: z.ZodType<RowStory> = z.object({
  schema: z.literal('bursar.row-story/v1'),
  batchId: z.string(),
  parentBatchId: z.string().nullable(),
  generation: z.int(),
  file: z.object({ name: z.string(), sha256: z.string() }),
  row: shownRow,
  refusedFor: z.array(detailedNote),
  chunk: chunkStory.nullable(),
  at: instant.nullable(),
  changes: z.array(z.object({ at: instant, before: z.enum(OUTCOMES), after: z.enum(OUTCOMES) })),
  why: z.string(),
  next: z.string(),
  step: z.enum(ROW_STEPS),
  lineage: z.array(generationStory),
  standing: z.enum(LINEAGE_OUTCOMES),
  paidBy: z.array(z.string()),
});

/** A place where a word was found. */
export const foundPlace: z.ZodType<FoundPlace> = z.object({
  as: z.enum([
    'idempotency key',
    'external id',
    'mass payout',
    'trace id',
    'withdrawal',
    'transaction hash',
    'row tag',
    'reference',
    'address',
    'payee name',
  ]),
  batchId: z.string(),
  row: z.int().nullable(),
  chunk: z
    .object({
      chunk: z.int(),
      firstRow: z.int(),
      lastRow: z.int(),
      total: amount,
      currency: z.string(),
      idempotencyKey: z.string(),
      externalId: z.string(),
      massPayoutId: z.string().nullable(),
      state: z.string(),
    })
    .nullable(),
  payment: z
    .object({
      address: z.string(),
      payee: z.string().nullable(),
      reference: z.string(),
      amount,
      currency: z.string(),
      outcome: z.enum(SHOWN_OUTCOMES),
      reason: z.string(),
      at: instant.nullable(),
      transactionHash: z.string(),
    })
    .nullable(),
});
