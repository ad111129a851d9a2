import {
  ActivityFailure,
  ApplicationFailure,
  CancellationScope,
  isCancellation,
  log,
} from '@temporalio/workflow';
import type { Planned, Quoted, Refused } from '../../contract/activities.ts';
import type { BatchInput, BatchResult } from '../../contract/batch.ts';
import { type ErrorNote, noteOf } from '../../domain/errors/bursar-error.ts';
import {
  ingestFile,
  planBatch,
  quoteFees,
  readControls,
  reportBatch,
} from '../shared/activities.ts';
import { showResult, showRows } from '../shared/search-attributes.ts';
import { type BatchDesk, openBatchDesk } from './batch-desk.ts';
import { waitForRelease } from './release-checks.ts';
import { pay, planOfOlder, settleForgotten } from './pay.ts';
import { settleBalance } from './settle-balance.ts';
import { startAftercare } from '../start-aftercare.ts';
import { unlessStopped } from './unless-stopped.ts';

/**
 * One batch, from its file to its report. It waits and calls; what follows from what is decided in the domain. A batch
 * always ends with a report, whether it was refused, canceled or paid.
 */
export async function payoutBatch(input: BatchInput): Promise<BatchResult> {
  const desk = openBatchDesk(input);
  return CancellationScope.nonCancellable(async () => {
    const error = await untilEnd(desk, input);
    desk.enter('REPORTING', 'writes the report');
    const unsentReason = desk.stopReason() ?? error?.what ?? null;
    const canceled = desk.isCanceled() && error === null;
    const { batchId } = input;
    const result = await reportBatch({ batchId, unsentReason, canceled, error });
    showResult(result);
    desk.showFigures({ result });
    desk.news.ended(result);
    desk.enter(result.state, 'the report is written');
    await desk.untilNoted();
    await startAftercare(input);
    return result;
  });
}

/** Runs the stages up to the report; answers why the batch ended before its money moved, or null. */
async function untilEnd(desk: BatchDesk, input: BatchInput): Promise<ErrorNote | null> {
  try {
    const plan = await prepare(desk, input);
    if (plan.kind === 'refused') return plan.error;
    const error = await askAndWait(desk, input, plan);
    // What was begun must be settled, whatever the time, the balance or anybody says now.
    const stopped = plan.begun ? null : (error?.what ?? desk.stopReason());
    if (stopped === null) {
      await pay(desk, input, plan);
      await settleBalance(desk, input);
      return null;
    }
    const older = await planOfOlder(input, plan);
    if (older !== null) await settleForgotten(desk, input, { plan: older, stopped });
    return error;
  } catch (error) {
    return noteOfFailure(error);
  }
}

/** Asks what the batch will cost, and waits until nothing stands against paying any more; answers why it never will. */
async function askAndWait(
  desk: BatchDesk,
  input: BatchInput,
  { begun }: Planned,
): Promise<ErrorNote | null> {
  try {
    const fees = await askFees(desk, input);
    if (begun) return null;
    return fees?.kind === 'refused'
      ? fees.error
      : await waitForRelease(desk, input, fees?.stopped ?? null);
  } catch (error) {
    return noteOfFailure(error);
  }
}

async function prepare(desk: BatchDesk, input: BatchInput): Promise<Planned | Refused> {
  const ingested = await ingestFile(input);
  if (ingested.kind === 'refused') return ingested;
  const { rows, refusedRows, currencies } = ingested;
  const totals = currencies.map(({ total, currency }) => `${total} ${currency}`).join(', ');
  desk.showFigures({ rows, refusedRows, totals });
  showRows(
    rows,
    currencies.map(({ currency }) => currency),
  );
  const plan = await planBatch(input);
  if (plan.kind === 'refused') return plan;
  desk.enter('PLANNED', 'the plan is made');
  const { policy } = await desk.restore(() => readControls({ batchId: input.batchId }));
  desk.approvals.propose({ policy, digest: plan.digest, totals: currencies });
  desk.showFigures({ chunks: plan.chunks, digest: plan.digest });
  return plan;
}

/** Asks what the batch will cost; undefined when it was stopped meanwhile. */
async function askFees(
  desk: BatchDesk,
  { batchId }: BatchInput,
): Promise<Quoted | Refused | undefined> {
  const quoted = await unlessStopped(desk, () => quoteFees({ batchId }));
  if (quoted?.kind !== 'quoted') return quoted;
  const fees = quoted.fees?.map(({ fee, currency }) => `${fee} ${currency}`).join(', ');
  desk.showFigures({ fees: fees ?? 'not available' });
  return quoted;
}

/** The sentences that an activity's failure carries; a failure without them is a mistake of ours. All else is thrown on. */
function noteOfFailure(failure: unknown): ErrorNote {
  if (!(failure instanceof ActivityFailure) || isCancellation(failure)) throw failure;
  const { cause } = failure;
  log.error('a stage of the batch failed', { cause: cause?.message });
  const [note] = cause instanceof ApplicationFailure ? (cause.details ?? []) : [];
  return isNote(note) ? note : noteOf('INTERNAL', { message: cause?.message ?? failure.message });
}

const isNote = (value: unknown): value is ErrorNote =>
  typeof value === 'object' && value !== null && 'code' in value && 'fix' in value;
