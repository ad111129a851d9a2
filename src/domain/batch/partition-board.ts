/**
 * The stage of a chunk in its partition: `pending` is not created yet, `open` is created and not at its end, `settled`
 * has its outcome, `notSent` is never sent.
 */
export type ChunkStage = 'pending' | 'needsOperator' | 'open' | 'settled' | 'notSent';

export type BoardCounts = Readonly<Record<ChunkStage, number>>;

/** A board as it travels to the next run of its partition. Settled chunks are only counted. */
export type BoardSnapshot = Readonly<{
  pending: readonly number[];
  open: readonly number[];
  settled: number;
  notSent: number;
  /** Chunks that were created, and that the store no longer has. */
  forgotten: readonly number[];
  stopped: string | null;
  /** Whether the run before showed that an operator is needed; the next one shows whether that still holds. */
  operatorShown?: boolean;
}>;

export type PartitionBoard = ReturnType<typeof createPartitionBoard>;

/** Where each chunk of a partition stands. Pure bookkeeping: the truth about a chunk is in the store. */
export function createPartitionBoard(start: BoardSnapshot) {
  const places = new Map<number, ChunkStage>();
  const forgotten = new Set(start.forgotten);
  for (const chunk of start.pending) places.set(chunk, 'pending');
  for (const chunk of start.open) places.set(chunk, 'open');
  const at = (place: ChunkStage): number[] =>
    [...places].filter(([, where]) => where === place).map(([chunk]) => chunk);
  const counts = (): BoardCounts => ({
    pending: at('pending').length,
    needsOperator: at('needsOperator').length,
    open: at('open').length,
    settled: start.settled + at('settled').length,
    notSent: start.notSent + at('notSent').length,
  });
  return {
    at,
    counts,
    move(chunk: number, place: ChunkStage): void {
      places.set(chunk, place);
    },
    /** Takes a created chunk back that an older copy of the store does not have. */
    forget(chunk: number): void {
      if (places.get(chunk) !== 'notSent') forgotten.add(chunk);
      places.set(chunk, 'pending');
    },
    isForgotten: (chunk: number): boolean => forgotten.has(chunk),
    isAt: (chunk: number, place: ChunkStage): boolean => places.get(chunk) === place,
    /** Whether there is nothing left to send and nothing left to read. */
    isDone: (): boolean =>
      [...places.values()].every((place) => place === 'settled' || place === 'notSent'),
    snapshot: (stopped: string | null): BoardSnapshot => ({
      pending: [...at('pending'), ...at('needsOperator')].sort((a, b) => a - b),
      open: at('open'),
      settled: counts().settled,
      notSent: counts().notSent,
      forgotten: [...forgotten],
      stopped,
    }),
  };
}

/** The board of a partition that nothing was done for yet. */
export const freshSnapshot = (firstChunk: number, chunkCount: number): BoardSnapshot => ({
  pending: Array.from({ length: chunkCount }, (_, i) => firstChunk + i),
  open: [],
  settled: 0,
  notSent: 0,
  forgotten: [],
  stopped: null,
});
