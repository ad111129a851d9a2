import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import type { Settings } from '../../config.ts';
import type { ApprovalPolicy } from '../../domain/approval/policy.ts';
import { instantText } from '../../domain/approval/instant.ts';
import { BursarError } from '../../domain/errors/bursar-error.ts';
import { notesOf, type SeenNote } from '../../domain/plan/expected-plan.ts';
import type { RefusedRow } from '../../domain/rows/refused-row.ts';
import type { BatchRecord } from '../../store/batches/types.ts';
import { signingOf } from '../approval/submission-question.ts';
import { type ActingPerson, refuseHopeless, signSubmit } from '../approval/submitter.ts';
import type { OperationContext } from '../context.ts';
import { type FundsLine, fundsLines } from '../file/funds.ts';
import type { Order } from '../file/order.ts';
import { asSeen, type LocalPlan, planOf, problemsOfPlan } from '../file/plan-of.ts';
import { type PlanView, planView } from '../file/plan-view.ts';
import { holdAgainstPlan } from '../file/read-plan.ts';
import { type Source, withSource } from '../file/source.ts';
import { withStoredFile } from '../file/stored-file.ts';
import { writeRefusals } from '../file/write-plan.ts';
import { freshOwnWallets, knownOwnWallets } from '../service/own-wallets.ts';
import {
  canCallService,
  listedCurrencies,
  readBalances,
  withService,
} from '../service/preflight.ts';
import { unwritable } from '../text/unwritable.ts';
import { readClaimsFirst } from './claims-first.ts';
import { onRecord } from './on-record.ts';
import { ownStore, refuseWithoutApi } from './own-store.ts';
import { withSources } from './sources.ts';
import {
  aboutPlan,
  inputOfRecord,
  isStartedAlready,
  newBatchInput,
  refuseOtherPlan,
  subjectOfInput,
} from './start.ts';
import type { Sources } from './types.ts';

/** Who submits: a person at a terminal, or a program. */
export type Submitter = Readonly<{
  /** Who acts, and signs where the policy counts signatures. @throws APPROVER_UNKNOWN */
  person(policy: ApprovalPolicy | null, settings: Settings): Promise<ActingPerson>;
  /** Called with a plan that is refused; the operation then throws the first problem. */
  refused(plan: PlanView, rows: readonly RefusedRow[]): void;
  /** Confirms that exactly this plan is to be paid. @throws CONFIRMATION_MISSING, CONFIRMATION_WRONG, PERSON_SAID_NO */
  confirm(plan: PlanView, rows: readonly RefusedRow[]): Promise<void>;
}>;

/** `preflight`: whether the balance of the account is read before. */
export type SubmitWish = Readonly<{ order: Order; preflight: boolean; submitter: Submitter }>;

/** `started`: also again, where Temporal had forgotten it. `exists`: under way. `ended`: with a result; nothing was started. */
export type SubmitOutcome = 'started' | 'exists' | 'ended';

export type SubmittedBatch = Readonly<{ batchId: string; outcome: SubmitOutcome }>;

/**
 * Checks a file and starts its batch, unless the id stands for this file already. With a plan in the order, it starts that plan or
 * nothing. A refused try is in the audit log.
 */
export const submitFile = (
  submission: SubmitWish,
  context: OperationContext,
): Promise<SubmittedBatch> =>
  withSources(context, (sources) =>
    withOrderedFile(submission.order, context, async (source) => {
      const { order } = submission;
      const { settings, store } = sources;
      await refuseWithoutApi(sources);
      const options = order.optionsWith(settings);
      const ownWallets = (id: string) => ownWalletsFor(id, { ...submission, sources }, context);
      const listed = (id: string) => listedFor(id, { ...submission, sources }, context);
      const planning = { ...order, source, options, settings, store, ownWallets, listed };
      const planned = asSeen(await planOf(planning, context), order.seen);
      const { batchId } = planned;
      const outcome = await onRecord({ action: 'submit', batchId }, { sources, context }, () =>
        startOrFind({ ...submission, planned, sources }, context),
      );
      return { batchId, outcome };
    }),
  );

function withOrderedFile<Result>(
  { file, followLinks }: Order,
  context: OperationContext,
  use: (source: Source) => Promise<Result>,
): Promise<Result> {
  return typeof file === 'string'
    ? withSource({ file, followLinks }, context, use)
    : withStoredFile(file, context, use);
}

type Job = SubmitWish & Readonly<{ planned: LocalPlan; sources: Sources }>;

/** Starts the batch, unless its id already stands for this file: then it is the one to follow. */
async function startOrFind(job: Job, context: OperationContext): Promise<SubmitOutcome> {
  const { sources, submitter } = job;
  const { batchId, options, reading } = job.planned;
  const record = await sources.store.batches.find(batchId);
  if (record !== undefined) return goOn(job, record, context);
  const plan = await refuseBadPlan(job, context);
  const store = await ownStore(sources);
  const { settings } = sources;
  if (await isStartedAlready(sources, plan, job.order.asked)) {
    await replaceLostCopy(job, context);
    return sayFound(batchId, context);
  }
  const { approval: policy } = settings.rules;
  const person = await submitter.person(policy, settings);
  const input = newBatchInput(plan, options, { by: person.name, atMs: context.clock.nowMs() });
  const signing = signingOf(policy, plan.currencies);
  const signed = signSubmit(person, subjectOfInput(input), signing);
  refuseHopeless(plan, settings, person.name);
  const funds = await preflight(job, context);
  await submitter.confirm({ ...plan, funds }, reading.refused);
  await copyFile(job, context);
  const engine = await sources.engine();
  const submittedAt = instantText(context.clock.nowMs());
  const submitted = { ...input, ...seenNotes(job.planned), submittedAt, ...signed, store };
  const outcome = await engine.start(submitted, aboutPlan(plan));
  if (outcome === 'started') {
    context.say(`Batch ${batchId} is started.`);
    return 'started';
  }
  if (await isStartedAlready(sources, plan, job.order.asked)) sayFound(batchId, context);
  return 'exists';
}

