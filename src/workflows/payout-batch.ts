import {
  ActivityFailure,
  ApplicationFailure,
  CancellationScope,
  isCancellation,
  log,
} from '@temporalio/workflow';
import type { Planned, Refused } from '../contract/activities.ts';
import type { BatchInput, BatchResult } from '../contract/batch.ts';
import { type ErrorNote, noteOf } from '../domain/errors/bursar-error.ts';
import { ingestFile, planBatch, quoteFees, readControls, reportBatch } from './activities.ts';
import { type BatchDesk, openBatchDesk, showResult, showRows } from './batch-desk.ts';
import { passGate, unlessStopped } from './gate.ts';
import { pay } from './pay.ts';

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
    desk.enter(result.state, 'the report is written');
    await desk.untilNoted();
    return result;
  });
}

/** Runs the stages up to the report; answers why the batch ended before its money moved, or null. */
async function untilEnd(desk: BatchDesk, input: BatchInput): Promise<ErrorNote | null> {
  try {
    const plan = await prepare(desk, input);
    if (plan.kind === 'refused') return plan.error;
    // What was begun must be settled, whatever the time, the balance or anybody says now.
    if (!plan.begun) {
      const error = await passGate(desk, input);
      if (error !== null || desk.stopReason() !== null) return error;
    }
    await pay(desk, input, plan);
    return null;
  } catch (error) {
    if (!(error instanceof ActivityFailure) || isCancellation(error)) throw error;
    log.error('a stage of the batch failed', { cause: error.cause?.message });
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
  const controls = await readControls({ batchId: input.batchId });
  desk.approvals.propose({ policy: controls.policy, digest: plan.digest, totals: currencies });
  desk.restore(controls);
  desk.showFigures({ chunks: plan.chunks, digest: plan.digest });
  const quoted = await unlessStopped(desk, () => quoteFees({ batchId: input.batchId }));
  if (quoted === undefined) return plan;
  if (quoted.kind === 'refused') return quoted;
  const fees = quoted.fees?.map(({ fee, currency }) => `${fee} ${currency}`).join(', ');
  desk.showFigures({ fees: fees ?? 'not available' });
  return plan;
}

/** The sentences that an activity's failure carries; a failure without them is a mistake of ours. */
function noteOfFailure(failure: ActivityFailure): ErrorNote {
  const { cause } = failure;
  const [note] = cause instanceof ApplicationFailure ? (cause.details ?? []) : [];
  return isNote(note) ? note : noteOf('INTERNAL', { message: cause?.message ?? failure.message });
}

const isNote = (value: unknown): value is ErrorNote =>
  typeof value === 'object' && value !== null && 'code' in value && 'fix' in value;
