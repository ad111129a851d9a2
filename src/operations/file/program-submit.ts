import type { BatchOptions, PaymentOptions } from '../../contract/batch.ts';
import type { Settings } from '../../config.ts';
import type { Approval } from '../../domain/approval/statement.ts';
import type { EndState } from '../../domain/batch/batch-state.ts';
import type { SubmissionSubject } from '../../domain/approval/submission.ts';
import { BursarError } from '../../domain/errors/bursar-error.ts';
import type { CurrencyTotal } from '../../domain/money/currency-total.ts';
import type { PlanParts } from '../../domain/plan/digest.ts';
import { totalsText } from '../../domain/plan/control-totals.ts';
import {
  changedParts,
  PART_NAMES,
  seenPlanOf,
  type WrittenFindings,
} from '../../domain/plan/expected-plan.ts';
import { type RefusedCell, refusedCell } from './refused-cell.ts';
import { type Signing, signingOf } from '../approval/submission-question.ts';
import { personOfSubmission } from '../approval/submitter.ts';
import { loadSettings } from '../batch/sources.ts';
import { newBatchInput, subjectOfInput } from '../batch/start.ts';
import { type SubmitOutcome, type Submitter, submitFile } from '../batch/submit-file.ts';
import type { OperationContext } from '../context.ts';
import { type BatchChoices, batchOptionsOf } from '../input/batch-choices.ts';
import { readInstantAhead } from '../input/instant.ts';
import { checkConfirmation } from '../input/totals.ts';
import { withColumnValues } from './column-values.ts';
import { makePlan, type PlannedService } from './make-plan.ts';
import type { PlanView } from './plan-view.ts';
import type { RefusalFiles } from './write-plan.ts';
import { type StoredFile, withStoredFile } from './stored-file.ts';

/** The parts of a plan that its submit needs, as `planUploaded` returned them. `name`: the plan in sentences; missing: its id. */
export type ConfirmedPlan = Readonly<{
  batchId: string;
  choices: PaymentOptions;
  digest: string;
  parts: PlanParts;
  /** Missing: a plan of now with fewer notes is refused, too. */
  findings?: WrittenFindings;
  name?: string;
}>;

/** An uploaded file, and the choices of its batch. `plan`: the choices of this plan are taken, and no others. */
export type FileWithChoices = Readonly<{
  file: StoredFile;
  choices: BatchChoices;
  plan?: ConfirmedPlan;
}>;

/** `online`: whether balance and fees are read from the service. */
export type ProgramPlanWish = FileWithChoices &
  Readonly<{
    online: boolean;
    /** Whether the service quotes fees. Without them `online` reads as much as a submit does, and nothing where there is no key. */
    fees: boolean;
    /** Where the caller keeps the files about refused rows; missing: they are written where reports are, and over HTTP nowhere. */
    refusals?: RefusalFiles;
  }>;

/**
 * A plan. `submission`: the subject that a submitter signs, where the policy counts signatures; null: there is no digest.
 * `refused`: the first reasons for refusing rows, in the order of the file; `reasons`: how many there are. `batch`: the one that has
 * the id already.
 */
export type ProgramPlan = PlanView &
  Readonly<{
    service: PlannedService;
    submission: SubmissionSubject | null;
    signing: Signing;
    refused: readonly RefusedCell[];
    reasons: number;
    batch: KnownBatch | null;
  }>;

/** A batch that the store has. `endState`: null: it has not ended. */
export type KnownBatch = Readonly<{ batchId: string; endState: EndState | null }>;

/** The options that the choices of a file stand for. */
export const optionsOf = ({ choices, plan }: FileWithChoices, settings: Settings): BatchOptions =>
  plan === undefined ? batchOptionsOf(choices, settings) : plannedOptions(plan, settings);

/** Reasons in one plan. A person corrects the first ones, and sees the others in the next plan. */
const REFUSED_MAX = 1_000;

