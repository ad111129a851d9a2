import type { Followed } from '../../contract/activities.ts';
import type { AftercareInput } from '../../contract/aftercare.ts';
import { nextFollowMs } from '../../domain/lineage/follow.ts';

/** When the ends of a batch are read next after its report. Times are in milliseconds since 1970. */
export type FollowState = Readonly<{
  /** Chunks that webhooks named, until they are read. */
  hints: ReadonlySet<number>;
  delayMs: number;
  dueMs: number;
  /** Whether a person had the ends read since the wait began, so that the next read may be due at another time. */
  wasRefreshed: boolean;
  /** Whether no end can change any more, or the time is over. */
  isOver: boolean;
}>;

export const followAtStart = ({ hints, delayMs }: AftercareInput, nowMs: number): FollowState => ({
  hints: new Set(hints),
  delayMs,
  dueMs: nowMs + delayMs,
  wasRefreshed: false,
  isOver: false,
});

/** An event that changes when the ends are read. */
export type FollowEvent =
  | Readonly<{ kind: 'hinted'; chunks: readonly number[] }>
  | Readonly<{ kind: 'wait-began' | 'refreshed' | 'hints-taken' }>
  /** `isComplete`: all ends were read, and not only those that webhooks named. */
  | Readonly<{ kind: 'ends-read'; followed: Followed; isComplete: boolean; nowMs: number }>;

/** The state after an event. */
export function applyToFollow(state: FollowState, event: FollowEvent): FollowState {
  switch (event.kind) {
    case 'hinted':
      return { ...state, hints: new Set([...state.hints, ...event.chunks]) };
    case 'hints-taken':
      return { ...state, hints: new Set() };
    case 'wait-began':
      return { ...state, wasRefreshed: false };
    case 'refreshed':
      return { ...state, wasRefreshed: true };
    case 'ends-read':
      return afterRead(state, event);
  }
}

/** The next read comes soon after a change, and later and later while there is none. */
function afterRead(
  state: FollowState,
  { followed, isComplete, nowMs }: Extract<FollowEvent, { kind: 'ends-read' }>,
): FollowState {
  const { firstMs, untilMs, following, changedRows } = followed;
  const changed = changedRows > 0;
  if (!isComplete && !changed) return state;
  const delayMs = nextFollowMs(state.delayMs, { changed, firstMs });
  const isOver = following === 0 || nowMs >= untilMs;
  return { ...state, delayMs, dueMs: nowMs + delayMs, isOver };
}