/** The notes of a confirmed plan. */
function seenNotes({ options, findings, rules }: LocalPlan): Readonly<{
  seenNotes?: readonly SeenNote[];
}> {
  return options.expectedDigest === null ? {} : { seenNotes: notesOf(findings, rules.findings) };
}

/**
 * Continues a batch that the store has. A batch that Temporal forgot before a worker had read its file is started again
 * as it was submitted. Throws BATCH_FORGOTTEN for any other.
 */
async function goOn(
  job: Job,
  record: BatchRecord,
  context: OperationContext,
): Promise<SubmitOutcome> {
  const { sources } = job;
  const { batchId, reading } = job.planned;
  if (record.fileSha256 !== reading.summary.fileSha256) {
    throw new BursarError('BATCH_ID_TAKEN', { batchId });
  }
  refuseOtherPlan(job.order.asked, record);
  if (record.endState !== null) {
    context.say(`Batch ${batchId} has already ended. Nothing was started. This is its result:`);
    return 'ended';
  }
  const engine = await sources.engine();
  if ((await engine.describe(batchId)) !== undefined) {
    await replaceLostCopy(job, context);
    return sayFound(batchId, context);
  }
  if (record.summary !== null) throw new BursarError('BATCH_FORGOTTEN', { batchId });
  const store = await ownStore(sources);
  await copyFile(job, context);
  const plan = planView(job.planned, NO_NOTES);
  await engine.start({ ...inputOfRecord(record), store }, aboutPlan(plan));
  context.say(
    `Temporal no longer had batch ${batchId}, and no worker had read it. It begins again.`,
  );
  return 'started';
}

const NO_NOTES = { refusals: null, problems: [], funds: null } as const;

function sayFound(batchId: string, { say }: OperationContext): 'exists' {
  say(
    `Batch ${batchId} already exists with this file. The command follows it, with its own choices.`,
  );
  return 'exists';
}

/** Refuses a plan that a worker would reject, or that differs from the given one, before anything is started. */
async function refuseBadPlan(
  { order, planned, sources, submitter }: Job,
  context: OperationContext,
): Promise<PlanView> {
  const { refused } = planned.reading;
  const dir = join(sources.settings.report.dir, planned.batchId);
  const refusals = await writeRefusals(planned, dir, context);
  const view = planView(planned, { ...NO_NOTES, refusals });
  if (order.plan !== null) holdAgainstPlan(order.plan, view, context.clock.nowMs());
  const [first] = problemsOfPlan(planned, refusals);
  if (first === undefined) return view;
  submitter.refused(view, refused);
  throw first;
}

type Asking = Readonly<{ preflight: boolean; sources: Sources }>;

const mayCallService = ({ preflight: isWanted, sources }: Asking): boolean =>
  isWanted && canCallService(sources.settings);

/** A batch that exists already gets no new plan, so the service is not called. */
const isForNewPlan = async (batchId: string, asking: Asking): Promise<boolean> =>
  mayCallService(asking) && (await asking.sources.store.batches.find(batchId)) === undefined;

async function listedFor(
  batchId: string,
  asking: Asking,
  context: OperationContext,
): Promise<readonly string[] | null> {
  if (!(await isForNewPlan(batchId, asking))) return null;
  return withService(asking.sources.settings, context, listedCurrencies);
}

async function ownWalletsFor(
  batchId: string,
  asking: Asking,
  context: OperationContext,
): Promise<readonly string[]> {
  const { settings, store } = asking.sources;
  return (await isForNewPlan(batchId, asking))
    ? freshOwnWallets({ settings, store }, context)
    : knownOwnWallets(store, settings.api.account);
}

async function preflight(job: Job, context: OperationContext): Promise<FundsLine[] | null> {
  if (!mayCallService(job)) return null;
  const { planned, sources } = job;
  const first = await readClaimsFirst(sources.store, planned, context.clock.nowMs());
  const read = await withService(sources.settings, context, readBalances);
  return fundsLines(planned.reading.summary.currencies, { read, first });
}

/** Workers read only the copy; it must be the file that was checked. */
async function copyFile({ planned, sources }: Job, context: OperationContext): Promise<void> {
  const { source, reading } = planned;
  const blobs = await context.open.blobs(sources.settings);
  const { fileSha256 } = reading.summary;
  const kept = await blobs
    .put(fileSha256, createReadStream(source.path))
    .catch((error: unknown) => {
      throw unwritable('blob.url', error);
    });
  if (kept === 'kept') return;
  throw new BursarError('FILE_CHANGED', { file: source.shownName });
}

/** A batch whose file is in no place any more waits for its copy. */
async function replaceLostCopy(job: Job, context: OperationContext): Promise<void> {
  const blobs = await context.open.blobs(job.sources.settings);
  if (await blobs.has(job.planned.reading.summary.fileSha256)) return;
  await copyFile(job, context);
  context.say(
    'The copy of its file was missing, and is there again. A waiting batch continues within 5 minutes.',
  );
}
