import { z } from 'zod';
import type { PaymentOptions } from '../../contract/batch.ts';
import type { WrittenFindings } from '../../domain/plan/expected-plan.ts';
import * as submitting from '../../operations/file/program-submit.ts';
import { plainFileName, type UploadedFile } from '../../operations/file/stored-file.ts';
import { PlanChoices, writtenFindings } from '../../operations/file/plan-schema.ts';
import {
  type PlannedResend,
  planResendOf,
  resendForProgram,
  type StartedResend,
} from '../../operations/batch/resend-batch.ts';
import { END_STATES } from '../../domain/batch/batch-state.ts';
import { batchChoices, fileChoices } from '../choices.ts';
import { batchId } from '../inputs.ts';
import { operation } from '../operation.ts';
import { approval, signing } from '../results/approval.ts';
import { planParts, programPlan } from '../results/plan.ts';
import { amount, currencyTotal } from '../results/values.ts';

const sha256 = z.string().regex(/^[0-9a-f]{64}$/, 'must be 64 hexadecimal digits');

/** Characters of a name that sentences show. */
const SHOWN_LENGTH_MAX = 4_096;

const inSentences = (what: string) =>
  z
    .string()
    .min(1)
    .max(SHOWN_LENGTH_MAX)
    .exactOptional()
    .meta({ description: `the name of ${what} in sentences` });

/** A file that was uploaded. */
export const storedFile = z.object({
  sha256,
  name: z
    .string()
    .min(1)
    .transform(plainFileName)
    .meta({ examples: ['payroll.csv'] }),
  shownName: inSentences('the file'),
});

/** The result of an upload: `bursar.file/v1`. */
export const uploadedFile: z.ZodType<UploadedFile> = z.object({
  schema: z.literal('bursar.file/v1'),
  sha256: z.string(),
  name: z.string(),
  sizeBytes: z.int(),
});

/** The choices of a plan, as it was returned. */
const planChoices: z.ZodType<PaymentOptions, z.input<typeof PlanChoices>> = PlanChoices;

/** The findings of a plan, as it was returned. */
const seenFindings: z.ZodType<WrittenFindings, WrittenFindings> = writtenFindings;

/** A plan, as it was returned. */
const confirmedPlan = z.object({
  batchId,
  choices: planChoices,
  digest: z.string(),
  parts: planParts,
  findings: seenFindings
    .exactOptional()
    .meta({ description: 'the findings of the plan: with them, notes may have become fewer' }),
  name: inSentences('the plan'),
});

const fileWithChoices = {
  file: storedFile,
  choices: fileChoices.prefault({}),
  plan: confirmedPlan
    .exactOptional()
    .meta({ description: 'a plan whose choices are taken, instead of `choices`' }),
};

/** The input of the rows of a file with their errors, and of the errors alone. */
export const refusalInput = z.strictObject(fileWithChoices);

const shownPath = z.string().min(1).max(SHOWN_LENGTH_MAX);

export const planFile = operation({
  name: 'planFile',
  summary:
    'The plan of an uploaded file: who is paid what, and what speaks against it; nothing is started',
  role: 'submit',
  http: 'POST /v1/plans',
  input: z.strictObject({
    ...fileWithChoices,
    online: z.boolean().default(false),
    fees: z.boolean().default(true).meta({ description: 'whether the service quotes fees' }),
    refusals: z
      .strictObject({ nack: shownPath, toCorrect: shownPath })
      .exactOptional()
      .meta({ description: 'where the caller keeps nack.csv and to-correct.csv' }),
  }),
  result: programPlan,
  run: submitting.planUploaded,
});

const submitted: z.ZodType<submitting.ProgramSubmitted> = z.object({
  schema: z.literal('bursar.submit/v1'),
  batchId: z.string(),
  digest: z.string(),
  outcome: z.enum(['started', 'exists', 'ended']),
});

export const submitFile = operation({
  name: 'submitFile',
  summary: 'Start exactly the plan of an uploaded file; the same call again finds the batch',
  role: 'submit',
  http: 'POST /v1/batches',
  input: z.strictObject({
    file: storedFile,
    plan: confirmedPlan,
    confirm: z.array(currencyTotal).meta({ description: 'the totals of the plan' }),
    preflight: z.boolean().default(true),
    submission: approval.exactOptional(),
  }),
  result: submitted,
  run: submitting.submitUploaded,
});

/** The choices of a batch that its resend has, too. */
const OF_PARENT = [
  ...(['currency', 'skipInvalid', 'expectCount', 'expectTotals'] as const),
  ...(['canaryRows', 'stopLoss', 'beforeScheduled'] as const),
];
const UNCHOSEN = batchChoices.parse({});

const resendChoices = {
  parentBatchId: batchId,
  choices: batchChoices
    .extend({ fundsChosen: z.boolean().default(false) })
    .superRefine((choices, context) => {
      for (const name of OF_PARENT) {
        if (JSON.stringify(choices[name]) === JSON.stringify(UNCHOSEN[name])) continue;
        const message = 'a resend has that of its batch';
        context.addIssue({ code: 'custom', path: [name], message });
      }
    })
    .prefault({}),
};

const plannedResend: z.ZodType<PlannedResend> = z.object({
  schema: z.literal('bursar.resend/v1'),
  batchId: z.string(),
  parentBatchId: z.string(),
  generation: z.int(),
  lineage: z.array(
    z.object({ batchId: z.string(), generation: z.int(), state: z.enum(END_STATES).nullable() }),
  ),
  file: z.object({ name: z.string(), sha256: z.string() }),
  rows: z.int(),
  rowsSha256: sha256,
  currencies: z.array(z.object({ currency: z.string(), rows: z.int(), total: amount })),
  reasons: z.array(
    z.object({ outcome: z.string(), reason: z.string(), rows: z.int(), first: z.array(z.int()) }),
  ),
  unclear: z.object({
    rows: z.int(),
    first: z.array(z.object({ row: z.int(), batchId: z.string(), outcome: z.string() })),
  }),
  at: z.string().nullable(),
  executionDate: z.string().nullable(),
  submission: z.object({ batchId: z.string(), subject: z.string() }),
  signing,
});

export const planResend = operation({
  name: 'planResend',
  summary: 'The rows of an ended batch that a resend would pay; nothing is started',
  role: 'submit',
  http: 'POST /v1/batches/:parentBatchId/resend-plan',
  input: z.strictObject(resendChoices),
  result: plannedResend,
  run: planResendOf,
});

const startedResend: z.ZodType<StartedResend> = z.object({
  schema: z.literal('bursar.resend-start/v1'),
  batchId: z.string(),
  parentBatchId: z.string(),
  generation: z.int(),
});

export const resendBatch = operation({
  name: 'resendBatch',
  summary: 'Pay the provably failed rows of an ended batch again, in a new batch',
  role: 'submit',
  http: 'POST /v1/batches/:parentBatchId/resend',
  input: z.strictObject({
    ...resendChoices,
    subject: z.string().meta({
      description: '`submission.subject` of the plan: it binds rows and choices',
    }),
    confirm: z.array(currencyTotal).meta({ description: 'the totals of the plan' }),
    nothingResentElsewhere: z
      .literal(true)
      .meta({ description: 'a person states that nothing was sent again elsewhere' }),
    submission: approval.exactOptional(),
  }),
  result: startedResend,
  run: resendForProgram,
});
