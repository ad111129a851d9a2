/**
 * Where a chunk stands in its partition: `pending` is not created yet, `open` is created and not at its end, `settled` has its
 * outcome, `notSent` will never be sent.
 */
export type ChunkPosition = 'pending' | 'needsOperator' | 'open' | 'settled' | 'notSent';

export type BoardCounts = Readonly<Record<ChunkPosition, number>>;

/** A board as it travels to the next run of its partition. Settled chunks are only counted. */
export type BoardSnapshot = Readonly<{
  pending: readonly number[];
  /** Chunks that wait for a person. Missing in snapshots of older workers, which have them among the pending ones. */
  asked?: readonly number[];
  open: readonly number[];
  settled: number;
  notSent: number;
  /** Chunks that were created, and that the store does not have any more. */
  forgotten: readonly number[];
  stopped: string | null;
  /** Whether the run before showed that an operator is needed; the next one shows whether that still holds. */
  operatorShown?: boolean;
}>;

/** The position of each chunk of a partition, for its workflow alone: what decides about a chunk is in the store. */
export type PartitionBoard = Readonly<{
  positions: ReadonlyMap<number, ChunkPosition>;
  /** Chunks that ended in earlier runs of the partition. */
  settledBefore: number;
  notSentBefore: number;
  forgotten: ReadonlySet<number>;
}>;

export const boardOf = ({
  pending,
  asked = [],
  open,
  settled,
  notSent,
  forgotten,
}: BoardSnapshot): PartitionBoard => ({
  positions: new Map([
    ...pending.map((chunk) => [chunk, 'pending'] as const),
    ...asked.map((chunk) => [chunk, 'needsOperator'] as const),
    ...open.map((chunk) => [chunk, 'open'] as const),
  ]),
  settledBefore: settled,
  notSentBefore: notSent,
  forgotten: new Set(forgotten),
});

/** The board of a partition that did nothing yet. */
export const freshSnapshot = (firstChunk: number, chunkCount: number): BoardSnapshot => ({
  pending: Array.from({ length: chunkCount }, (_, i) => firstChunk + i),
  open: [],
  settled: 0,
  notSent: 0,
  forgotten: [],
  stopped: null,
});

export function moveChunks(
  board: PartitionBoard,
  chunks: readonly number[],
  position: ChunkPosition,
): PartitionBoard {
  const positions = new Map(board.positions);
  for (const chunk of chunks) positions.set(chunk, position);
  return { ...board, positions };
}

/** Takes back a chunk that was created, and that a store does not have since it was brought back from an older copy. */
export function forgetChunk(board: PartitionBoard, chunk: number): PartitionBoard {
  const wasCreated = board.positions.get(chunk) !== 'notSent';
  const { forgotten } = board;
  return {
    ...moveChunks(board, [chunk], 'pending'),
    forgotten: wasCreated ? new Set(forgotten).add(chunk) : forgotten,
  };
}

export const isChunkAt = (
  { positions }: PartitionBoard,
  chunk: number,
  position: ChunkPosition,
): boolean => positions.get(chunk) === position;

export const chunksAt = ({ positions }: PartitionBoard, position: ChunkPosition): number[] =>
  [...positions].filter(([, where]) => where === position).map(([chunk]) => chunk);

export function boardCounts(board: PartitionBoard): BoardCounts {
  const { settledBefore: settled, notSentBefore: notSent } = board;
  const counts = { pending: 0, needsOperator: 0, open: 0, settled, notSent };
  for (const position of board.positions.values()) counts[position] += 1;
  return counts;
}

/** Whether every chunk is at its end. */
export const isBoardDone = ({ positions }: PartitionBoard): boolean =>
  [...positions.values()].every((where) => where === 'settled' || where === 'notSent');

export function boardSnapshot(board: PartitionBoard, stopped: string | null): BoardSnapshot {
  const { settled, notSent } = boardCounts(board);
  return {
    pending: chunksAt(board, 'pending').sort((a, b) => a - b),
    asked: chunksAt(board, 'needsOperator'),
    open: chunksAt(board, 'open'),
    settled,
    notSent,
    forgotten: [...board.forgotten],
    stopped,
  };
}
