import type { Act } from '../../contract/messages.ts';
import type { ApprovalPolicy } from '../../domain/approval/policy.ts';
import type { EndState } from '../../domain/batch/batch-state.ts';
import { canceledReason } from '../../domain/batch/stop-reason.ts';
import {
  type ErrorNote,
  errorOfNote,
  isBursarError,
  noteOf,
} from '../../domain/errors/bursar-error.ts';
import type { Canceled } from '../../store/batches/types.ts';
import type { Sources } from '../batch/types.ts';
import { readSilence, type WorkerSilence } from '../batch/worker-silence.ts';
import type { OperationContext } from '../context.ts';
import type { Engine, Execution } from '../engine/engine.ts';
import { type ActChoices, type OpenBatch, openBatchOf, withAct } from './act-on-batch.ts';

/** How long the report of a batch that ends is waited for. */
const REPORT_MS_MAX = 30_000;

/** The result of a cancel or a pause. The store has it in each case. */
export type StopResult<Schema extends string> = Act &
  Readonly<{
    schema: Schema;
    batchId: string;
    /** Whether the workflow of the batch has answered. Otherwise it reads the store at its next step. */
    notified: boolean;
    /** Since when no worker answers. */
    worker?: WorkerSilence;
    /** Temporal did not answer, for the reason in `what`. */
    temporal?: Readonly<{ answers: false; what: string }>;
  }>;

/** A cancel or a pause. It counts once the store has it: the step that begins an attempt reads the store. */
type Stop<Schema extends string> = Readonly<{
  schema: Schema;
  /** Why the batch cannot be stopped in this way, from the store and the last state that it showed. */
  refusal(batch: Stopping): ErrorNote | null;
  /** Writes the stop to the store. Returns the refusal. */
  write(store: Sources['store'], stop: Written): Promise<ErrorNote | null>;
  /** Notifies the workflow, which a worker must answer for. Returns the refusal. Throws WORKER_SILENT. */
  update(engine: Engine, batchId: string, by: Act): Promise<ErrorNote | null>;
  /** The state in which a batch ends by this stop; null: a batch does not end by it. */
  endState: EndState | null;
}>;

/** A batch that is to be stopped. `canceled`: who canceled it before. */
type Stopping = Readonly<{
  batchId: string;
  canceled: Canceled | null;
  execution: Execution | undefined;
}>;

/** A stop as it is written down. `policy`: that of the settings. A stop needs no signature, and its name is marked under a policy. */
type Written = Act & Readonly<{ batchId: string; policy: ApprovalPolicy | null; atMs: number }>;

const stopBatch = <Schema extends string>(
  stop: Stop<Schema>,
  choices: ActChoices,
  context: OperationContext,
): Promise<StopResult<Schema>> =>
  withAct(choices, context, async (asked) => {
    const open = await openBatchOf(asked, { mayBeAway: true });
    const { batchId, sources, act, execution } = open;
    const { store, settings } = sources;
    const canceled = await store.batches.canceled(batchId);
    refuse(stop.refusal({ batchId, canceled, execution }));
    const { approval: policy } = settings.rules;
    refuse(await stop.write(store, { batchId, ...act, policy, atMs: context.clock.nowMs() }));
    return { schema: stop.schema, batchId, ...act, ...(await notified(stop, open)) };
  });

function refuse(note: ErrorNote | null): void {
  if (note !== null) throw errorOfNote(note);
}

/** Whether the workflow has heard of the stop. The store stops workers that still run. */
async function notified<Schema extends string>(stop: Stop<Schema>, open: OpenBatch) {
  const away = ({ what }: ErrorNote) =>
    ({ notified: false, temporal: { answers: false, what } }) as const;
  if (open.unreachable !== null) return away(open.unreachable);
  try {
    const refusal = await notify(stop, open);
    if (refusal !== 'silent') {
      refuse(await unlessEnded(stop, open, refusal));
      return { notified: true };
    }
    const worker = await readSilence(open.sources, open.execution?.taskQueue);
    return { notified: false, ...(worker === null ? {} : { worker }) };
  } catch (error) {
    if (!isBursarError(error) || error.code !== 'TEMPORAL_UNREACHABLE') throw error;
    return away(error.note);
  }
}

/** Notifies the workflow: at once where a worker answers, else by a signal that the next worker takes. */
async function notify(
  stop: Stop<string>,
  { batchId, sources, act }: OpenBatch,
): Promise<ErrorNote | 'silent' | null> {
  const engine = await sources.engine();
  try {
    if ((await engine.status(batchId)) !== undefined) {
      return await stop.update(engine, batchId, act);
    }
  } catch (error) {
    if (!isBursarError(error) || error.code !== 'WORKER_SILENT') throw error;
  }
  await engine.controlsWritten(batchId);
  return 'silent';
}

/**
 * A batch can end by the stop in the store before its workflow is notified. Example: a cancel is written while the
 * batch is released. The report finds the cancel, the batch ends as CANCELED, and the workflow refuses the notice. The
 * operation then returns the same result as after a notice.
 */
async function unlessEnded(
  { endState }: Stop<string>,
  { batchId, sources }: OpenBatch,
  refusal: ErrorNote | null,
): Promise<ErrorNote | null> {
  if (endState === null || refusal?.code !== 'BATCH_ENDED') return refusal;
  const engine = await sources.engine();
  await engine.untilClosed(batchId, AbortSignal.timeout(REPORT_MS_MAX));
  const batch = await sources.store.batches.find(batchId);
  return batch?.endState === endState ? null : refusal;
}

/** The refusal of a batch that writes its report, or has written it. */
const endedNote = ({ batchId, execution }: Stopping): ErrorNote | null =>
  execution?.state === 'REPORTING'
    ? noteOf('BATCH_ENDED', { batchId, state: execution.state })
    : null;

/** Sends nothing more of a batch. The sent part is settled and reported. Needs no worker. */
export const cancelBatch = (choices: ActChoices, context: OperationContext) =>
  stopBatch(CANCEL, choices, context);

const CANCEL: Stop<'bursar.cancel/v1'> = {
  schema: 'bursar.cancel/v1',
  refusal: endedNote,
  async write(store, { batchId, by, reason, policy, atMs }) {
    await store.batches.cancel(batchId, { by, reason, policy }, atMs);
    return null;
  },
  update: (engine, batchId, act) => engine.cancel(batchId, act),
  endState: 'CANCELED',
};

/** The batch creates no mass payouts until a person resumes it. Its sent chunks are still settled. Needs no worker. */
export const pauseBatch = (choices: ActChoices, context: OperationContext) =>
  stopBatch(PAUSE, choices, context);

const PAUSE: Stop<'bursar.pause/v1'> = {
  schema: 'bursar.pause/v1',
  refusal({ batchId, canceled, execution }) {
    if (canceled !== null) {
      return noteOf('BATCH_STOPPED', { batchId, stopped: canceledReason(canceled) });
    }
    if (execution?.state === 'SETTLING') {
      return noteOf('NOTHING_TO_PAUSE', { batchId, state: execution.state });
    }
    return endedNote({ batchId, canceled, execution });
  },
  async write(store, { batchId, by, reason, policy, atMs }) {
    const put = { kind: 'PAUSE', reason, by, facts: {}, policy } as const;
    const hold = await store.holds.put(batchId, put, atMs);
    // The same person may repeat the command, since its answer was lost.
    const isOurs = hold.by === by && hold.reason === reason;
    return isOurs ? null : noteOf('ALREADY_PAUSED', { batchId, by: hold.by });
  },
  update: (engine, batchId, act) => engine.pause(batchId, act),
  endState: null,
};
