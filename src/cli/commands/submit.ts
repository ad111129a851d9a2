import { join } from 'node:path';
import type { Settings } from '../../config.ts';
import type { BatchOptions } from '../../contract/batch.ts';
import { BursarError } from '../../domain/errors/bursar-error.ts';
import { EXIT } from '../../domain/errors/exit-codes.ts';
import type { BatchRecord } from '../../store/batches.ts';
import { exitCodeOf, follow, printStanding } from '../batch/follow.ts';
import { type Sources, withSources } from '../batch/sources.ts';
import { readStanding } from '../batch/standing.ts';
import { aboutPlan, inputOfRecord, isStartedAlready, newBatchInput } from '../batch/start.ts';
import type { Context } from '../context.ts';
import { confirm, type Confirmation } from '../file/confirm.ts';
import { planDigest } from '../file/digest.ts';
import { type FundsLine, fundsLines } from '../file/funds.ts';
import { problemsOf } from '../../domain/plan/judge-file.ts';
import { writeNackFile } from '../file/nack.ts';
import { type PlanView, planView } from '../file/plan-view.ts';
import { type FileReading, readFile } from '../file/read-file.ts';
import { isStdin, type Source, withSource } from '../file/source.ts';
import { type BatchFlags, batchOptionsOf, readBatchChoices } from '../flags/batch-choices.ts';
import { derivedBatchId } from '../flags/batch-id.ts';
import { readDurationMs } from '../flags/duration.ts';
import { flagInvalid } from '../flags/flag-error.ts';
import { planText } from '../print/plan-text.ts';
import { unwritable } from '../print/unwritable.ts';
import { canCallService, readBalances, withService } from '../service/preflight.ts';

/** How long a command waits for the batch that it has started. */
export type WaitFlags = Readonly<{ wait?: boolean; detach?: boolean; timeout?: string }>;

export type SubmitFlags = BatchFlags &
  Confirmation &
  WaitFlags &
  Readonly<{
    file: string;
    /** `--no-preflight` makes it false. */
    preflight?: boolean;
  }>;

/** `bursar submit FILE`: checks the file, asks, starts the batch, and follows it. */
export async function submit(flags: SubmitFlags, context: Context): Promise<number> {
  const { exitCode } = await submitFile(flags, context);
  return exitCode;
}

export type Submitted = Readonly<{ batchId: string; exitCode: number }>;

