import { isObject } from '../../domain/json/is-object.ts';
import {
  CancellationScope,
  defineQuery,
  defineSignal,
  defineUpdate,
  setHandler,
} from '@temporalio/workflow';
import type { Refused } from '../../contract/activities.ts';
import type { Hint, Resolve, SignedActResult } from '../../contract/messages.ts';
import {
  QUERY_STATUS,
  SIGNAL_GO_ON,
  SIGNAL_HINT,
  SIGNAL_STOP,
  UPDATE_RESOLVE,
} from '../../contract/names.ts';
import type { PartitionInput, PartitionStatus } from '../../contract/partition.ts';
import { isHint } from '../../contract/read-messages.ts';
import { freshSnapshot, isChunkAt } from '../../domain/batch/partition-board.ts';
import { noteOf } from '../../domain/errors/bursar-error.ts';
import { answerChunk } from '../shared/activities.ts';
import { updateFailure } from '../shared/update-failure.ts';
import { partitionStatus } from '../state/partition-report.ts';
import { partitionAtStart } from '../state/partition-state.ts';
import { change, type PartitionRun, showDetails, showNeedsOperator } from './partition-run.ts';

export const hintSignal = defineSignal<[Hint]>(SIGNAL_HINT);
export const stopSignal = defineSignal<[string]>(SIGNAL_STOP);
export const goOnSignal = defineSignal(SIGNAL_GO_ON);
export const partitionStatusQuery = defineQuery<PartitionStatus>(QUERY_STATUS);
export const resolveUpdate = defineUpdate<SignedActResult, [Resolve]>(UPDATE_RESOLVE);

/** Begins the run of a partition: its handlers are set before anything else happens, so that no signal is missed. */
export function beginPartition(input: PartitionInput): PartitionRun {
  const start = input.resume ?? freshSnapshot(input.firstChunk, input.chunkCount);
  const run: PartitionRun = {
    input,
    state: partitionAtStart(start, input.grouped === true),
    besides: [],
    soon: new Set(),
  };
  setHandlers(run);
  showDetails(run);
  if (start.operatorShown === true) showNeedsOperator(run);
  return run;
}

function setHandlers(run: PartitionRun): void {
  setHandler(hintSignal, (hint) => {
    if (isHint(hint)) change(run, { kind: 'hinted', chunks: hint.chunks });
  });
  setHandler(goOnSignal, () => change(run, { kind: 'resumed' }));
  setHandler(stopSignal, (reason: unknown) => {
    if (typeof reason === 'string') change(run, { kind: 'stopped', reason });
  });
  setHandler(partitionStatusQuery, () => partitionStatus(run.state));
  setHandler(resolveUpdate, (answer) => resolve(run, answer), {
    validator: ({ chunk }) => refuseUnlessWaiting(run, chunk),
  });
}

/** Records an operator's answer for a chunk, and has the chunk sent again by it. */
async function resolve(run: PartitionRun, answer: Resolve): Promise<SignedActResult> {
  const { batchId } = run.input;
  // Handlers run in the workflow's own scope, which may have been canceled long ago.
  const result = await CancellationScope.nonCancellable(() => answerChunk({ batchId, answer }));
  if (isRefused(result)) throw updateFailure(result.error);
  change(run, { kind: 'answered', chunk: answer.chunk });
  return result;
}

/** Histories of earlier workers hold other results, and none of them is a refusal. */
const isRefused = (result: unknown): result is Refused => isObject(result) && 'kind' in result;

function refuseUnlessWaiting({ input, state }: PartitionRun, chunk: number): void {
  if (isChunkAt(state.board, chunk, 'needsOperator')) return;
  const { batchId } = input;
  throw updateFailure(noteOf('CHUNK_NOT_WAITING', { chunk: String(chunk), batchId }));
}
