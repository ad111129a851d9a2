import { PARTITION_CHUNKS } from '../../domain/batch/partitions.ts';
import {
  ActivityFailure,
  ApplicationFailure,
  CancellationScope,
  isCancellation,
  log,
} from '@temporalio/workflow';
import type { Planned, Quoted, Refused } from '../../contract/activities.ts';
import type { BatchInput, BatchResult } from '../../contract/batch.ts';
import { type ErrorNote, isErrorNote, noteOf } from '../../domain/errors/bursar-error.ts';
import { moneyList, moneyText } from '../../domain/text/money-text.ts';
import { ingestFile, planBatch, quoteFees, reportBatch } from '../shared/activities.ts';
import { notify } from '../shared/notifier.ts';
import { showResult, showRows } from '../shared/search-attributes.ts';
import { endEvent } from '../state/batch-notifications.ts';
import { isStoppedByPerson } from '../state/batch-state.ts';
import { beginBatch } from './batch-handlers.ts';
import {
  type BatchRun,
  enter,
  proposePlan,
  restoreDecisions,
  showFigures,
  stopReason,
  untilRecorded,
} from './batch-run.ts';
import { waitForRelease } from './release-checks.ts';
import { pay, planToVerify, settleUnverified } from './pay.ts';
import { settleBalance } from './settle-balance.ts';
import { startAftercare } from '../start-aftercare.ts';
import { unlessStopped } from './unless-stopped.ts';

/**
 * One batch, from its file to its report. It waits and calls; the domain decides the next step. A batch
 * always ends with a report, whether it was refused, canceled or paid.
 */
export async function payoutBatch(input: BatchInput): Promise<BatchResult> {
  const run = beginBatch(input);
  return CancellationScope.nonCancellable(async () => {
    const error = await untilEnd(run);
    enter(run, 'REPORTING', 'every result is known');
    const unsentReason = stopReason(run) ?? error?.what ?? null;
    const canceled = isStoppedByPerson(run.state) && error === null;
    const { batchId } = input;
    const result = await reportBatch({ batchId, unsentReason, canceled, error });
    showResult(result);
    showFigures(run, { result });
    notify(run.notifier, endEvent(input, result));
    enter(run, result.state, 'the report is written');
    await untilRecorded(run);
    await startAftercare(input);
    return result;
  });
}

/** Runs the stages up to the report. Returns the error that ended the batch early, or null. */
async function untilEnd(run: BatchRun): Promise<ErrorNote | null> {
  try {
    const plan = await prepare(run);
    if (plan.kind === 'refused') return plan.error;
    const error = await askAndWait(run, plan);
    // A payment that began must be settled, also when the time, the balance or a person stands against it now.
    const stopped = plan.begun ? null : (error?.what ?? stopReason(run));
    if (stopped === null) {
      await pay(run, plan);
      await settleBalance(run);
      return null;
    }
    const unverified = await planToVerify(run.input, plan);
    if (unverified !== null) await settleUnverified(run, { plan: unverified, stopped });
    return error;
  } catch (error) {
    return noteOfFailure(error);
  }
}

/** Quotes the fees, and waits until the batch may pay. Returns why it never may, or null when it may. */
async function askAndWait(run: BatchRun, { begun }: Planned): Promise<ErrorNote | null> {
  try {
    const fees = await askFees(run);
    if (begun) return null;
    return fees?.kind === 'refused' ? fees.error : await waitForRelease(run, fees?.stopped ?? null);
  } catch (error) {
    return noteOfFailure(error);
  }
}

async function prepare(run: BatchRun): Promise<Planned | Refused> {
  const { input } = run;
  const ingested = await ingestFile(input);
  if (ingested.kind === 'refused') return ingested;
  const { rows, refusedRows, currencies } = ingested;
  showFigures(run, { rows, refusedRows, totals: moneyList(currencies) });
  showRows(
    rows,
    currencies.map(({ currency }) => currency),
  );
  const plan = await planBatch({ ...input, partitionChunks: PARTITION_CHUNKS });
  if (plan.kind === 'refused') return plan;
  enter(run, 'PLANNED', 'the plan is made');
  const { policy } = await restoreDecisions(run);
  proposePlan(run, { policy, digest: plan.digest, totals: currencies });
  showFigures(run, { chunks: plan.chunks, digest: plan.digest });
  return plan;
}

/** Quotes the fees of the batch; undefined when it was stopped meanwhile. */
async function askFees(run: BatchRun): Promise<Quoted | Refused | undefined> {
  const { batchId } = run.input;
  const quoted = await unlessStopped(run, () => quoteFees({ batchId }));
  if (quoted?.kind !== 'quoted') return quoted;
  const fees = quoted.fees?.map(({ fee, currency }) => moneyText(fee, currency)).join(', ');
  showFigures(run, { fees: fees ?? 'not available' });
  return quoted;
}

/** The error note of an activity's failure. A failure without one is an internal error. Other errors are thrown on. */
function noteOfFailure(failure: unknown): ErrorNote {
  if (!(failure instanceof ActivityFailure) || isCancellation(failure)) throw failure;
  const { cause } = failure;
  log.error('a stage of the batch failed', { cause: cause?.message });
  const [note] = cause instanceof ApplicationFailure ? (cause.details ?? []) : [];
  return isErrorNote(note)
    ? note
    : noteOf('INTERNAL', { message: cause?.message ?? failure.message });
}
