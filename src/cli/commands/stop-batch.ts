import type { Act } from '../../contract/messages.ts';
import type { ApprovalPolicy } from '../../domain/approval/policy.ts';
import type { EndState } from '../../domain/batch/batch-state.ts';
import {
  type BursarError,
  type ErrorNote,
  isBursarError,
  noteOf,
} from '../../domain/errors/bursar-error.ts';
import type { Sources } from '../../operations/batch/types.ts';
import { readSilence, silenceText } from '../../operations/batch/worker-silence.ts';
import type { Engine, Execution } from '../../operations/engine/engine.ts';
import type { Canceled } from '../../store/batches/types.ts';
import type { Context } from '../context.ts';
import {
  type ActAnswer,
  type ActFlags,
  actOnBatch,
  type ActRequest,
  type BatchAct,
} from './act-on-batch.ts';
import { canceledReason } from '../../domain/batch/stop-reason.ts';

/** How long the report of a batch that ends is waited for. */
const REPORT_MS_MAX = 30_000;

/** A cancel or a pause. It counts once the store has it: the step that begins an attempt reads the store. */
export type StopCommand = Readonly<{
  schema: string;
  /** Why the batch cannot be stopped in this way, from the store and the last state that it showed. */
  refusal(batch: Stopping): ErrorNote | null;
  /** Writes the stop to the store. Returns the refusal. */
  write(store: Sources['store'], stop: Written): Promise<ErrorNote | null>;
  /** Notifies the workflow, which a worker must answer for. Returns the refusal. Throws WORKER_SILENT. */
  update(engine: Engine, batchId: string, by: Act): Promise<ErrorNote | null>;
  /** The state in which a batch ends by this stop; null: a batch does not end by it. */
  endState: EndState | null;
  /** The result in words; the second part names the next command. */
  text(batchId: string): readonly [done: string, next: string];
  /** The result in words while no worker answers. */
  silentText: string;
}>;

/** A batch that is to be stopped. `canceled`: who canceled it before. */
export type Stopping = Readonly<{
  batchId: string;
  canceled: Canceled | null;
  execution: Execution | undefined;
}>;

/** A stop as it is written down. `policy`: that of the settings. A stop needs no signature, and its name is marked under a policy. */
export type Written = Act &
  Readonly<{ batchId: string; policy: ApprovalPolicy | null; atMs: number }>;

/** The act that writes a stop to the store first, and needs no worker for it. */
export const stopAct = (stop: StopCommand, context: Context): BatchAct => ({
  schema: stop.schema,
  askOpen: (asked) => stopOpen(stop, asked, context),
});

async function stopOpen(
  stop: StopCommand,
  asked: ActRequest,
  context: Context,
): Promise<ActAnswer> {
  const { batchId, sources, act, execution } = asked;
  const { store, settings } = sources;
  const canceled = await store.batches.canceled(batchId);
  const early = stop.refusal({ batchId, canceled, execution });
  if (early !== null) return { refusal: early, text: '' };
  const { approval: policy } = settings.rules;
  const written = { batchId, ...act, policy, atMs: context.clock.nowMs() };
  const refused = await stop.write(store, written);
  if (refused !== null) return { refusal: refused, text: '' };
  const [done, next] = stop.text(batchId);
  if (execution === undefined) return unreachable(asked.unreachable, [done, next]);
  try {
    const refusal = await notify(stop, asked);
    if (refusal !== 'silent') {
      return { refusal: await unlessEnded(stop, asked, refusal), text: `${done}\n${next}` };
    }
    const worker = await readSilence(sources);
    const silence =
      worker === null ? 'Its workflow did not answer.' : silenceText(worker, context.clock);
    const text = [done, `${silence} ${stop.silentText}`, next].join('\n');
    return { refusal: null, facts: worker === null ? {} : { worker }, text };
  } catch (error) {
    if (!isUnreachable(error)) throw error;
    return unreachable(error.note, [done, next]);
  }
}

/** Notifies the workflow: at once where a worker answers, else by a signal that the next worker takes. */
async function notify(
  stop: StopCommand,
  { batchId, sources, act }: ActRequest,
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
 * command then returns the same result as after a notice.
 */
async function unlessEnded(
  { endState }: StopCommand,
  { batchId, sources }: ActRequest,
  refusal: ErrorNote | null,
): Promise<ErrorNote | null> {
  if (endState === null || refusal?.code !== 'BATCH_ENDED') return refusal;
  const engine = await sources.engine();
  await engine.untilClosed(batchId, AbortSignal.timeout(REPORT_MS_MAX));
  const batch = await sources.store.batches.find(batchId);
  return batch?.endState === endState ? null : refusal;
}

/** The store stops workers that still run. The workflow reads the store when it comes to its next step. */
const unreachable = (
  note: ErrorNote | null,
  [done, next]: readonly [string, string],
): ActAnswer => ({
  refusal: null,
  facts: { temporal: { answers: false } },
  text: [
    done,
    `${note?.what ?? 'Temporal does not answer.'} The store has it: no worker creates anything. ` +
      'Give the command again when Temporal answers, so that the batch is notified.',
    next,
  ].join('\n'),
});

const isUnreachable = (error: unknown): error is BursarError =>
  isBursarError(error) && error.code === 'TEMPORAL_UNREACHABLE';

/** The refusal of a batch that writes its report, or has written it. */
export const endedNote = ({ batchId, execution }: Stopping): ErrorNote | null =>
  execution?.state === 'REPORTING'
    ? noteOf('BATCH_ENDED', { batchId, state: execution.state })
    : null;

/** `bursar cancel BATCH`: nothing more of it is sent. The sent part is settled and reported. Needs no worker. */
export const cancel = (flags: ActFlags, context: Context): Promise<number> =>
  actOnBatch(stopAct(CANCEL, context), flags, context);

const CANCEL: StopCommand = {
  schema: 'bursar.cancel/v1',
  refusal: endedNote,
  async write(store, { batchId, by, reason, policy, atMs }) {
    await store.batches.cancel(batchId, { by, reason, policy }, atMs);
    return null;
  },
  update: (engine, batchId, act) => engine.cancel(batchId, act),
  endState: 'CANCELED',
  text: (batchId) => [
    `Batch ${batchId} is stopped: nothing more of it is sent, and what was sent is settled and reported.`,
    `Follow it with: bursar watch ${batchId}`,
  ],
  silentText: 'The next worker sends nothing more of the batch, and settles and reports it.',
};

/**
 * `bursar pause BATCH`: the batch creates no mass payouts until a person resumes it. Its sent chunks are still settled.
 * worker.
 */
export const pause = (flags: ActFlags, context: Context): Promise<number> =>
  actOnBatch(stopAct(PAUSE, context), flags, context);

const PAUSE: StopCommand = {
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
  text: (batchId) => [
    `Batch ${batchId} is paused: nothing more of it is sent; what was sent is followed to its end.`,
    `Go on with: bursar resume ${batchId} --reason ...`,
  ],
  silentText: 'The next worker creates nothing of the batch until it is resumed.',
};
