import { Refused } from './refusals.ts';
import { confirmed, covers, end, type PayoutMove, moveTo, type PayoutWalk } from './walk.ts';

/** An action of a person on a mass payout in the service's own interface. */
export type PersonAction =
  | Readonly<{ kind: 'confirm' }>
  | Readonly<{ kind: 'decline' }>
  /** Resends failed withdrawals: those at these positions, or all. */
  | Readonly<{ kind: 'resend'; positions: readonly number[] | null }>
  | Readonly<{ kind: 'end-waiting' }>;

/** The facts on which `decidePersonAction` decides. */
export type PersonActionFacts = Readonly<{
  /** Its `dueMs` is the time of the action. */
  walk: PayoutWalk;
  /** How many people have confirmed so far. */
  confirmations: number;
  /** When the next step was due before the action. */
  dueMs: number | null;
}>;

/**
 * Returns the move that an action causes. Throws Refused when the state or the funds do not allow
 * it.
 */
export function decidePersonAction(action: PersonAction, facts: PersonActionFacts): PayoutMove {
  switch (action.kind) {
    case 'confirm':
      return confirm(facts);
    case 'decline':
      demandState(facts, ['PENDING_CONFIRMATION']);
      return { ...moveTo('CANCELED', null), isReturned: true };
    case 'resend':
      return resend(facts, action.positions);
    case 'end-waiting':
      demandState(facts, ['WAITING_COMPLETION_ERRORS']);
      return end(facts.walk);
  }
}

function confirm(facts: PersonActionFacts): PayoutMove {
  demandState(facts, ['PENDING_CONFIRMATION']);
  const { walk, confirmations, dueMs } = facts;
  const move: PayoutMove =
    confirmations + 1 < walk.confirmationsNeeded
      ? { ...moveTo(walk.state, dueMs), events: ['PAYOUT_CREATED_PARTLY_APPROVED'] }
      : { ...confirmed(walk), events: ['PAYOUT_CONFIRMED'] };
  return { ...move, isConfirmation: true };
}

/**
 * ASSUMED: the spec does not show the states of a resend. Here the mass payout is IN_PROGRESS
 * again.
 */
function resend(facts: PersonActionFacts, positions: readonly number[] | null): PayoutMove {
  demandState(facts, ['PARTIAL', 'FAILED']);
  const { walk } = facts;
  const wanted = positions === null ? null : new Set(positions);
  const resent = walk.failed.filter(({ position }) => wanted === null || wanted.has(position));
  if (resent.length === 0 || (wanted !== null && resent.length !== wanted.size)) {
    throw new Refused('FIELD_INVALID', 'positions: must name withdrawals that failed');
  }
  if (!covers(walk.balance, resent)) throw new Refused('INSUFFICIENT_FUNDS');
  return { ...moveTo('IN_PROGRESS', walk.dueMs + walk.stepMs), resent };
}

function demandState({ walk }: PersonActionFacts, allowed: readonly string[]): void {
  if (allowed.includes(walk.state)) return;
  throw new Refused(
    'STATE_CONFLICT',
    `The state is ${walk.state}, but must be ${allowed.join(' or ')}.`,
  );
}
