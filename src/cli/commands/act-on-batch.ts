import type { Act } from '../../contract/messages.ts';
import { BursarError, type ErrorNote } from '../../domain/errors/bursar-error.ts';
import { EXIT, exitCodeOfError } from '../../domain/errors/exit-codes.ts';
import { actorOf } from '../batch/actor.ts';
import { withSources } from '../batch/sources.ts';
import type { Context } from '../context.ts';
import type { Engine } from '../engine/engine.ts';
import { readBatchId } from '../flags/batch-id.ts';
import { readReason } from '../flags/reason.ts';
import { printError } from '../print/error.ts';
import { printResult } from '../print/output.ts';

export type ActFlags = Readonly<{ batch: string; reason: string }>;

/** Something that a person does to a batch that runs. */
export type BatchAct = Readonly<{
  /** The `schema` of its result. */
  schema: string;
  /** What is so afterwards, in a sentence. */
  done(batchId: string): string;
  /** Asks the batch; answers with its refusal, if it refused. */
  ask(engine: Engine, batchId: string, act: Act): Promise<ErrorNote | null>;
}>;

/** Does something to a batch that runs, in the name of who asks. */
export async function actOnBatch(
  { schema, done, ask }: BatchAct,
  flags: ActFlags,
  context: Context,
): Promise<number> {
  const batchId = readBatchId(flags.batch);
  const reason = readReason(flags.reason);
  return withSources(context, async ({ settings, store, engine: openEngine }) => {
    const act = { by: actorOf(settings, context), reason };
    const record = await store.batches.find(batchId);
    if (record !== undefined && record.endState !== null) throw ended(batchId, record.endState);
    const engine = await openEngine();
    const execution = await engine.describe(batchId);
    if (execution === undefined) throw new BursarError('BATCH_NOT_FOUND', { batchId });
    if (execution.status !== 'RUNNING') throw ended(batchId, execution.status);
    const refusal = await ask(engine, batchId, act);
    if (refusal !== null) {
      printError(context, refusal);
      return exitCodeOfError(refusal);
    }
    printResult(context, { json: { schema, batchId, ...act }, text: done(batchId) });
    return EXIT.done;
  });
}

const ended = (batchId: string, state: string): BursarError =>
  new BursarError('BATCH_ENDED', { batchId, state });
