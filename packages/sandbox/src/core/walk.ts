import type { EventType, PayoutState } from '@bursar/merchant-api/spec';
import { add, type Decimal, isNegative, subtract, sum } from './decimal.ts';
import { FATES, type FateCode, type FateKind, isFateOf } from './fates.ts';
import type { WithdrawalCost } from './ledger.ts';

/** Steps that a mass payout stays in WAITING_COMPLETION_ERRORS. */
const WAITING_STEPS = 3;
/** Steps before a mass payout with the address code 0006 is sent to the network. */
const NOT_SENT_STEPS = 3;
/** Steps between the failure of a withdrawal with the address code 0004 and its resend. */
const RESEND_STEPS = 3;

/** The facts on which the next step of a mass payout depends. */
export type PayoutWalk = Readonly<{
  state: PayoutState;
  dueMs: number;
  /** Milliseconds between two states. */
  stepMs: number;
  /** The payout is not sent to the network before this time. */
  executionMs: number | null;
  /** How many people must confirm it. 0: the sandbox confirms it. */
  confirmationsNeeded: number;
  withdrawalsCount: number;
  /** It ended before. Withdrawals that were paid then stay paid. */
  hasEnded: boolean;
  /**
   * The withdrawals whose addresses have a code. If one code makes the whole mass payout fail, all
   * withdrawals.
   */
  concerned: readonly WalkedWithdrawal[];
  /** After the end: the withdrawals that failed and are not paid yet. */
  failed: readonly FailedWithdrawal[];
  balance: Decimal;
}>;

export type WalkedWithdrawal = Readonly<{
  position: number;
  fate: FateCode | null;
  cost: WithdrawalCost;
}>;

/** `isResent`: it was sent again, and is not paid yet. */
export type FailedWithdrawal = WalkedWithdrawal & Readonly<{ isResent: boolean }>;

export type FailingWithdrawal = WalkedWithdrawal & Readonly<{ message: string }>;

export type PayoutMove = Readonly<{
  state: PayoutState;
  dueMs: number | null;
  /** The first end: it pays every withdrawal that does not fail. */
  ends: boolean;
  /** Withdrawals that fail now. Their amounts and fees are credited back. */
  failing: readonly FailingWithdrawal[];
  /** Failed withdrawals that are debited and sent again now. */
  resent: readonly WalkedWithdrawal[];
  /** Withdrawals that were sent again and are paid now. */
  resolved: readonly WalkedWithdrawal[];
  /** One more person has confirmed it. */
  isConfirmation: boolean;
  /** Everything is credited back, because nothing was sent. */
  isReturned: boolean;
  /** The events besides the change of state. */
  events: readonly EventType[];
}>;

/**
 * Returns the step that is due. Each due time follows from the one before it and not from the
 * clock, so a late step changes nothing.
 */
export function nextMove(walk: PayoutWalk): PayoutMove {
  switch (walk.state) {
    case 'CREATION_IN_PROGRESS':
      return walk.confirmationsNeeded > 0 ? awaitConfirmation(walk) : confirmed(walk);
    case 'PENDING_CONFIRMATION':
      return { ...moveTo(walk.state, null), events: ['PAYOUT_NO_CONFIRMATION_FOR_PAYOUT_TO_DATE'] };
    case 'CONFIRMED':
      return send(walk);
    case 'IN_PROGRESS':
      return walk.hasEnded ? endResend(walk) : wait(walk);
    case 'WAITING_COMPLETION_ERRORS':
      return end(walk);
    case 'PARTIAL':
    case 'FAILED':
      return resendByItself(walk);
    default:
      return moveTo(walk.state, null);
  }
}

const afterSteps = ({ dueMs, stepMs }: PayoutWalk, steps: number): number => dueMs + steps * stepMs;

export const moveTo = (state: PayoutState, dueMs: number | null): PayoutMove => ({
  state,
  dueMs,
  ends: false,
  failing: [],
  resent: [],
  resolved: [],
  isConfirmation: false,
  isReturned: false,
  events: [],
});

/** Its next step is a reminder, at the execution date. Only a person can change its state. */
const awaitConfirmation = (walk: PayoutWalk): PayoutMove => ({
  ...moveTo('PENDING_CONFIRMATION', walk.executionMs === null ? null : sendingMs(walk)),
  events: ['PAYOUT_CREATED_NOT_APPROVED'],
});

