import type { Sources } from '../../operations/batch/types.ts';
import type { BatchRecord } from '../../store/batches/types.ts';
import type { Act } from '../../contract/messages.ts';
import {
  BursarError,
  type ErrorNote,
  isBursarError,
  noteOf,
} from '../../domain/errors/bursar-error.ts';
import { EXIT, exitCodeOfError } from '../../domain/errors/exit-codes.ts';
import { actorOf } from '../../operations/batch/actor.ts';
import { refuseForeign } from '../../operations/batch/own-store.ts';
import { withSources } from '../../operations/batch/sources.ts';
import type { Context } from '../context.ts';
import type { Engine, Execution } from '../../operations/engine/engine.ts';
import { readBatchId } from '../../domain/batch/batch-id.ts';
import { readReason } from '../../operations/input/reason.ts';
import { printError } from '../print/error.ts';
import { printResult } from '../print/output.ts';

export type ActFlags = Readonly<{ batch: string; reason: string }>;

/** The answer of a batch to an act of a person. */
export type ActAnswer = Readonly<{
  /** Why it refused; null when it did not. */
  refusal: ErrorNote | null;
  /** Fields of the result beside the person and the reason. */
  facts?: object;
  /** The present state, in a sentence. */
  text: string;
}>;

/** The act of a person, and the batch that it names. */
type AskedAct = Readonly<{ batchId: string; sources: Sources; act: Act }>;

/** A running batch, and the act on it. `record` is undefined: no worker has written it down yet. */
export type Running = AskedAct & Readonly<{ record: BatchRecord | undefined; engine: Engine }>;

/** How Temporal shows a batch. `execution` is undefined: Temporal does not answer, for the reason in `unreachable`. */
type BatchInTemporal = Readonly<{
  execution: Execution | undefined;
  unreachable: ErrorNote | null;
}>;

/** An open batch, and how Temporal shows it. `record` is undefined: no worker has written it down yet. */
export type ActRequest = AskedAct & BatchInTemporal & Readonly<{ record: BatchRecord | undefined }>;

/**
 * An act on a running batch: `ask` needs Temporal. `askOpen` writes to the store first, and needs no Temporal where the
 * store has the batch.
 */
export type BatchAct = Readonly<{
  /** The schema of its result. */
  schema: string;
  /** Stores the refusal, where the batch does not store it itself. */
  noteRefusal?(refusal: ErrorNote, asked: AskedAct): Promise<void>;
}> &
  Readonly<
    | { ask(running: Running): Promise<ActAnswer> }
    | { askOpen(asked: ActRequest): Promise<ActAnswer> }
  >;

/** Carries an act out on a running batch, in the name of the person who gave the command. */
export async function actOnBatch(
  batchAct: BatchAct,
  flags: ActFlags,
  context: Context,
): Promise<number> {
  const { schema, noteRefusal } = batchAct;
  const batchId = readBatchId(flags.batch);
  const reason = readReason(flags.reason);
  return withSources(context, async (sources) => {
    const act = { by: actorOf(sources.settings, context), reason };
    const { refusal, facts, text } = await askWhileOpen(batchAct, { batchId, sources, act });
    if (refusal !== null) {
      await noteRefusal?.(refusal, { batchId, sources, act });
      printError(context, refusal);
      return exitCodeOfError(refusal);
    }
    printResult(context, { json: { schema, batchId, ...act, ...facts }, text });
    return EXIT.done;
  });
}

/** Carries an act out, unless the batch has ended. Throws BATCH_NOT_FOUND. */
async function askWhileOpen(batchAct: BatchAct, asked: AskedAct): Promise<ActAnswer> {
  const { batchId, sources } = asked;
  const record = await sources.store.batches.find(batchId);
  if (record !== undefined && record.endState !== null) return ended(batchId, record.endState);
  const seen = await look(asked, 'askOpen' in batchAct && record !== undefined);
  const { execution } = seen;
  if (execution === undefined || execution.status === 'RUNNING') {
    if ('askOpen' in batchAct) return batchAct.askOpen({ ...asked, record, ...seen });
    return batchAct.ask({ ...asked, record, engine: await sources.engine() });
  }
  // It may have ended between the two reads. Temporal calls every workflow that ended by itself completed.
  const { endState = null } = (await sources.store.batches.find(batchId)) ?? {};
  const { status } = execution;
  return ended(batchId, endState ?? (status === 'COMPLETED' ? 'its workflow is closed' : status));
}

/** Reads a batch from Temporal. Throws BATCH_NOT_FOUND, and TEMPORAL_UNREACHABLE unless the act needs no Temporal. */
async function look(
  { batchId, sources }: AskedAct,
  canDoWithout: boolean,
): Promise<BatchInTemporal> {
  let execution: Execution | undefined;
  try {
    execution = await (await sources.engine()).describe(batchId);
  } catch (error) {
    if (!canDoWithout || !isBursarError(error) || error.code !== 'TEMPORAL_UNREACHABLE')
      throw error;
    return { execution: undefined, unreachable: error.note };
  }
  if (execution !== undefined) {
    // An act in a store that the workers of the batch do not read changes nothing: a pause there would stop nothing.
    await refuseForeign(sources, execution);
    return { execution, unreachable: null };
  }
  throw new BursarError('BATCH_NOT_FOUND', { batchId, isUnknownToTemporal: true });
}

const ended = (batchId: string, state: string): ActAnswer => ({
  refusal: noteOf('BATCH_ENDED', { batchId, state }),
  text: '',
});
