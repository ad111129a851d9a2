/** Where a batch stands. `NEEDS_OPERATOR` is a flag on an open state and never one of these. */
export const BATCH_STATES = [
  'INGESTING',
  'REJECTED',
  'PLANNED',
  'AWAITING_APPROVAL',
  'REFUSED',
  'SCHEDULED',
  'CHECKING_FUNDS',
  'AWAITING_FUNDS',
  'PAYING',
  'SETTLING',
  'REPORTING',
  'COMPLETED',
  'PARTIAL',
  'FAILED',
  'CANCELED',
] as const;

export type BatchState = (typeof BATCH_STATES)[number];

export const isBatchState = (text: string): text is BatchState =>
  (BATCH_STATES as readonly string[]).includes(text);

/** The states that a batch never leaves. */
export const END_STATES = [
  'REJECTED',
  'REFUSED',
  'COMPLETED',
  'PARTIAL',
  'FAILED',
  'CANCELED',
] as const satisfies readonly BatchState[];

export type EndState = (typeof END_STATES)[number];

export const isEndState = (state: BatchState): state is EndState =>
  (END_STATES as readonly string[]).includes(state);

/** The moves of a batch; every other move is a bug. */
const MOVES: Readonly<Record<BatchState, readonly BatchState[]>> = {
  INGESTING: ['PLANNED', 'REPORTING'],
  // From PLANNED straight to PAYING goes only a batch that had begun to pay before.
  PLANNED: ['AWAITING_APPROVAL', 'SCHEDULED', 'CHECKING_FUNDS', 'PAYING', 'REPORTING'],
  // A reason to wait can come back while the batch waits for another one, and clocks can be set back.
  AWAITING_APPROVAL: ['SCHEDULED', 'CHECKING_FUNDS', 'AWAITING_FUNDS', 'REPORTING'],
  // An approval can lapse before the time comes.
  SCHEDULED: ['AWAITING_APPROVAL', 'CHECKING_FUNDS', 'REPORTING'],
  CHECKING_FUNDS: ['AWAITING_APPROVAL', 'SCHEDULED', 'AWAITING_FUNDS', 'PAYING', 'REPORTING'],
  AWAITING_FUNDS: ['AWAITING_APPROVAL', 'CHECKING_FUNDS', 'REPORTING'],
  PAYING: ['SETTLING'],
  SETTLING: ['REPORTING'],
  REPORTING: ['REJECTED', 'REFUSED', 'COMPLETED', 'PARTIAL', 'FAILED', 'CANCELED'],
  REJECTED: [],
  REFUSED: [],
  COMPLETED: [],
  PARTIAL: [],
  FAILED: [],
  CANCELED: [],
};

export const mayMove = (from: BatchState, to: BatchState): boolean => MOVES[from].includes(to);