export const confirmed = (walk: PayoutWalk): PayoutMove => moveTo('CONFIRMED', sendingMs(walk));

const sendingMs = (walk: PayoutWalk): number =>
  Math.max(afterSteps(walk, 1), walk.executionMs ?? 0);

/**
 * ASSUMED: a mass payout that fails the validation before its creation on the network is FAILED.
 * The spec names no state.
 */
function send(walk: PayoutWalk): PayoutMove {
  if (withFate(walk.concerned, 'INVALID').length > 0) {
    return { ...failWhole(walk, FATES['0005'].message), events: ['PAYOUT_VALIDATION_ERROR'] };
  }
  return withFate(walk.concerned, 'NOT_SENT').length > 0
    ? {
        ...moveTo('IN_PROGRESS', afterSteps(walk, 1 + NOT_SENT_STEPS)),
        events: ['PAYOUT_IN_PROGRESS_NOT_SENT'],
      }
    : moveTo('IN_PROGRESS', afterSteps(walk, 1));
}

function wait(walk: PayoutWalk): PayoutMove {
  if (withFate(walk.concerned, 'HOLD').length > 0) return moveTo('WAITING_COMPLETION_ERRORS', null);
  return withFate(walk.concerned, 'WAIT').length > 0
    ? moveTo('WAITING_COMPLETION_ERRORS', afterSteps(walk, WAITING_STEPS))
    : end(walk);
}

/** Returns the first end of a mass payout. */
export function end(walk: PayoutWalk): PayoutMove {
  if (withFate(walk.concerned, 'FAIL_MASS_PAYOUT').length > 0) {
    return failWhole(walk, FATES['0009'].message);
  }
  const failing = walk.concerned.flatMap((withdrawal) => {
    const message = failureOf(withdrawal.fate);
    return message === null ? [] : [{ ...withdrawal, message }];
  });
  const state = endState(walk, failing.length);
  return { ...moveTo(state, resendDueMs(walk, failing)), ends: true, failing };
}

const failWhole = (walk: PayoutWalk, message: string): PayoutMove => ({
  ...moveTo('FAILED', null),
  ends: true,
  failing: walk.concerned.map((withdrawal) => ({ ...withdrawal, message })),
});

/** Resends as a person does it in the service's interface. Without the funds it gives up. */
function resendByItself(walk: PayoutWalk): PayoutMove {
  const resent = withFate(walk.failed, 'FAIL_THEN_PAY');
  if (!covers(walk.balance, resent)) return moveTo(walk.state, null);
  const left = walk.failed.length - resent.length;
  return { ...moveTo(endState(walk, left), null), resent, resolved: resent };
}

/** ASSUMED: a withdrawal that a person resends is paid, whichever code its address has. */
function endResend(walk: PayoutWalk): PayoutMove {
  const resolved = walk.failed.filter(({ isResent }) => isResent);
  const left = walk.failed.filter(({ isResent }) => !isResent);
  return { ...moveTo(endState(walk, left.length), resendDueMs(walk, left)), resolved };
}

const resendDueMs = (walk: PayoutWalk, failed: readonly WalkedWithdrawal[]): number | null =>
  withFate(failed, 'FAIL_THEN_PAY').length > 0 ? afterSteps(walk, RESEND_STEPS) : null;

/** Whether a balance is enough to debit these withdrawals. */
export function covers(balance: Decimal, withdrawals: readonly WalkedWithdrawal[]): boolean {
  const needed = sum(withdrawals.map(({ cost }) => add(cost.amount, cost.fee)));
  return !isNegative(subtract(balance, needed));
}

function failureOf(fate: FateCode | null): string | null {
  if (fate === null) return null;
  const { kind, message } = FATES[fate];
  return kind === 'FAIL' || kind === 'FAIL_THEN_PAY' ? message : null;
}

function endState({ withdrawalsCount }: PayoutWalk, failed: number): PayoutState {
  if (failed === 0) return 'COMPLETED';
  return failed === withdrawalsCount ? 'FAILED' : 'PARTIAL';
}

const withFate = <Some extends WalkedWithdrawal>(
  withdrawals: readonly Some[],
  kind: FateKind,
): Some[] => withdrawals.filter(({ fate }) => isFateOf(kind, fate));
