import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { holdAgainstPlan } from '../../operations/file/read-plan.ts';
import type { Sources } from '../../operations/batch/types.ts';
import type { BatchRecord } from '../../store/batches/types.ts';
import type { Settings } from '../../config.ts';
import { instantText } from '../../domain/approval/instant.ts';
import { requirementsOf } from '../../domain/approval/requirements.ts';
import { isEndState } from '../../domain/batch/batch-state.ts';
import { BursarError } from '../../domain/errors/bursar-error.ts';
import { EXIT } from '../../domain/errors/exit-codes.ts';
import {
  actingPerson,
  type KeyFlag,
  refuseHopeless,
  signSubmit,
} from '../../operations/approval/submitter.ts';
import { readClaimsFirst } from '../../operations/batch/claims-first.ts';
import { exitCodeOf, follow, printStanding } from '../follow/follow.ts';
import { onRecord } from '../../operations/batch/on-record.ts';
import { ownStore, refuseWithoutApi } from '../../operations/batch/own-store.ts';
import { withSources } from '../../operations/batch/sources.ts';
import {
  aboutPlan,
  inputOfRecord,
  isStartedAlready,
  newBatchInput,
  refuseOtherPlan,
  subjectOfInput,
} from '../../operations/batch/start.ts';
import { showBatch } from '../../app/batches/look.ts';
import type { Context } from '../context.ts';
import { perform } from '../perform.ts';
import { confirm, type Confirmation } from '../../operations/prompts/confirm.ts';
import { type FundsLine, fundsLines } from '../../operations/file/funds.ts';
import { writeNackFile } from '../../operations/file/write-plan.ts';
import { type Order, type OrderFlags, readOrder } from '../../operations/file/order.ts';
import { type LocalPlan, planOf, problemsOfPlan } from '../../operations/file/plan-of.ts';
import { type PlanView, planView } from '../../operations/file/plan-view.ts';
import { isStdin, withSource } from '../../operations/file/source.ts';
import { readDurationMs } from '../../operations/input/duration.ts';
import { flagInvalid } from '../../operations/input/flag-error.ts';
import { planText } from '../print/plan-text.ts';
import { unwritable } from '../../operations/text/unwritable.ts';
import { freshOwnWallets, knownOwnWallets } from '../../operations/service/own-wallets.ts';
import { canCallService, readBalances, withService } from '../../operations/service/preflight.ts';

/** How long a command waits for the batch that it has started. */
export type WaitFlags = Readonly<{ wait?: boolean; detach?: boolean; timeout?: string }>;

type SubmitFlags = OrderFlags &
  Confirmation &
  WaitFlags &
  KeyFlag &
  Readonly<{
    /** `--no-preflight` makes it false. */
    preflight?: boolean;
  }>;

/**
 * `bursar submit FILE`: checks the file, has the person confirm, starts the batch, and follows it. With `--plan`, it
 * starts that plan or nothing.
 */
export async function submit(flags: SubmitFlags, context: Context): Promise<number> {
  const { exitCode } = await submitFile(flags, context);
  return exitCode;
}

export type Submitted = Readonly<{ batchId: string; exitCode: number }>;

export async function submitFile(flags: SubmitFlags, context: Context): Promise<Submitted> {
  const order = await readOrder(flags, context);
  const waiting = readWaiting(flags);
  return withSources(context, (sources) =>
    withSource(order, context, async (source) => {
      const { settings, store } = sources;
      await refuseWithoutApi(sources);
      const options = order.optionsWith(settings);
      const ownWallets = (id: string) => ownWalletsFor(id, { sources, flags }, context);
      const planning = { ...order, source, options, settings, store, ownWallets };
      const planned = await planOf(planning, context);
      const { batchId } = planned;
      await onRecord({ action: 'submit', batchId }, { sources, context }, () =>
        startOrFind({ order, planned }, { sources, flags }, context),
      );
      const exitCode = waiting.detach
        ? await leaveRunning(batchId, context)
        : await follow({ batchId, timeoutMs: waiting.timeoutMs }, context);
      return { batchId, exitCode };
    }),
  );
}

export function readWaiting({ wait, detach, timeout }: WaitFlags) {
  if (wait && detach) throw flagInvalid('--detach', 'cannot stand together with --wait');
  if (detach && timeout !== undefined) {
    throw flagInvalid('--timeout', 'means nothing together with --detach');
  }
  const timeoutMs = timeout === undefined ? null : readDurationMs('--timeout', timeout);
  return { detach: detach ?? false, timeoutMs };
}

type Job = Readonly<{ order: Order; planned: LocalPlan }>;

type With = Readonly<{ sources: Sources; flags: SubmitFlags }>;

/** Starts the batch, unless its id already stands for this file: then it is the one to follow. */
async function startOrFind(job: Job, { sources, flags }: With, context: Context): Promise<void> {
  const { batchId, options } = job.planned;
  const record = await sources.store.batches.find(batchId);
  if (record !== undefined) return goOn(job, { sources, record }, context);
  const plan = await refuseBadPlan(job, sources.settings, context);
  const store = await ownStore(sources);
  const { settings } = sources;
  if (await isStartedAlready(sources, plan, job.order.plan)) {
    await replaceLostCopy(job, settings, context);
    return sayFound(batchId, context);
  }
  const { approval: policy } = settings.rules;
  const person = await actingPerson(flags, policy, { settings, context });
  const input = newBatchInput(plan, options, { by: person.name, atMs: context.clock.nowMs() });
  const isNeeded = policy !== null && requirementsOf(policy, plan.currencies).length > 0;
  const signed = signSubmit(person, subjectOfInput(input), { policy, isNeeded });
  refuseHopeless(plan, settings, person.name);
  const funds = await preflight(job, { sources, flags }, context);
  await showAndConfirm({ ...plan, funds }, job, { flags, context });
  await copyFile(job, sources.settings, context);
  const engine = await sources.engine();
  const submittedAt = instantText(context.clock.nowMs());
  const submitted = { ...input, submittedAt, ...signed, store };
  const outcome = await engine.start(submitted, aboutPlan(plan));
  if (outcome === 'started') context.say(`Batch ${batchId} is started.`);
  else if (await isStartedAlready(sources, plan, job.order.plan)) sayFound(batchId, context);
}

