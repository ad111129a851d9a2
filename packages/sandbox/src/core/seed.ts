import type { PayoutState } from '@bursar/merchant-api/spec';
import { Refused } from './refusals.ts';
import { type FailingWithdrawal, moveTo, type PayoutMove, type WalkedWithdrawal } from './walk.ts';

/** A withdrawal of a seeded mass payout. `error` is null when it did not fail. */
export type SeededWithdrawal = WalkedWithdrawal &
  Readonly<{
    error: string | null;
    /** It failed, was sent again, and was paid. */
    isErrorResolved: boolean;
  }>;

export type SeedFacts = Readonly<{
  state: PayoutState;
  /** When it moves on. Null: it stays in its state. */
  dueMs: number | null;
  withdrawals: readonly SeededWithdrawal[];
}>;

const ENDED: readonly PayoutState[] = ['COMPLETED', 'PARTIAL', 'FAILED'];

/**
 * Returns the moves that bring a new mass payout into a state: to its first end, then its resend.
 * Throws Refused when the errors do not fit the state.
 */
export function seedMoves(facts: SeedFacts): readonly PayoutMove[] {
  const { state, dueMs, withdrawals } = facts;
  const failing = withdrawals.flatMap((each): (FailingWithdrawal & SeededWithdrawal)[] =>
    each.error === null ? [] : [{ ...each, message: each.error }],
  );
  const resent = failing.filter(({ isErrorResolved }) => isErrorResolved);
  checkErrors(facts, { failed: failing.length - resent.length, all: failing.length });
  if (state === 'CREATION_IN_PROGRESS') return [moveTo(state, dueMs)];
  if (!ENDED.includes(state))
    return [{ ...moveTo(state, dueMs), isReturned: state === 'CANCELED' }];
  const ended = { ...moveTo(state, null), ends: true, failing };
  return resent.length === 0
    ? [ended]
    : [ended, { ...moveTo(state, null), resent, resolved: resent }];
}

function checkErrors(
  { state, withdrawals }: SeedFacts,
  { failed, all }: Readonly<{ failed: number; all: number }>,
): void {
  const fits = {
    COMPLETED: failed === 0,
    PARTIAL: failed > 0 && failed < withdrawals.length,
    FAILED: failed === withdrawals.length,
  };
  const isFit = isEnd(state) ? fits[state] : all === 0;
  if (!isFit) {
    throw new Refused(
      'FIELD_INVALID',
      `withdrawals: ${failed} of ${withdrawals.length} have an error that is not resolved, which does not fit ${state}`,
    );
  }
}

const isEnd = (state: PayoutState): state is 'COMPLETED' | 'PARTIAL' | 'FAILED' =>
  ENDED.includes(state);