export async function submitFile(flags: SubmitFlags, context: Context): Promise<Submitted> {
  const choices = readBatchChoices(flags, context.clock.nowMs());
  const waiting = readWaiting(flags);
  return withSources(context, (sources) =>
    withSource(flags.file, context, async (source) => {
      const options = batchOptionsOf(choices, sources.settings);
      const reading = await readFile(source, options, context);
      const { fileSha256 } = reading.summary;
      const batchId = choices.id ?? derivedBatchId(source.fileName, fileSha256);
      const job = { batchId, source, reading, options };
      await startOrFind(job, { sources, flags }, context);
      const exitCode = waiting.detach
        ? await leaveRunning(sources, batchId, context)
        : await follow(sources, { batchId, timeoutMs: waiting.timeoutMs }, context);
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

type Job = Readonly<{
  batchId: string;
  source: Source;
  reading: FileReading;
  options: BatchOptions;
}>;

type With = Readonly<{ sources: Sources; flags: SubmitFlags }>;

/** Starts the batch, unless its id already stands for this file: then it is the one to follow. */
async function startOrFind(job: Job, { sources, flags }: With, context: Context): Promise<void> {
  const { batchId } = job;
  const record = await sources.store.batches.find(batchId);
  if (record !== undefined) return goOn(job, { sources, record }, context);
  const plan = await refuseBadFile(job, sources.settings, context);
  if (await isStartedAlready(sources, plan)) return sayFound(batchId, context);
  const funds = await preflight(job, { sources, flags }, context);
  await showAndConfirm({ ...plan, funds }, job.reading, { flags, context });
  await copyFile(job, sources.settings, context);
  const submitted = { by: context.user, atMs: context.clock.nowMs() };
  const engine = await sources.engine();
  const outcome = await engine.start(newBatchInput(plan, job.options, submitted), aboutPlan(plan));
  if (outcome === 'started') context.say(`Batch ${batchId} is started.`);
  else if (await isStartedAlready(sources, plan)) sayFound(batchId, context);
}

/** Goes on with a batch that the store knows. One that Temporal forgot is started again as it was submitted. */
async function goOn(
  job: Job,
  { sources, record }: Readonly<{ sources: Sources; record: BatchRecord }>,
  context: Context,
): Promise<void> {
  const { batchId, reading } = job;
  if (record.fileSha256 !== reading.summary.fileSha256) {
    throw new BursarError('BATCH_ID_TAKEN', { batchId });
  }
  if (record.endState !== null) {
    return context.say(`Batch ${batchId} already ended; nothing was started. This is its result:`);
  }
  const engine = await sources.engine();
  if ((await engine.describe(batchId)) !== undefined) return sayFound(batchId, context);
  await copyFile(job, sources.settings, context);
  const plan = viewOf(job, { nack: null, digest: null });
  await engine.start(inputOfRecord(record), aboutPlan(plan));
  context.say(`Temporal had forgotten batch ${batchId}; it goes on where it was.`);
}

const sayFound = (batchId: string, { say }: Context): void =>
  say(`Batch ${batchId} already exists with this file, following it; its own choices stay.`);

/** Refuses what a worker would reject, before anything is started. */
async function refuseBadFile(job: Job, settings: Settings, context: Context): Promise<PlanView> {
  const { batchId, reading, options, source } = job;
  const dir = join(settings.report.dir, batchId);
  const { refused } = reading;
  const nack = refused.length === 0 ? null : await writeNackFile(refused, dir, context);
  const { account } = settings.api;
  const digest = planDigest({ ...job, account });
  const plan = viewOf(job, { nack, digest });
  const file = source.shownName;
  const [first] = problemsOf({ ...reading, choices: options, file, nack: nack ?? '' });
  if (first === undefined) return plan;
  context.say(planText(plan, refused, context));
  throw first;
}

const viewOf = (job: Job, known: Readonly<{ nack: string | null; digest: string | null }>) =>
  planView({ ...job, ...known, fileName: job.source.fileName, problems: [], funds: null });

async function preflight(
  { reading }: Job,
  { sources, flags }: With,
  context: Context,
): Promise<FundsLine[] | null> {
  if (flags.preflight === false || !canCallService(sources.settings)) return null;
  const balances = await withService(sources.settings, context, readBalances);
  return fundsLines(reading.summary.currencies, balances);
}

async function showAndConfirm(
  plan: PlanView,
  reading: FileReading,
  { flags, context }: Readonly<{ flags: SubmitFlags; context: Context }>,
): Promise<void> {
  context.say(planText(plan, reading.refused, context));
  const mayAsk = context.mayAsk && !isStdin(flags.file);
  await confirm(plan.currencies, flags, { ...context, mayAsk });
}

/** Workers read only the copy; it must be the file that was checked. */
async function copyFile({ source, reading }: Job, settings: Settings, context: Context) {
  const blobs = await context.open.blobs(settings);
  const { sha256 } = await blobs.putFile(source.path).catch((error: unknown) => {
    throw unwritable('blob.url', error);
  });
  if (sha256 === reading.summary.fileSha256) return;
  throw new BursarError('FILE_CHANGED', { file: source.shownName });
}

export async function leaveRunning(
  sources: Sources,
  batchId: string,
  context: Context,
): Promise<number> {
  const standing = await readStanding(sources, batchId);
  if (standing === undefined) throw new BursarError('BATCH_NOT_FOUND', { batchId });
  printStanding(standing, context);
  if (standing.isOver) return exitCodeOf(standing);
  context.say(`Follow it with: bursar watch ${batchId}`);
  return EXIT.running;
}