/**
 * Continues a batch that the store has. A batch that Temporal forgot before a worker had read its file is started again
 * as it was submitted. Throws BATCH_FORGOTTEN for any other.
 */
async function goOn(
  job: Job,
  { sources, record }: Readonly<{ sources: Sources; record: BatchRecord }>,
  context: Context,
): Promise<void> {
  const { batchId, reading } = job.planned;
  if (record.fileSha256 !== reading.summary.fileSha256) {
    throw new BursarError('BATCH_ID_TAKEN', { batchId });
  }
  refuseOtherPlan(job.order.plan, record);
  if (record.endState !== null) {
    return context.say(`Batch ${batchId} already ended; nothing was started. This is its result:`);
  }
  const engine = await sources.engine();
  if ((await engine.describe(batchId)) !== undefined) {
    await replaceLostCopy(job, sources.settings, context);
    return sayFound(batchId, context);
  }
  if (record.summary !== null) throw new BursarError('BATCH_FORGOTTEN', { batchId });
  const store = await ownStore(sources);
  await copyFile(job, sources.settings, context);
  const plan = planView(job.planned, NO_NOTES);
  await engine.start({ ...inputOfRecord(record), store }, aboutPlan(plan));
  context.say(
    `Temporal had forgotten batch ${batchId}, and no worker had read it; it begins again.`,
  );
}

const NO_NOTES = { nack: null, problems: [], funds: null } as const;

const sayFound = (batchId: string, { say }: Context): void =>
  say(`Batch ${batchId} already exists with this file, following it; its own choices stay.`);

/** Refuses a plan that a worker would reject, or that differs from the given one, before anything is started. */
async function refuseBadPlan(
  { order, planned }: Job,
  settings: Settings,
  context: Context,
): Promise<PlanView> {
  const { refused } = planned.reading;
  const dir = join(settings.report.dir, planned.batchId);
  const nack = refused.length === 0 ? null : await writeNackFile(refused, dir, context);
  const view = planView(planned, { ...NO_NOTES, nack });
  if (order.plan !== null) holdAgainstPlan(order.plan, view, context.clock.nowMs());
  const [first] = problemsOfPlan(planned, nack);
  if (first === undefined) return view;
  context.say(planText(view, refused, context));
  throw first;
}

const mayCallService = (flags: SubmitFlags, settings: Settings): boolean =>
  flags.preflight !== false && canCallService(settings);

/** A batch that exists already gets no new plan, so the service is not called. */
async function ownWalletsFor(
  batchId: string,
  { sources: { settings, store }, flags }: With,
  context: Context,
): Promise<readonly string[]> {
  const known = await store.batches.find(batchId);
  return known === undefined && mayCallService(flags, settings)
    ? freshOwnWallets({ settings, store }, context)
    : knownOwnWallets(store, settings.api.account);
}

async function preflight(
  { planned }: Job,
  { sources, flags }: With,
  context: Context,
): Promise<FundsLine[] | null> {
  if (!mayCallService(flags, sources.settings)) return null;
  const first = await readClaimsFirst(sources.store, planned, context.clock.nowMs());
  const read = await withService(sources.settings, context, readBalances);
  return fundsLines(planned.reading.summary.currencies, { read, first });
}

async function showAndConfirm(
  view: PlanView,
  { order, planned }: Job,
  { flags, context }: Readonly<{ flags: SubmitFlags; context: Context }>,
): Promise<void> {
  context.say(planText(view, planned.reading.refused, context));
  const mayAsk = context.mayAsk && !isStdin(order.file);
  await confirm(view.currencies, flags, { ...context, mayAsk });
}

/** Workers read only the copy; it must be the file that was checked. */
async function copyFile({ planned }: Job, settings: Settings, context: Context): Promise<void> {
  const { source, reading } = planned;
  const blobs = await context.open.blobs(settings);
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
async function replaceLostCopy(job: Job, settings: Settings, context: Context): Promise<void> {
  const blobs = await context.open.blobs(settings);
  if (await blobs.has(job.planned.reading.summary.fileSha256)) return;
  await copyFile(job, settings, context);
  context.say(
    'The copy of its file was missing, and is there again. A batch that waits for it goes on within 5 minutes.',
  );
}

/** How long a batch that has come to its end may take to close, in milliseconds. */
const CLOSING_MS_MAX = 10_000;

export async function leaveRunning(batchId: string, context: Context): Promise<number> {
  const standing = await perform(showBatch, { batchId }, context);
  // The reason of a refusal is shown when the workflow has closed, a moment later.
  if (!standing.isOver && isEndState(standing.state)) {
    return follow({ batchId, timeoutMs: CLOSING_MS_MAX }, context);
  }
  printStanding(standing, context);
  if (standing.isOver) return exitCodeOf(standing);
  context.say(`Follow it with: bursar watch ${batchId}`);
  return EXIT.running;
}
