import type {
  PartitionInput,
  PartitionProgress,
  PartitionSnapshot,
  PartitionStatus,
} from '../../contract/partition.ts';
import { boardCounts, boardSnapshot, chunksAt } from '../../domain/batch/partition-board.ts';
import type { PartitionRunState } from './partition-state.ts';

/** Chunks that wait for an answer, and open ones that a person should check. */
export const operatorChunks = ({ board, alarms }: PartitionRunState): number[] => [
  ...chunksAt(board, 'needsOperator'),
  ...alarms,
];

/**
 * Whether the batch must receive the chunks that need an operator again: one more or one less waits for an answer, or the first
 * alarm came, or the last one ended. Single alarms are not reported: the history of the batch would grow with every chunk of a
 * service that is down.
 */
export const isOperatorNeedChanged = (
  before: PartitionRunState,
  after: PartitionRunState,
): boolean =>
  boardCounts(before.board).needsOperator !== boardCounts(after.board).needsOperator ||
  before.alarms.size > 0 !== after.alarms.size > 0;

/** Whether the batch must receive that mass payouts wait for a confirmation, or that none does any more. */
export const isConfirmationChanged = (
  before: PartitionRunState,
  after: PartitionRunState,
): boolean => before.unconfirmed.size > 0 !== after.unconfirmed.size > 0;

/** Everything that the next run needs to go on from here. */
export const partitionSnapshot = (state: PartitionRunState): PartitionSnapshot => ({
  ...boardSnapshot(state.board, state.stopped),
  operatorShown: operatorChunks(state).length > 0,
  ...(state.unconfirmed.size > 0 && { unconfirmed: [...state.unconfirmed] }),
});

export const partitionStatus = (state: PartitionRunState): PartitionStatus => ({
  chunks: boardCounts(state.board),
  needsOperator: operatorChunks(state),
  stopped: state.stopped,
});

/** Chunks that a signal to the batch names at most: the store has all questions. */
const NAMED_CHUNKS_MAX = 100;

/** The signal to the batch. `more` goes before what follows from the state. */
export const partitionProgress = (
  { partition }: PartitionInput,
  state: PartitionRunState,
  more: Partial<PartitionProgress>,
): PartitionProgress => ({
  partition,
  sent: state.allSent,
  halt: null,
  needsOperator: operatorChunks(state).slice(0, NAMED_CHUNKS_MAX),
  unconfirmed: state.unconfirmed.size,
  ...more,
});
