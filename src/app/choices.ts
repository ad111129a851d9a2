import { z } from 'zod';
import { FINDING_CODES, type FindingCode } from '../domain/plan/finding.ts';
import { CHUNK_ROWS_MAX } from '../domain/plan/limits.ts';
import type { FileForm } from '../domain/rows/file-form.ts';
import { expectedTotal, fileForm, stopLossRule } from '../operations/file/plan-schema.ts';
import { DURATION_MS_MAX } from '../operations/input/duration.ts';
import { batchId, list } from './inputs.ts';

/** A code is any text to the code that reads it: a later version has more of them. */
const accept: z.ZodType<readonly string[], readonly FindingCode[]> = list(
  z.enum(FINDING_CODES, 'must be the code of a finding'),
);

/** The choices of any batch; each has the default of the command line. */
const anyChoices = {
  currency: z.string().nullable().default(null),
  skipInvalid: z.boolean().default(false),
  expectCount: z.int().min(0).nullable().default(null),
  expectTotals: list(expectedTotal).default([]),
  accept: accept.default([]),
  fundsWaitMs: z.int().min(1).max(DURATION_MS_MAX).nullable().default(null),
  canaryRows: z.int().min(0).max(CHUNK_ROWS_MAX).nullable().default(null),
  stopLoss: list(stopLossRule).nullable().default(null),
};

const futureInstant = z.iso.datetime('must be an instant in UTC').nullable().default(null);

/** The choices of a submitter. */
export const batchChoices = z.strictObject({
  id: batchId.nullable().default(null),
  at: futureInstant,
  executionDate: futureInstant,
  ...anyChoices,
  beforeScheduled: z.boolean().default(false),
});

/** The statement about the form of a file. A resend reads none. */
const form: z.ZodType<FileForm, z.input<typeof fileForm>> = fileForm;

export const fileChoices = batchChoices.extend({ form: form.exactOptional() });

/** The choices of each batch of a schedule. */
export const runChoices = z.strictObject({ ...anyChoices, form: form.exactOptional() });
