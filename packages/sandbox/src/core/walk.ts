import type { EventType, PayoutState } from '@bursar/merchant-api/spec';
import { add, type Decimal, isNegative, subtract, sum } from './decimal.ts';
import { FATES, type FateCode, type FateKind, isFateOf } from './fates.ts';
import type { Cost } from './ledger.ts';

/** Steps that a mass payout stays in WAITING_COMPLETION_ERRORS. */
const WAITING_STEPS = 3;
/** Steps that a mass payout is not sent to the network, with the address code 0006. */
const NOT_SENT_STEPS = 3;
/** Steps from the failure of a withdrawal with the address code 0004 until it is sent again. */
const RESEND_STEPS = 3;

/** What the next step of a mass payout depends on. */
export type PayoutWalk = Readonly<{
  state: PayoutState;
  dueMs: number;
  /** Milliseconds between two states. */
  stepMs: number;
  /** The payout is not sent to the network before this time. */
  executionMs: number | null;
  /** How many people must confirm it; 0: it is confirmed automatically. */
  confirmationsNeeded: number;
  withdrawalsCount: number;
  /** It has ended before; what was paid then stays paid. */
  hasEnded: boolean;
  /**
   * The withdrawals whose addresses ask for a fate; all of them where one asks for the whole mass
   * payout to fail.
   */
  concerned: readonly Concerned[];
  /** After the end: the withdrawals that failed and are not paid yet. */
  failed: readonly Failed[];
  balance: Decimal;
}>;

export type Concerned = Readonly<{ position: number; fate: FateCode | null; cost: Cost }>;

/** `isResent`: it was sent again, and is on its way. */
export type Failed = Concerned & Readonly<{ isResent: boolean }>;

export type Failing = Concerned & Readonly<{ message: string }>;

export type Move = Readonly<{
  state: PayoutState;
  dueMs: number | null;
  /** The first end: every withdrawal that does not fail now is paid now. */
  ends: boolean;
  /** Withdrawals that fail now and are credited back. */
  failing: readonly Failing[];
  /** Failed withdrawals that are debited and sent again now. */
  resent: readonly Concerned[];
  /** Withdrawals that were sent again and are paid now. */
  resolved: readonly Concerned[];
  /** One more person has confirmed it. */
  isConfirmation: boolean;
  /** Everything is credited back, because nothing was sent. */
  isReturned: boolean;
  /** What happened besides the change of state. */
  events: readonly EventType[];
}>;

/**
 * The step that is due. Due times follow from due times and not from the clock, so a late step
 * changes nothing.
 */
export function nextMove(walk: PayoutWalk): Move {
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

export const moveTo = (state: PayoutState, dueMs: number | null): Move => ({
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

/** Its next step is a reminder, at the execution date; only people move it on. */
const awaitConfirmation = (walk: PayoutWalk): Move => ({
  ...moveTo('PENDING_CONFIRMATION', walk.executionMs === null ? null : sendingMs(walk)),
  events: ['PAYOUT_CREATED_NOT_APPROVED'],
});

export const confirmed = (walk: PayoutWalk): Move => moveTo('CONFIRMED', sendingMs(walk));

const sendingMs = (walk: PayoutWalk): number =>
  Math.max(afterSteps(walk, 1), walk.executionMs ?? 0);

/**
 * ASSUMED: what fails the validation before creation on the network has FAILED; the spec names no
 * state.
 */
function send(walk: PayoutWalk): Move {
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

function wait(walk: PayoutWalk): Move {
  if (withFate(walk.concerned, 'HOLD').length > 0) return moveTo('WAITING_COMPLETION_ERRORS', null);
  return withFate(walk.concerned, 'WAIT').length > 0
    ? moveTo('WAITING_COMPLETION_ERRORS', afterSteps(walk, WAITING_STEPS))
    : end(walk);
}

/** The first end of a mass payout. */
export function end(walk: PayoutWalk): Move {
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

const failWhole = (walk: PayoutWalk, message: string): Move => ({
  ...moveTo('FAILED', null),
  ends: true,
  failing: walk.concerned.map((withdrawal) => ({ ...withdrawal, message })),
});

/** As a person does it in the service's interface; without the funds it is not tried again. */
function resendByItself(walk: PayoutWalk): Move {
  const resent = withFate(walk.failed, 'FAIL_THEN_PAY');
  if (!covers(walk.balance, resent)) return moveTo(walk.state, null);
  const left = walk.failed.length - resent.length;
  return { ...moveTo(endState(walk, left), null), resent, resolved: resent };
}

/** ASSUMED: what a person sends again is paid, whatever its address asked for at first. */
function endResend(walk: PayoutWalk): Move {
  const resolved = walk.failed.filter(({ isResent }) => isResent);
  const left = walk.failed.filter(({ isResent }) => !isResent);
  return { ...moveTo(endState(walk, left.length), resendDueMs(walk, left)), resolved };
}

const resendDueMs = (walk: PayoutWalk, failed: readonly Concerned[]): number | null =>
  withFate(failed, 'FAIL_THEN_PAY').length > 0 ? afterSteps(walk, RESEND_STEPS) : null;

/** Whether a balance suffices to debit these withdrawals. */
export function covers(balance: Decimal, withdrawals: readonly Concerned[]): boolean {
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

const withFate = <Some extends Concerned>(withdrawals: readonly Some[], kind: FateKind): Some[] =>
  withdrawals.filter(({ fate }) => isFateOf(kind, fate));
