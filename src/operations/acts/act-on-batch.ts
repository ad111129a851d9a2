import type { Sources } from '../batch/types.ts';
import type { BatchRecord } from '../../store/batches/types.ts';
import type { Act } from '../../contract/messages.ts';
import { BursarError, type ErrorNote, isBursarError } from '../../domain/errors/bursar-error.ts';
import { actorOf } from '../batch/actor.ts';
import { refuseForeign } from '../batch/own-store.ts';
import { withSources } from '../batch/sources.ts';
import type { OperationContext } from '../context.ts';
import type { Execution } from '../engine/engine.ts';

/** `reason`: 1 to 500 characters; the report shows it. */
export type ActChoices = Readonly<{ batchId: string; reason: string }>;

/** The act of a person, and the batch that it names. */
export type AskedAct = Readonly<{ batchId: string; sources: Sources; act: Act }>;

/** How Temporal shows a batch. `execution` is undefined: Temporal does not answer, for the reason in `unreachable`. */
type BatchInTemporal = Readonly<{
  execution: Execution | undefined;
  unreachable: ErrorNote | null;
}>;

/** An open batch, and how Temporal shows it. `record` is undefined: no worker has written it down yet. */
export type OpenBatch = AskedAct & BatchInTemporal & Readonly<{ record: BatchRecord | undefined }>;

/** Runs an act in the name of the person who asked for it. */
export const withAct = <Result>(
  { batchId, reason }: ActChoices,
  context: OperationContext,
  use: (asked: AskedAct) => Promise<Result>,
): Promise<Result> =>
  withSources(context, (sources) =>
    use({ batchId, sources, act: { by: actorOf(sources.settings, context), reason } }),
  );

/**
 * The batch of an act, unless it has ended. `mayBeAway`: the act needs no Temporal where the store has the batch. @throws
 * BATCH_NOT_FOUND, BATCH_ENDED, TEMPORAL_UNREACHABLE
 */
export async function openBatchOf(
  asked: AskedAct,
  { mayBeAway }: Readonly<{ mayBeAway: boolean }>,
): Promise<OpenBatch> {
  const { batchId, sources } = asked;
  const record = await sources.store.batches.find(batchId);
  if (record !== undefined && record.endState !== null) {
    throw new BursarError('BATCH_ENDED', { batchId, state: record.endState });
  }
  const seen = await look(asked, mayBeAway && record !== undefined);
  const { execution } = seen;
  if (execution === undefined || execution.status === 'RUNNING') {
    return { ...asked, record, ...seen };
  }
  // It may have ended between the two reads. Temporal calls every workflow that ended by itself completed.
  const { endState = null } = (await sources.store.batches.find(batchId)) ?? {};
  const { status } = execution;
  const state = endState ?? (status === 'COMPLETED' ? 'its workflow is closed' : status);
  throw new BursarError('BATCH_ENDED', { batchId, state });
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
