import type { BatchInput, BatchOptions } from '../../contract/batch.ts';
import type { Settings } from '../../config.ts';
import type { ApprovalPolicy } from '../../domain/approval/policy.ts';
import type { Approval } from '../../domain/approval/statement.ts';
import type { SubmissionSubject } from '../../domain/approval/submission.ts';
import { BursarError } from '../../domain/errors/bursar-error.ts';
import { inheritedFindings } from '../../domain/lineage/inherited.ts';
import { NO_RESEND_STATEMENT } from '../../domain/lineage/no-resend.ts';
import type { CurrencyTotal } from '../../domain/money/currency-total.ts';
import { totalsText } from '../../domain/plan/control-totals.ts';
import { moneyList } from '../../domain/text/money-text.ts';
import { rowsInWords } from '../../report/outcome-fields.ts';
import type { BatchRecord } from '../../store/batches/types.ts';
import { type Signing, signingOf } from '../approval/submission-question.ts';
import { type ActingPerson, personOfSubmission, signSubmit } from '../approval/submitter.ts';
import type { OperationContext } from '../context.ts';
import type { BatchChoices } from '../input/batch-choices.ts';
import { checkConfirmation } from '../input/totals.ts';
import { findRecord } from './find-record.ts';
import { onRecord } from './on-record.ts';
import { ownStore } from './own-store.ts';
import { planResend, refuseForgotten, refuseOpen, type ResendPlan } from './resend-plan.ts';
import { withSources } from './sources.ts';
import { subjectOfInput } from './start.ts';
import type { Sources } from './types.ts';

/** The choices of a resend. `fundsChosen`: whether `fundsWaitMs` is chosen; otherwise it is that of the parent. */
export type ResendChoices = BatchChoices & Readonly<{ fundsChosen: boolean }>;

/** `parentBatchId`: the batch whose unpaid rows are paid again. */
export type ResendWish = Readonly<{ parentBatchId: string; choices: ResendChoices }>;

/**
 * A resend that was planned and not started. `at`, `executionDate`: ISO 8601 in UTC. `submission`: the subject that a submitter
 * signs, where the policy counts signatures.
 */
export type PlannedResend = ResendPlan &
  Readonly<{
    schema: 'bursar.resend/v1';
    at: string | null;
    executionDate: string | null;
    submission: SubmissionSubject;
    signing: Signing;
  }>;

/** Who resends: a person at a terminal, or a program. */
export type Resender = Readonly<{
  /** States that nothing was sent again elsewhere. @throws RESEND_UNSTATED */
  state(plan: PlannedResend): Promise<string>;
  /** Confirms that these totals are to be paid. @throws CONFIRMATION_MISSING, CONFIRMATION_WRONG, PERSON_SAID_NO */
  confirm(plan: PlannedResend): Promise<void>;
  /** Who acts, and signs where the policy counts signatures. @throws APPROVER_UNKNOWN */
  person(policy: ApprovalPolicy | null, settings: Settings): Promise<ActingPerson>;
}>;

export type StartedResend = Readonly<{
  schema: 'bursar.resend-start/v1';
  batchId: string;
  parentBatchId: string;
  generation: number;
}>;

/** The rows that a resend would pay. Nothing is started. @throws as {@link resendBatch} */
export const planResendOf = (
  { parentBatchId, choices }: ResendWish,
  context: OperationContext,
): Promise<PlannedResend> =>
  withSources(context, async (sources) => {
    const { plan } = await prepare({ parentBatchId, choices }, sources);
    return plan;
  });

/**
 * Pays the provably failed rows of an ended batch again, in a new batch. @throws BATCH_OPEN, RESEND_NOTHING, RESEND_EXISTS,
 * RESEND_UNSTATED, and the refusals of a confirmation
 */
export const resendBatch = (
  { resender, ...wish }: ResendWish & Readonly<{ resender: Resender }>,
  context: OperationContext,
): Promise<StartedResend> =>
  withSources(context, async (sources) => {
    const { parentBatchId } = wish;
    await findRecord(sources, parentBatchId);
    return onRecord({ action: 'resend', batchId: parentBatchId }, { sources, context }, () =>
      startResend({ ...wish, resender, sources }, context),
    );
  });

type Prepared = Readonly<{ parent: BatchRecord; plan: PlannedResend; options: BatchOptions }>;

async function prepare(
  { parentBatchId, choices }: ResendWish,
  sources: Sources,
): Promise<Prepared> {
  const parent = await findRecord(sources, parentBatchId);
  await refuseLost(sources, parentBatchId);
  await refuseOpen(sources, parent);
  await refuseForgotten(sources, parent);
  const found = await planResend(sources.store, parent, choices.id);
  const options = optionsOf(parent, found, { choices, settings: sources.settings });
  const { at, executionDate } = options;
  // Neither the name nor the time of the submitter is part of the subject.
  const submission = subjectOfInput(
    inputOf(found, parent, { options, statement: '', by: '', atMs: 0 }),
  );
  const signing = signingOf(sources.settings.rules.approval, found.currencies);
  const due = { at, executionDate };
  const plan = { schema: 'bursar.resend/v1', ...found, ...due, submission, signing } as const;
  return { parent, plan, options };
}

type Job = ResendWish & Readonly<{ resender: Resender; sources: Sources }>;

