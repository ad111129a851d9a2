/**
 * The state of a chunk's sending. Once it is CREATED, the state of its mass payout has the rest.
 *
 * PLANNED -> SENDING -> CREATED | REJECTED | NEEDS_OPERATOR
 * NEEDS_OPERATOR -> SENDING | CREATED | ABANDONED
 * PLANNED -> NOT_SENT
 */
export const CHUNK_STATES = [
  'PLANNED',
  'SENDING',
  'CREATED',
  'REJECTED',
  'NEEDS_OPERATOR',
  'ABANDONED',
  'NOT_SENT',
] as const;

export type ChunkState = (typeof CHUNK_STATES)[number];

/** States in which a chunk's rows may still be paid or its fate is still open. */
export const isOpenChunk = (state: ChunkState, final: boolean): boolean =>
  state === 'CREATED' ? !final : state === 'SENDING' || state === 'NEEDS_OPERATOR';