/** Makes the plan of an uploaded file, and starts nothing. @throws the errors of a file that is refused whole */
export const planUploaded = (
  { online, fees, refusals, ...chosen }: ProgramPlanWish,
  context: OperationContext,
): Promise<ProgramPlan> =>
  withStoredFile(chosen.file, context, async (source) => {
    const { choices, plan } = chosen;
    if (plan === undefined) refusePast(choices, context.clock.nowMs());
    const settings = await loadSettings(context);
    const wish = {
      source,
      batchId: plan?.batchId ?? choices.id,
      optionsWith: () => optionsOf(chosen, settings),
      online,
      fees,
      seen: plan === undefined ? null : seenPlanOf(plan),
      ...(refusals === undefined ? {} : { refusals }),
    };
    const { view, refused, known, service } = await makePlan(wish, context).catch(
      async (error: unknown) => {
        throw await withColumnValues(error, source, optionsOf(chosen, settings).form);
      },
    );
    return {
      ...view,
      service,
      submission: submissionOf(view, settings),
      signing: signingOf(settings.rules.approval, view.currencies),
      refused: refused.slice(0, REFUSED_MAX).map(refusedCell),
      reasons: refused.length,
      batch: known === undefined ? null : { batchId: known.batchId, endState: known.endState },
    };
  });

/** The subject of a submit of this plan; null: it has no digest. */
function submissionOf(view: PlanView, settings: Settings): SubmissionSubject | null {
  const { digest, parts } = view;
  if (digest === null || parts === null) return null;
  const options = plannedOptions({ ...view, digest, parts }, settings);
  // Neither the name nor the time of the submitter is part of the subject.
  return subjectOfInput(newBatchInput(view, options, { by: '', atMs: 0 }));
}

/** `confirm`: the totals that are to be paid. `submission`: a signed statement of the submitter. */
export type ProgramSubmitWish = Readonly<{
  file: StoredFile;
  plan: ConfirmedPlan;
  confirm: readonly CurrencyTotal[];
  preflight: boolean;
  submission?: Approval;
}>;

export type ProgramSubmitted = Readonly<{
  schema: 'bursar.submit/v1';
  batchId: string;
  digest: string;
  outcome: SubmitOutcome;
}>;

/**
 * Starts exactly the plan that was made of an uploaded file, or nothing. The same call again finds the batch. @throws PLAN_CHANGED where
 * the plan of now has another digest, except for notes that have become fewer, CONFIRMATION_WRONG, BATCH_HAS_OTHER_PLAN and BATCH_ID_TAKEN where the id stands for another one
 */
export async function submitUploaded(
  { file, plan, confirm, preflight, submission }: ProgramSubmitWish,
  context: OperationContext,
): Promise<ProgramSubmitted> {
  const { batchId, digest, parts, choices, name = batchId } = plan;
  refuseTwoTimes(choices);
  const order = {
    file,
    followLinks: false,
    batchId,
    optionsWith: (settings: Settings) => plannedOptions(plan, settings),
    plan: null,
    asked: { name, digest },
    seen: seenPlanOf(plan),
  };
  const submitter: Submitter = {
    person: async (_policy, settings) => personOfSubmission(submission, { settings, context }),
    refused: () => undefined,
    async confirm(view) {
      if (view.digest !== digest) {
        const changed = view.parts === null ? [] : changedParts(parts, view.parts);
        const changes = changed.map((part) => PART_NAMES[part]).join(', ');
        throw new BursarError('PLAN_CHANGED', { plan: name, changes });
      }
      refusePast(choices, context.clock.nowMs());
      checkConfirmation(totalsText(confirm), view.currencies);
    },
  };
  const { outcome } = await submitFile({ order, preflight, submitter }, context);
  return { schema: 'bursar.submit/v1', batchId, digest, outcome };
}

type PayTimes = Readonly<{ at: string | null; executionDate: string | null }>;

function refuseTwoTimes({ at, executionDate }: PayTimes): void {
  if (at !== null && executionDate !== null) throw new BursarError('AT_AND_EXECUTION_DATE', {});
}

/** @throws AT_AND_EXECUTION_DATE, AT_IN_PAST */
function refusePast(times: PayTimes, nowMs: number): void {
  refuseTwoTimes(times);
  const { at, executionDate } = times;
  if (at !== null) readInstantAhead('at', at, nowMs);
  if (executionDate !== null) readInstantAhead('executionDate', executionDate, nowMs);
}

const plannedOptions = (
  { choices, digest, parts }: ConfirmedPlan,
  { batch, poll }: Settings,
): BatchOptions => ({
  ...choices,
  chunksInFlight: batch.chunksInFlight,
  pollMinMs: poll.minMs,
  pollMaxMs: poll.maxMs,
  expectedDigest: { digest, parts },
});
