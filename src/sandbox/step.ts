import { massPayoutEvent } from './core/events.ts';
import { isFateOf } from './core/fates.ts';
import { creditsOf, debitsOf } from './core/ledger.ts';
import type { Withdrawal } from './core/mass-payout.ts';
import { feeOf } from './core/tariff.ts';
import { type Concerned, type Move, nextMove, type Walk } from './core/walk.ts';
import type { StoredMassPayout } from './store/mass-payouts.ts';
import type { Store } from './store/store.ts';
import type { Announcer } from './webhooks/announcer.ts';

export type StepDeps = Readonly<{
  store: Pick<Store, 'massPayouts' | 'withdrawals' | 'ledger'>;
  announcer: Announcer;
  nowMs: number;
  /** Milliseconds between two states. */
  stepMs: number;
}>;

/** Takes the step of a mass payout that is due; called in a transaction. */
export function takeStep(deps: StepDeps, massPayout: StoredMassPayout): void {
  applyMove(deps, massPayout, nextMove(walkOf(deps, massPayout), deps.stepMs));
}

function walkOf({ store, nowMs }: StepDeps, massPayout: StoredMassPayout): Walk {
  const { n, account, currency, executionDate, tariff } = massPayout;
  const fated = store.withdrawals.fated(n);
  const failsWhole = fated.some(({ fate }) => isFateOf('FAIL_MASS_PAYOUT', fate));
  const concerned = failsWhole ? store.withdrawals.all(n) : fated;
  return {
    state: massPayout.state,
    dueMs: massPayout.dueMs ?? nowMs,
    executionMs: executionDate === null ? null : Date.parse(executionDate),
    withdrawalsCount: massPayout.withdrawalsCount,
    concerned: concerned.map(({ position, fate, amount }: Withdrawal) => ({
      position,
      fate,
      cost: { amount, fee: feeOf(tariff, amount).total },
    })),
    balance: store.ledger.balanceOf(account, currency),
  };
}

function applyMove(deps: StepDeps, massPayout: StoredMassPayout, move: Move): void {
  const { massPayouts, withdrawals, ledger } = deps.store;
  const { n, account, currency, id: massPayoutId } = massPayout;
  const placeOf = ({ position }: Concerned) => ({
    atMs: deps.nowMs,
    account,
    currency,
    massPayoutId,
    position,
  });
  massPayouts.move(n, move);
  withdrawals.fail(n, move.failing);
  withdrawals.resolve(n, move.resent);
  ledger.post([
    ...move.failing.flatMap((failed) => creditsOf(placeOf(failed), failed.cost)),
    ...move.resent.flatMap((resent) => debitsOf(placeOf(resent), resent.cost)),
  ]);
  if (move.state !== massPayout.state) {
    deps.announcer.announce(massPayoutEvent({ ...massPayout, state: move.state }));
  }
}
