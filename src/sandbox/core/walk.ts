import type { PayoutState } from '../../spec/states.ts';
import { add, type Decimal, isNegative, subtract, sum } from './decimal.ts';
import { FATES, type FateCode, type FateKind, isFateOf } from './fates.ts';
import type { Cost } from './ledger.ts';

/** Steps that a mass payout stays in WAITING_COMPLETION_ERRORS. */
const WAITING_STEPS = 3;
/** Steps from the failure of a withdrawal with the address code 0004 until it is sent again. */
const RESEND_STEPS = 3;

/** What the next step of a mass payout depends on. */
export type Walk = Readonly<{
  state: PayoutState;
  dueMs: number;
  /** The payout is not sent to the network before this time. */
  executionMs: number | null;
  withdrawalsCount: number;
  /**
   * The withdrawals whose addresses ask for a fate; all of them where one asks for the whole mass
   * payout to fail.
   */
  concerned: readonly Concerned[];
  balance: Decimal;
}>;

export type Concerned = Readonly<{ position: number; fate: FateCode | null; cost: Cost }>;

export type Move = Readonly<{
  state: PayoutState;
  dueMs: number | null;
  /** Withdrawals that fail now and are credited back. */
  failing: readonly Failing[];
  /** Failed withdrawals that are debited and sent again now. */
  resent: readonly Concerned[];
}>;

export type Failing = Concerned & Readonly<{ message: string }>;

/**
 * The step that is due. Due times follow from due times and not from the clock, so a late step
 * changes nothing.
 */
export function nextMove(walk: Walk, stepMs: number): Move {
  const afterSteps = (steps: number): number => walk.dueMs + steps * stepMs;
  switch (walk.state) {
    case 'CREATION_IN_PROGRESS':
      return moveTo('CONFIRMED', Math.max(afterSteps(1), walk.executionMs ?? 0));
    case 'CONFIRMED':
      return moveTo('IN_PROGRESS', afterSteps(1));
    case 'IN_PROGRESS':
      return withFate(walk, 'WAIT').length > 0
        ? moveTo('WAITING_COMPLETION_ERRORS', afterSteps(WAITING_STEPS))
        : end(walk, afterSteps(RESEND_STEPS));
    case 'WAITING_COMPLETION_ERRORS':
      return end(walk, afterSteps(RESEND_STEPS));
    case 'PARTIAL':
    case 'FAILED':
      return resend(walk);
    default:
      return moveTo(walk.state, null);
  }
}

const moveTo = (state: PayoutState, dueMs: number | null): Move => ({
  state,
  dueMs,
  failing: [],
  resent: [],
});

function end(walk: Walk, resendDueMs: number): Move {
  if (withFate(walk, 'FAIL_MASS_PAYOUT').length > 0) {
    const { message } = FATES['0009'];
    const failing = walk.concerned.map((withdrawal) => ({ ...withdrawal, message }));
    return { ...moveTo('FAILED', null), failing };
  }
  const failing = walk.concerned.flatMap((withdrawal) => {
    const message = failureOf(withdrawal.fate);
    return message === null ? [] : [{ ...withdrawal, message }];
  });
  const dueMs = withFate(walk, 'FAIL_THEN_PAY').length > 0 ? resendDueMs : null;
  return { ...moveTo(endState(walk, failing.length), dueMs), failing };
}

/** As a person does it in the service's interface; without the funds it is not tried again. */
function resend(walk: Walk): Move {
  const resent = withFate(walk, 'FAIL_THEN_PAY');
  const needed = sum(resent.map(({ cost }) => add(cost.amount, cost.fee)));
  if (isNegative(subtract(walk.balance, needed))) return moveTo(walk.state, null);
  return { ...moveTo(endState(walk, withFate(walk, 'FAIL').length), null), resent };
}

function failureOf(fate: FateCode | null): string | null {
  if (fate === null) return null;
  const { kind, message } = FATES[fate];
  return kind === 'FAIL' || kind === 'FAIL_THEN_PAY' ? message : null;
}

function endState(walk: Walk, failed: number): PayoutState {
  if (failed === 0) return 'COMPLETED';
  return failed === walk.withdrawalsCount ? 'FAILED' : 'PARTIAL';
}

const withFate = (walk: Walk, kind: FateKind): readonly Concerned[] =>
  walk.concerned.filter(({ fate }) => isFateOf(kind, fate));
