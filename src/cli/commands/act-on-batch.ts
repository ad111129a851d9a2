import type { Act } from '../../contract/messages.ts';
import { BursarError, type ErrorNote, noteOf } from '../../domain/errors/bursar-error.ts';
import { EXIT, exitCodeOfError } from '../../domain/errors/exit-codes.ts';
import type { BatchRecord } from '../../store/batches.ts';
import { actorOf } from '../batch/actor.ts';
import { type Sources, withSources } from '../batch/sources.ts';
import type { Context } from '../context.ts';
import type { Engine } from '../engine/engine.ts';
import { readBatchId } from '../../domain/batch/batch-id.ts';
import { readReason } from '../flags/reason.ts';
import { printError } from '../print/error.ts';
import { printResult } from '../print/output.ts';

export type ActFlags = Readonly<{ batch: string; reason: string }>;

/** What a batch said to what a person wanted. */
export type Answer = Readonly<{
  /** Why it refused; null when it did not. */
  refusal: ErrorNote | null;
  /** Fields of the result beside who asked why. */
  facts?: object;
  /** What is so now, in a sentence. */
  text: string;
}>;

/** A batch that runs, and who asks what of it. */
export type Running = Readonly<{
  batchId: string;
  /** undefined: no worker has written it down yet. */
  record: BatchRecord | undefined;
  engine: Engine;
  sources: Sources;
  act: Act;
}>;

/** Something that a person does to a batch that runs. */
export type BatchAct = Readonly<{
  /** That of its result. */
  schema: string;
  ask(running: Running): Promise<Answer>;
  /** Writes down that it was refused, where the batch does not do so itself. */
  noteRefusal?(refusal: ErrorNote, running: Omit<Running, 'record' | 'engine'>): Promise<void>;
}>;

/** Does something to a batch that runs, in the name of who asks. */
export async function actOnBatch(
  { schema, ask, noteRefusal }: BatchAct,
  flags: ActFlags,
  context: Context,
): Promise<number> {
  const batchId = readBatchId(flags.batch);
  const reason = readReason(flags.reason);
  return withSources(context, async (sources) => {
    const act = { by: actorOf(sources.settings, context), reason };
    const { refusal, facts, text } = await askWhileOpen(ask, { batchId, sources, act });
    if (refusal !== null) {
      await noteRefusal?.(refusal, { batchId, sources, act });
      printError(context, refusal);
      return exitCodeOfError(refusal);
    }
    printResult(context, { json: { schema, batchId, ...act, ...facts }, text });
    return EXIT.done;
  });
}

/** Asks a batch, unless it has ended. Throws BATCH_NOT_FOUND. */
async function askWhileOpen(
  ask: BatchAct['ask'],
  asked: Omit<Running, 'record' | 'engine'>,
): Promise<Answer> {
  const { batchId, sources } = asked;
  const record = await sources.store.batches.find(batchId);
  if (record !== undefined && record.endState !== null) return ended(batchId, record.endState);
  const engine = await sources.engine();
  const execution = await engine.describe(batchId);
  if (execution === undefined) {
    throw new BursarError('BATCH_NOT_FOUND', { batchId, isUnknownToTemporal: true });
  }
  if (execution.status === 'RUNNING') return ask({ ...asked, record, engine });
  // It may have ended between the two looks. Temporal calls every workflow that came to its own end completed.
  const { endState = null } = (await sources.store.batches.find(batchId)) ?? {};
  const { status } = execution;
  return ended(batchId, endState ?? (status === 'COMPLETED' ? 'its workflow is closed' : status));
}

const ended = (batchId: string, state: string): Answer => ({
  refusal: noteOf('BATCH_ENDED', { batchId, state }),
  text: '',
});
