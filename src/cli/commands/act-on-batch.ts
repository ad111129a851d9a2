import type { Act } from '../../contract/messages.ts';
import { BursarError, type ErrorNote } from '../../domain/errors/bursar-error.ts';
import { EXIT, exitCodeOfError } from '../../domain/errors/exit-codes.ts';
import type { BatchRecord } from '../../store/batches.ts';
import { actorOf } from '../batch/actor.ts';
import { type Sources, withSources } from '../batch/sources.ts';
import type { Context } from '../context.ts';
import type { Engine } from '../engine/engine.ts';
import { readBatchId } from '../flags/batch-id.ts';
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

/** Something that a person does to a batch that runs. `schema` is that of its result. */
export type BatchAct = Readonly<{ schema: string; ask(running: Running): Promise<Answer> }>;

/** Does something to a batch that runs, in the name of who asks. */
export async function actOnBatch(
  { schema, ask }: BatchAct,
  flags: ActFlags,
  context: Context,
): Promise<number> {
  const batchId = readBatchId(flags.batch);
  const reason = readReason(flags.reason);
  return withSources(context, async (sources) => {
    const act = { by: actorOf(sources.settings, context), reason };
    const record = await sources.store.batches.find(batchId);
    if (record !== undefined && record.endState !== null) throw ended(batchId, record.endState);
    const engine = await sources.engine();
    const execution = await engine.describe(batchId);
    if (execution === undefined) throw new BursarError('BATCH_NOT_FOUND', { batchId });
    if (execution.status !== 'RUNNING') {
      // It may have ended between the two looks. Temporal calls every workflow that came to its own end completed.
      const { endState = null } = (await sources.store.batches.find(batchId)) ?? {};
      const { status } = execution;
      throw ended(
        batchId,
        endState ?? (status === 'COMPLETED' ? 'its workflow is closed' : status),
      );
    }
    const { refusal, facts, text } = await ask({ batchId, record, engine, sources, act });
    if (refusal !== null) {
      printError(context, refusal);
      return exitCodeOfError(refusal);
    }
    printResult(context, { json: { schema, batchId, ...act, ...facts }, text });
    return EXIT.done;
  });
}

const ended = (batchId: string, state: string): BursarError =>
  new BursarError('BATCH_ENDED', { batchId, state });
