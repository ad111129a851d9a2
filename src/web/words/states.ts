import { type BatchState, isBatchState } from '../../domain/batch/batch-state.ts';
import type { ShownOutcome } from '../../domain/settling/outcome.ts';

/** The state of a batch or a row for people. `HELD`: a batch that a rule put on hold. `PAUSED`: by a person. */
export type StateWord = BatchState | 'HELD' | 'PAUSED' | 'CANCELING' | 'OPERATOR' | ShownOutcome;

/** The facts that the word of a batch follows from. */
type BatchFacts = Readonly<{
  state: BatchState;
  isOver: boolean;
  holds: readonly Readonly<{ kind: string }>[];
  needsOperator: readonly unknown[];
  canceled?: unknown;
}>;

/** The one word for a batch: a step of a person goes before a step of the engine. */
export function wordOf({ state, isOver, holds, needsOperator, canceled }: BatchFacts): StateWord {
  if (isOver) return state;
  if (needsOperator.length > 0) return 'OPERATOR';
  if (canceled !== undefined) return 'CANCELING';
  if (holds.some(({ kind }) => kind !== 'PAUSE')) return 'HELD';
  return holds.length > 0 ? 'PAUSED' : state;
}

const TONES: Readonly<Record<StateWord, string>> = {
  INGESTING: 'info',
  REJECTED: 'bad',
  PLANNED: 'info',
  AWAITING_APPROVAL: 'wait',
  REFUSED: 'bad',
  SCHEDULED: 'quiet',
  CHECKING_FUNDS: 'info',
  AWAITING_FUNDS: 'wait',
  PAYING: 'info',
  SETTLING: 'info',
  REPORTING: 'info',
  COMPLETED: 'good',
  PARTIAL: 'part',
  FAILED: 'bad',
  CANCELED: 'quiet',
  HELD: 'held',
  PAUSED: 'held',
  CANCELING: 'quiet',
  OPERATOR: 'bad',
  PAID: 'good',
  NOT_SENT: 'quiet',
  UNKNOWN: 'part',
  IN_FLIGHT: 'info',
  NOT_SENT_YET: 'quiet',
};

export const toneOf = (word: StateWord): string => TONES[word];

/** Groups of states for the filter of batches. */
export const STATE_GROUPS = {
  waiting: ['AWAITING_APPROVAL', 'AWAITING_FUNDS', 'SCHEDULED'],
  paying: ['INGESTING', 'PLANNED', 'CHECKING_FUNDS', 'PAYING', 'SETTLING', 'REPORTING'],
  done: ['COMPLETED', 'PARTIAL'],
  stopped: ['FAILED', 'CANCELED', 'REJECTED', 'REFUSED'],
} as const satisfies Record<string, readonly BatchState[]>;

export type StateGroup = keyof typeof STATE_GROUPS;

const isStateGroup = (text: string): text is StateGroup => Object.hasOwn(STATE_GROUPS, text);

/** The states of a group or of one state; undefined: all. */
export const statesOf = (chosen: string): readonly BatchState[] | undefined => {
  if (isStateGroup(chosen)) return STATE_GROUPS[chosen];
  return isBatchState(chosen) ? [chosen] : undefined;
};
