import type { Settings } from '../../config.ts';
import type { Sources } from './types.ts';
import type { BatchRecord, Canceled } from '../../store/batches/types.ts';
import { join } from 'node:path';
import { batchWorkflowId } from '../../contract/names.ts';
import type { BatchStatus } from '../../contract/status.ts';
import type { BatchResult } from '../../contract/batch.ts';
import { type Question, questionOfBatch } from '../../domain/approval/question.ts';
import type { Approval } from '../../domain/approval/statement.ts';
import type { GivenApproval } from '../../store/control/statements.ts';
import type { BatchState } from '../../domain/batch/batch-state.ts';
import { BursarError } from '../../domain/errors/bursar-error.ts';
import { askedHoldOf } from '../../domain/holds/hold.ts';
import type { BatchView } from '../../domain/report/report.ts';
import { readBatchView } from '../../report/batch-view.ts';
import { readReportUrl } from '../../report/shared-report.ts';
import type { Execution } from '../engine/engine.ts';
import { FAILED_TASKS_MIN } from '../engine/limits.ts';
import { refuseForeign } from './own-store.ts';
import { stuckText } from './stuck-text.ts';
import { readSilence, type WorkerSilence } from './worker-silence.ts';

/** The state of a batch, from the store, its workflow and Temporal. */
export type BatchSnapshot = Readonly<{
  view: BatchView;
  /** Null where the store does not have it; a batch that was refused at once was never written. */
  record: BatchRecord | null;
  isOver: boolean;
  /** The status that the workflow returns; null when it has ended, or no worker answers. */
  live: BatchStatus | null;
  /** Who canceled it, from the store; null: it was not canceled, or it has ended. */
  canceled: Canceled | null;
  /** Whether the batch runs and no worker speaks for it. */
  isSilent: boolean;
  /** When a worker was seen last, while none speaks for the batch; null otherwise. */
  silence: WorkerSilence | null;
  /**
   * The question that approvers have before them, and the answers in the store; null: no question, or it cannot be
   * read.
   */
  asked: Readonly<{ question: Question; given: readonly Approval[] }> | null;
  /** All answers of approvers in the store, and the question to its plan; null: the plan needs no approval. */
  decided: Readonly<{ question: Question | null; given: readonly GivenApproval[] }>;
  /** Whether the hold of a rule is lifted by approval. */
  goesOnByApproval: boolean;
  /** The fault of its workflow, in a sentence; null without a fault. */
  trouble: string | null;
}>;

/**
 * Reads the state of a batch. Throws BATCH_NOT_FOUND when neither store nor Temporal has it, and TEMPORAL_UNREACHABLE.
 */
export async function readSnapshot(sources: Sources, batchId: string): Promise<BatchSnapshot> {
  const known = await sources.store.batches.find(batchId);
  if (known !== undefined && known.endState !== null) return ended(sources, known, known.endState);
  const engine = await sources.engine();
  const execution = await engine.describe(batchId);
  // Read again: the batch may have ended between the two reads.
  const record = await sources.store.batches.find(batchId);
  if (record !== undefined && record.endState !== null) {
    return ended(sources, record, record.endState);
  }
  if (execution === undefined) {
    if (record !== undefined) return lost(sources, record);
    throw new BursarError('BATCH_NOT_FOUND', { batchId, isUnknownToTemporal: true });
  }
  await refuseForeign(sources, execution);
  if (execution.status === 'COMPLETED') {
    return neverRegistered(sources, { batchId, execution }, await engine.result(batchId));
  }
  return open(sources, { batchId, record, execution });
}

async function ended(sources: Sources, record: BatchRecord, state: BatchState) {
  const view = await viewOf(sources, record, state);
  return { ...OVER, view, record, decided: await decidedOf(sources, record) };
}

const UNASKED = {
  asked: null,
  decided: { question: null, given: [] },
  goesOnByApproval: false,
} as const;
const OVER = {
  ...UNASKED,
  isOver: true,
  live: null,
  canceled: null,
  isSilent: false,
  silence: null,
  trouble: null,
} as const;

/** The store has a batch whose workflow Temporal forgot, or never had. */
async function lost(sources: Sources, record: BatchRecord): Promise<BatchSnapshot> {
  const { batchId } = record;
  const trouble = `Temporal no longer has this batch. To continue it: bursar recover ${batchId}`;
  const view = await viewOf(sources, record, stateByRecord(record));
  const decided = await decidedOf(sources, record);
  return { ...OVER, view, record, decided, canceled: record.canceled, trouble };
}