async function startResend(
  { resender, sources, ...wish }: Job,
  context: OperationContext,
): Promise<StartedResend> {
  const { parent, plan, options } = await prepare(wish, sources);
  const store = await ownStore(sources);
  const statement = await resender.state(plan);
  await resender.confirm(plan);
  const { settings } = sources;
  const { approval: policy } = settings.rules;
  const person = await resender.person(policy, settings);
  const submitted = { statement, by: person.name, atMs: context.clock.nowMs() };
  const input = inputOf(plan, parent, { options, ...submitted });
  const wording = { ...signingOf(policy, plan.currencies), reason: statement };
  const signed = signSubmit(person, subjectOfInput(input), wording);
  await start(sources, { ...input, ...signed, store }, plan);
  const { batchId, parentBatchId, generation } = plan;
  context.say(`Batch ${batchId} is started, resend ${generation} of ${parentBatchId}.`);
  return { schema: 'bursar.resend-start/v1', batchId, parentBatchId, generation };
}

/** A resend that runs by the store, and that Temporal no longer has, must be recovered by a person. */
async function refuseLost({ store, engine }: Sources, parentBatchId: string): Promise<void> {
  const child = await store.lineage.childOf(parentBatchId);
  if (child === undefined || child.endState !== null) return;
  const execution = await (await engine()).describe(child.batchId);
  if (execution === undefined) throw new BursarError('BATCH_FORGOTTEN', { batchId: child.batchId });
}

type Chosen = Readonly<{ choices: ResendChoices; settings: Settings }>;

/**
 * A resend has the options of its parent, unless flags differ. The confirmed rows are pinned: when a second read leaves
 * other rows, nothing is sent.
 */
function optionsOf(
  parent: BatchRecord,
  plan: ResendPlan,
  { choices, settings }: Chosen,
): BatchOptions {
  const { batch, poll } = settings;
  // A parent of an older version has no options of these names.
  const defaults = { ...batch, pollMinMs: poll.minMs, pollMaxMs: poll.maxMs };
  const inherited = JSON.parse(parent.optionsJson) as BatchOptions;
  return {
    ...defaults,
    ...inherited,
    currency: null,
    skipInvalid: false,
    expectCount: plan.rows,
    rowsSha256: plan.rowsSha256,
    expectTotals: plan.currencies.map(({ currency, total }) => `${total}:${currency}`),
    accept: [...new Set([...inheritedFindings(inherited.accept), ...choices.accept])],
    expectedDigest: null,
    at: choices.at,
    executionDate: choices.executionDate,
    fundsWaitMs: choices.fundsChosen ? choices.fundsWaitMs : inherited.fundsWaitMs,
  };
}

type Stated = Readonly<{ options: BatchOptions; statement: string; by: string; atMs: number }>;

function inputOf(
  plan: ResendPlan,
  { accountRef }: BatchRecord,
  { options, statement, by, atMs }: Stated,
): BatchInput {
  return {
    batchId: plan.batchId,
    accountRef,
    file: plan.file,
    options,
    submittedBy: by,
    submittedAt: new Date(atMs).toISOString(),
    generation: plan.generation,
    parentBatchId: plan.parentBatchId,
    statement,
  };
}

/** Starts the resend. When two people start it at once, the second gets the resend of the first. */
async function start(
  { engine: open, store }: Sources,
  input: BatchInput,
  { parentBatchId, rows, currencies, generation }: ResendPlan,
): Promise<void> {
  const { batchId } = input;
  const known = await store.batches.find(batchId);
  if (known !== undefined) throw new BursarError('BATCH_ID_TAKEN', { batchId });
  const engine = await open();
  const summary = `resend ${generation} of ${parentBatchId}: ${rowsInWords(rows)}, ${moneyList(currencies)}`;
  if ((await engine.start(input, { summary, details: summary })) === 'started') return;
  const execution = await engine.describe(batchId);
  // One that ended without a record was refused; its id stays used.
  throw execution?.status === 'RUNNING'
    ? new BursarError('RESEND_EXISTS', { batchId: parentBatchId, child: batchId })
    : new BursarError('BATCH_ID_TAKEN', { batchId });
}

/**
 * The resend of a program. `subject`: that of the plan, which binds its rows and choices as a signature does. `confirm`: the totals that
 * are to be paid. `nothingResentElsewhere`: a person has looked. `submission`: a signed statement of the submitter.
 */
export type ProgramResendWish = ResendWish &
  Readonly<{
    subject: string;
    confirm: readonly CurrencyTotal[];
    nothingResentElsewhere: true;
    submission?: Approval;
  }>;

/** {@link resendBatch} with the answers of a program. @throws RESEND_CHANGED, CONFIRMATION_WRONG, and as {@link resendBatch} */
export const resendForProgram = (
  { subject, confirm, nothingResentElsewhere: _stated, submission, ...wish }: ProgramResendWish,
  context: OperationContext,
): Promise<StartedResend> =>
  resendBatch(
    {
      ...wish,
      resender: {
        state: async () => NO_RESEND_STATEMENT,
        async confirm({ batchId, parentBatchId, submission: planned, currencies }) {
          if (planned.subject !== subject) {
            throw new BursarError('RESEND_CHANGED', { batchId, parentBatchId });
          }
          checkConfirmation(totalsText(confirm), currencies);
        },
        person: async (_policy, settings) => personOfSubmission(submission, { settings, context }),
      },
    },
    context,
  );
