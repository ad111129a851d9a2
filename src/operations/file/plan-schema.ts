import { z } from 'zod';
import { CURRENCY } from '../../domain/currencies/currency-info.ts';
import { isBursarError } from '../../domain/errors/bursar-error.ts';
import { PERCENT, readStopLossRule } from '../../domain/holds/stop-loss.ts';
import { PLAN_PARTS, type PlanPart } from '../../domain/plan/digest.ts';
import { PLAIN_DECIMAL } from '../../domain/money/amount.ts';
import { FINDING_CODES } from '../../domain/plan/finding.ts';
import { CHUNK_ROWS_MAX } from '../../domain/plan/limits.ts';
import { isBatchId } from '../../domain/batch/batch-id.ts';
import { formFault } from '../../domain/rows/file-form.ts';
import { COLUMNS } from '../../domain/rows/row.ts';
import { DURATION_MS_MAX } from '../input/duration.ts';
import { readExpectedTotal } from '../input/totals.ts';
import { PLAN_SCHEMA } from './plan-view.ts';

const hash = z.string().regex(/^[0-9a-f]{64}$/, 'must be 64 hexadecimal digits');
const digest = z.string().regex(/^sha256:[0-9a-f]{64}$/, 'must be sha256: and 64 digits');
const count = z.int().min(0);
const chunkRows = z.int().min(0).max(CHUNK_ROWS_MAX);
const currency = z.string().regex(CURRENCY, 'must be a currency');

/** The part of a pattern between its anchors. */
const within = ({ source }: RegExp): string => source.replaceAll(/^\^|\$$/g, '');
const instant = z.iso.datetime('must be an instant in UTC');
const sentences = z.array(z.string());

/** A total as `--expect-total` takes it. */
export const expectedTotal = z
  .string()
  .refine(isExpectedTotal, 'must be AMOUNT or AMOUNT:CURRENCY')
  .meta({ pattern: `^${within(PLAIN_DECIMAL)}(?::${within(CURRENCY)})?$` });

/** A rule as `--stop-loss` takes it; it becomes canonical. */
export const stopLossRule = z
  .string()
  .meta({
    pattern: `^(?:${within(PERCENT)}|${within(PLAIN_DECIMAL)}:${within(CURRENCY)})$`,
  })
  .transform((text, context) => {
    const rule = readStopLossRule(text);
    if (rule !== undefined) return rule;
    context.addIssue('must be a percentage such as 5%, or an amount such as 1000:USDT_TRC20');
    return z.NEVER;
  });

function isExpectedTotal(text: string): boolean {
  try {
    return readExpectedTotal(text) === text;
  } catch (error) {
    if (isBursarError(error)) return false;
    throw error;
  }
}

/** A name of a column or a sheet. */
const nameInFile = z.string().min(1).max(200);

/** The statements of a submitter about the form of a file. */
export const fileForm = z
  .strictObject({
    sheet: nameInFile.nullable().default(null),
    decimalComma: z.boolean().default(false),
    columns: z.partialRecord(z.enum(COLUMNS), nameInFile).default({}),
    ignoreColumns: z.array(nameInFile).default([]),
  })
  .superRefine((form, context) => {
    const fault = formFault(form);
    if (fault !== null) context.addIssue(fault);
  });

const isFindingCode = (text: string): boolean =>
  (FINDING_CODES as readonly string[]).includes(text);

/** The code of a finding. Its type is text, so that the choices of a plan fit those of a submit. */
export const findingCode = z
  .string()
  .refine(isFindingCode, 'must be the code of a finding')
  .meta({ enum: FINDING_CODES });

/** The choices of a batch's options. One more or less is refused. */
export const PlanChoices = z.strictObject({
  currency: currency.nullable(),
  at: instant.nullable(),
  executionDate: instant.nullable(),
  fundsWaitMs: z.int().min(1).max(DURATION_MS_MAX).nullable(),
  beforeScheduled: z.boolean(),
  skipInvalid: z.boolean(),
  expectCount: count.nullable(),
  expectTotals: z.array(expectedTotal),
  accept: z.array(findingCode),
  chunkRows: chunkRows.min(1),
  rowTag: z.enum(['append', 'off']),
  canaryRows: chunkRows,
  stopLoss: z.array(stopLossRule),
  form: fileForm.exactOptional(),
});

/** The findings of a plan, as it was returned or written. */
export const writtenFindings = z.array(
  z.object({ code: z.string(), count, examples: z.array(z.object({ row: count })) }),
);

const Parts = z.strictObject(
  Object.fromEntries(PLAN_PARTS.map((part) => [part, hash])) as Record<PlanPart, typeof hash>,
);

/**
 * The parts of a plan file that are used: to start the batch, and to name changes. The whole file is compared with the
 * plan of now.
 */
export const PlanFile = z.object({
  schema: z.literal(PLAN_SCHEMA),
  batchId: z.string().refine(isBatchId, 'must be the id of a batch'),
  account: z.string(),
  file: z.object({ path: z.string().min(1).nullable(), sha256: hash }),
  rows: z.object({ total: count, refused: count }),
  currencies: z.array(z.object({ currency, rows: count, total: z.string() })),
  chunks: count,
  choices: PlanChoices,
  findings: writtenFindings,
  rules: z.object({
    approval: sentences,
    approvers: sentences,
    findings: sentences,
    limits: sentences,
    fees: sentences,
  }),
  digest,
  parts: Parts,
});

export type PlanFile = z.output<typeof PlanFile>;
