import { defineSearchAttributeKey, WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import {
  ActivityFailure,
  ApplicationFailure,
  CancellationScope,
  ChildWorkflowFailure,
  executeChild,
  isCancellation,
  log,
  setCurrentDetails,
  sleep,
  workflowInfo,
} from '@temporalio/workflow';
import type { BatchInput, BatchResult } from '../contract/batch.ts';
import { batchWorkflowId, WORKFLOW_STEP_MS_MAX } from '../contract/names.ts';
import type {
  Claim,
  EndRunInput,
  RunEnd,
  RunRef,
  ScheduledBatchInput,
  ScheduledResult,
} from '../contract/schedule.ts';
import { MEMO_STORE } from '../contract/store.ts';
import { batchPriority } from '../domain/batch/task-priority.ts';
import { type ErrorNote, noteOf } from '../domain/errors/bursar-error.ts';
import { code, md, workflowSummary } from '../domain/text/markdown.ts';
import { stateWords } from '../domain/text/state-words.ts';
import { claimRuns, endRun, findBatch, listRuns, takeFile } from './shared/activities.ts';
import { runDetails } from './shared/details.ts';
import { payoutBatch } from './batch/payout-batch.ts';

const SCHEDULED_START = defineSearchAttributeKey('TemporalScheduledStartTime', 'DATETIME');

/** The wait between two reads of a batch that another workflow started, in milliseconds: from a minute to an hour. */
const LOOK_MS_MIN = 60_000;
const LOOK_MS_MAX = 3_600_000;

/**
 * The runs of a schedule that begin at one instant, or the run that a person asked for. It takes the run, finds its file
 * and follows its batch to the end, so that Temporal sees when the next run would overlap. A run that cannot begin fails
 * here, for everybody to see, and pays nothing.
 */
export async function scheduledBatch(input: ScheduledBatchInput): Promise<ScheduledResult> {
  const { scheduleId, demand } = input;
  const startAt = demand === null ? scheduledStart() : null;
  const run: ScheduledRun = { input, texts: new Map() };
  showRuns(run, null);
  const claimed = await keep(() => claimRuns({ scheduleId, startAt, demand }));
  if (claimed.kind === 'refused') throw failureOf(run, claimed.error);
  const lengthening = lengthenList(scheduleId);
  const runs = await Promise.all(claimed.claims.map((claim) => runOne(run, claim)));
  await lengthening;
  const failed = runs.find(({ error }) => error !== null);
  if (failed?.error) throw failureOf(run, failed.error);
  return { runs };
}

/** The instant for which Temporal started this workflow; for a "Trigger" of Temporal's own, when that was pressed. */
const scheduledStart = (): string | null =>
  workflowInfo().typedSearchAttributes.get(SCHEDULED_START)?.toISOString() ?? null;

/** One run of the workflow. `texts`: what its page shows of each instant for which it runs. */
type ScheduledRun = {
  readonly input: ScheduledBatchInput;
  texts: ReadonlyMap<string, string>;
};

function showText(run: ScheduledRun, nominal: string, text: string): void {
  run.texts = new Map(run.texts).set(nominal, text);
  showRuns(run, null);
}

/** The failure of the workflow, which its page shows too. */
function failureOf(run: ScheduledRun, error: ErrorNote): ApplicationFailure {
  showRuns(run, error);
  return ApplicationFailure.nonRetryable(error.what, error.code, error);
}

const showRuns = ({ input, texts }: ScheduledRun, error: ErrorNote | null): void =>
  setCurrentDetails(runDetails(input, { runs: texts, error }));

/** Work that began here is recorded to its end, also after a cancel of this workflow. Only the batch itself can be canceled. */
const keep = <Result>(work: () => Promise<Result>): Promise<Result> =>
  CancellationScope.nonCancellable(work);

async function runOne(run: ScheduledRun, claim: Claim): Promise<RunEnd> {
  const { nominal } = claim;
  const end = await endOf(run, claim);
  showText(run, nominal, `${stateWords(end.state)}: ${end.note}`);
  return end;
}

async function endOf(scheduled: ScheduledRun, claim: Claim): Promise<RunEnd> {
  const { scheduleId, demand } = scheduled.input;
  const { nominal } = claim;
  const run = { scheduleId, nominal };
  if (claim.kind === 'left') {
    return { ...NO_BATCH, nominal, state: 'LEFT', note: claim.why, error: claim.error ?? null };
  }
  if (claim.kind === 'missed') {
    return { ...NO_BATCH, nominal, state: 'MISSED', note: claim.error.what, error: claim.error };
  }
  showText(scheduled, nominal, 'reads its folder for the file');
  try {
    const taken = await keep(() => takeFile({ ...run, demand }));
    if (taken.kind === 'refused') return await failRun(run, taken.error);
    if (!taken.begun && isLate(claim)) return await failRun(run, lateNote(run));
    showText(
      scheduled,
      nominal,
      `batch ${taken.batch.batchId} is under way, with ${taken.batch.file.name}`,
    );
    const isStopped = CancellationScope.current().consideredCancelled;
    if (isStopped) return await failRun(run, stoppedNote(run));
    return await followBatch(run, taken.batch);
  } catch (error) {
    if (!(error instanceof ActivityFailure)) throw error;
    return failRun(run, noteOf('INTERNAL', { message: error.cause?.message ?? error.message }));
  }
}

const NO_BATCH = { batchId: null, error: null } as const;

type Claimed = Extract<Claim, { kind: 'claimed' }>;

/** A worker that was away after it took the file must not make a run late in silence. */
const isLate = ({ latestStart }: Claimed): boolean =>
  latestStart !== null && Date.now() > Date.parse(latestStart);

const lateNote = ({ scheduleId, nominal }: RunRef): ErrorNote =>
  noteOf('SCHEDULE_RUN_MISSED', { scheduleId, nominal, reason: 'its catch-up time is over' });

const stoppedNote = ({ scheduleId, nominal }: RunRef): ErrorNote =>
  noteOf('SCHEDULE_RUN_STOPPED', { scheduleId, nominal, by: 'it was canceled in Temporal' });

async function failRun(run: RunRef, error: ErrorNote): Promise<RunEnd> {
  await close({ ...run, kind: 'failed', error });
  return { ...NO_BATCH, nominal: run.nominal, state: 'FAILED', note: error.what, error };
}

const close = (end: EndRunInput): Promise<ErrorNote | null> => keep(() => endRun(end));

/** Starts the batch, or finds it started by a former execution of this workflow, and waits for its end. */
async function followBatch(run: RunRef, batch: BatchInput): Promise<RunEnd> {
  const { nominal } = run;
  const { batchId } = batch;
  const end = await endOfBatch(run, batch);
  if (end === undefined) {
    const error = noteOf('BATCH_ID_TAKEN', { batchId });
    return failRun(run, error);
  }
  if (end === 'FORCED') return loseBatch(run, batchId);
  const { state } = end;
  if (state === 'REJECTED') return rejectRun(run, batchId, end.error?.what ?? '');
  await close({ ...run, kind: 'ended', batchId, state });
  return { nominal, batchId, state, note: `batch ${batchId} ended`, error: null };
}

type BatchEnd = Pick<BatchResult, 'state' | 'error'>;

/** Undefined: the id belongs to another batch. FORCED: the workflow of the batch was ended by force. */
async function endOfBatch(
  run: RunRef,
  batch: BatchInput,
): Promise<BatchEnd | 'FORCED' | undefined> {
  try {
    return await startBatch(run, batch);
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return watchBatch(run);
    if (error instanceof ChildWorkflowFailure || isCancellation(error)) return 'FORCED';
    throw error;
  }
}

const startBatch = (run: RunRef, batch: BatchInput): Promise<BatchResult> =>
  executeChild(payoutBatch, {
    workflowId: batchWorkflowId(batch.batchId),
    args: [batch],
    workflowIdReusePolicy: 'REJECT_DUPLICATE',
    parentClosePolicy: 'ABANDON',
    workflowTaskTimeout: WORKFLOW_STEP_MS_MAX,
    priority: batchPriority(batch.batchId),
    memo: {
      fileSha256: batch.file.sha256,
      ...(batch.store === undefined ? {} : { [MEMO_STORE]: batch.store }),
    },
    staticSummary: workflowSummary(`run of ${run.scheduleId} for ${run.nominal}`),
    staticDetails:
      md`File ${batch.file.name}, ${code(batch.file.sha256)}, taken by schedule ${run.scheduleId}`
        .markdown,
  });

/** Reads the state of a batch that another execution started, from time to time, until its end. */
async function watchBatch(run: RunRef): Promise<BatchEnd | undefined> {
  for (let delayMs = LOOK_MS_MIN; ; delayMs = Math.min(delayMs * 2, LOOK_MS_MAX)) {
    const standing = await keep(() => findBatch(run));
    if (standing.kind === 'other') return undefined;
    if (standing.kind === 'ended') return standing;
    await keep(() => sleep(delayMs, { summary: 'another workflow started this batch' }));
  }
}

/** A file that is refused fails its run for everybody to see, as one that is missing does. */
async function rejectRun(run: RunRef, batchId: string, problem: string): Promise<RunEnd> {
  const error = await close({ ...run, kind: 'rejected', batchId, problem });
  return { nominal: run.nominal, batchId, state: 'REJECTED', note: error?.what ?? problem, error };
}

async function loseBatch(run: RunRef, batchId: string): Promise<RunEnd> {
  const error = noteOf('BATCH_NOT_FOLLOWED', { batchId });
  await close({ ...run, kind: 'lost', batchId, error });
  return { nominal: run.nominal, batchId, state: 'FAILED', note: error.what, error };
}

/** Housekeeping lengthens the list too, so a run does not fail for it. */
async function lengthenList(scheduleId: string): Promise<void> {
  try {
    await keep(() => listRuns({ scheduleId }));
  } catch (error) {
    if (!(error instanceof ActivityFailure)) throw error;
    log.warn('the list of runs in Temporal was not made longer', { cause: error.cause?.message });
  }
}