/** A batch that was refused before it was written down has left nothing but its result. */
function neverRegistered(sources: Sources, seen: Seen, result: BatchResult): BatchSnapshot {
  const { state, digest, rows, amounts, reportUrl = null, error } = result;
  const view = { ...emptyView(sources, seen, state), digest, rows, amounts, reportUrl, error };
  return { ...OVER, record: null, view };
}

/** A batch as Temporal shows it. */
type Seen = Readonly<{ batchId: string; execution: Execution }>;

type Open = Seen & Readonly<{ record: BatchRecord | undefined }>;

async function open(
  sources: Sources,
  { batchId, record, execution }: Open,
): Promise<BatchSnapshot> {
  const isRunning = execution.status === 'RUNNING';
  const engine = await sources.engine();
  const live = isRunning ? ((await engine.status(batchId)) ?? null) : null;
  const state = live?.state ?? execution.state ?? stateByRecord(record);
  const { batches, holds } = sources.store;
  return {
    view:
      record === undefined
        ? {
            ...emptyView(sources, { batchId, execution }, state),
            // People can pause a batch before a worker reads it.
            holds: await holds.open(batchId),
          }
        : await viewOf(sources, record, state),
    record: record ?? null,
    isOver: !isRunning,
    live,
    canceled: await batches.canceled(batchId),
    isSilent: isRunning && live === null,
    silence: isRunning && live === null ? await readSilence(sources, execution.taskQueue) : null,
    ...(record === undefined ? UNASKED : await askedOf(sources, record, live)),
    trouble: isRunning
      ? (stuckTroubleOf(execution) ?? storeTroubleOf(live))
      : endedByForce(batchId, execution.status),
  };
}

const stuckTroubleOf = ({ failedTasks = 0 }: Execution): string | null =>
  failedTasks < FAILED_TASKS_MIN ? null : stuckText(failedTasks);

const storeTroubleOf = (live: BatchStatus | null): string | null =>
  live?.storeTrouble === undefined ? null : `${live.storeTrouble.what} ${live.storeTrouble.fix}`;

/** The answers come from the store, which decides. The question follows from the hold of the batch. */
async function askedOf(sources: Sources, record: BatchRecord, live: BatchStatus | null) {
  const decided = await decidedOf(sources, record);
  const goesOnByApproval = decided.question !== null;
  const question = live?.approval
    ? questionOfBatch(record, askedHoldOf(live.holds, live.canceledBy !== null))
    : null;
  if (question === null) return { asked: null, decided, goesOnByApproval };
  const given = decided.given.map(({ approval }) => approval);
  return { asked: { question, given }, decided, goesOnByApproval };
}

const decidedOf = async ({ store }: Sources, record: BatchRecord) => ({
  question: questionOfBatch(record, null),
  given: await store.approvals.list(record.batchId),
});

const endedByForce = (batchId: string, status: string): string =>
  `The workflow ended by force (${status}), so no workflow follows its sent chunks. Continue it: bursar recover ${batchId}`;

/** The state of a batch by its record in the store. */
export const stateByRecord = (record: BatchRecord | undefined): BatchState =>
  record?.endState ?? ((record?.digest ?? null) === null ? 'INGESTING' : 'PLANNED');

async function viewOf(
  { store, settings }: Sources,
  record: BatchRecord,
  state: BatchState,
): Promise<BatchView> {
  const { batchId, endState } = record;
  const { blob: blobs, report } = settings;
  const reportUrl =
    endState === null
      ? null
      : await readReportUrl(store, { reportDir: report.dir, blobs }, batchId);
  return readBatchView(store, record, { state, ...placeOf(settings, batchId), reportUrl });
}

const emptyView = (
  sources: Sources,
  { batchId, execution: { resend } }: Seen,
  state: BatchState,
): BatchView => ({
  schema: 'bursar.batch/v1',
  batchId,
  state,
  ...placeOf(sources.settings, batchId),
  reportUrl: null,
  digest: null,
  rows: { total: 0, paid: 0, failed: 0, unknown: 0, notSent: 0, inFlight: 0 },
  amounts: [],
  chunks: { total: 0, byState: {} },
  needsOperator: [],
  alarms: [],
  holds: [],
  error: null,
  generation: resend?.generation ?? 0,
  parentBatchId: resend?.parentBatchId ?? null,
  childBatchId: null,
  paidTwice: [],
});

export const placeOf = (settings: Settings, batchId: string) => ({
  workflowId: batchWorkflowId(batchId),
  reportDir: join(settings.report.dir, batchId),
});
