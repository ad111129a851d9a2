import { blockchainOf } from './core/blockchains.ts';
import { subtract, sum } from './core/decimal.ts';
import { massPayoutEvent } from './core/events.ts';
import { failsWhole } from './core/fates.ts';
import { type WithdrawalCost, creditsOf, debitsOf, type LedgerEntry } from './core/ledger.ts';
import type { Withdrawal } from './core/mass-payout.ts';
import { feeOf, type Tariff } from './core/tariff.ts';
import type { WalkedWithdrawal, PayoutMove, PayoutWalk } from './core/walk.ts';
import type { StoredMassPayout } from './store/mass-payouts.ts';
import type { SandboxStore } from './store/store.ts';
import type { Announcer } from './webhooks/announcer.ts';

/** The parts of the sandbox that a move of a mass payout reads and writes. */
export type MoveContext = Readonly<{
  store: SandboxStore;
  announcer: Announcer;
  /** Milliseconds between two states. */
  stepMs: number;
  /** How many people must confirm the mass payouts of an account. */
  confirmationsOf: (account: string) => number;
}>;

export type MoveDeps = MoveContext & Readonly<{ nowMs: number }>;

/** Returns the facts on which the next move depends. The move happens at `dueMs`. */
export function walkOf(deps: MoveDeps, massPayout: StoredMassPayout, dueMs: number): PayoutWalk {
  const { store, stepMs } = deps;
  const { account, currency, executionDate, tariff } = massPayout;
  const hasEnded = massPayout.endedMs !== null;
  return {
    state: massPayout.state,
    dueMs,
    stepMs,
    executionMs: executionDate === null ? null : Date.parse(executionDate),
    confirmationsNeeded: deps.confirmationsOf(account),
    withdrawalsCount: massPayout.withdrawalsCount,
    hasEnded,
    concerned: hasEnded ? [] : concernedOf(deps, massPayout),
    failed: hasEnded
      ? store.withdrawals
          .unpaid(massPayout.n)
          .map((each) => ({ ...withCost(tariff, each), isResent: each.isResent }))
      : [],
    balance: store.ledger.balanceOf(account, currency),
  };
}

function concernedOf({ store }: MoveDeps, { n, tariff }: StoredMassPayout): WalkedWithdrawal[] {
  const fated = store.withdrawals.fated(n);
  const isWhole = fated.some(({ fate }) => failsWhole(fate));
  return (isWhole ? store.withdrawals.all(n) : fated).map((each) => withCost(tariff, each));
}

const withCost = (tariff: Tariff, { position, fate, amount }: Withdrawal): WalkedWithdrawal => ({
  position,
  fate,
  cost: { amount, fee: feeOf(tariff, amount).total },
});

/** Stores a move and announces it. Call it in a transaction. */
export function applyMove(deps: MoveDeps, massPayout: StoredMassPayout, move: PayoutMove): void {
  const { massPayouts, withdrawals, ledger } = deps.store;
  const { n } = massPayout;
  massPayouts.move(n, {
    state: move.state,
    dueMs: move.dueMs,
    endedMs: move.ends ? deps.nowMs : massPayout.endedMs,
    confirmations: massPayout.confirmations + (move.isConfirmation ? 1 : 0),
  });
  withdrawals.fail(n, move.failing);
  if (move.resent.length > 0) withdrawals.resend(n, move.resent);
  pay(deps, massPayout, move);
  ledger.post(entriesOf(deps, massPayout, move));
  announce(deps, massPayout, move);
}

/** Stores the withdrawals that a move pays, as one movement. */
function pay(deps: MoveDeps, massPayout: StoredMassPayout, move: PayoutMove): void {
  const { movements, withdrawals, wallets } = deps.store;
  const { n, account, currency } = massPayout;
  const paid = paidBy(massPayout, move);
  if (paid.transactions === 0) return;
  const movement = movements.insert({
    ...paid,
    atMs: deps.nowMs,
    account,
    walletAddress: wallets.holderOf(account, blockchainOf(currency)).address,
    currency,
    opCode: 'SETTLEMENT_MASS_WITHDRAWAL',
    massPayout: n,
    isResend: !move.ends,
  });
  if (!move.ends) withdrawals.resolve(n, move.resolved, movement);
}

function paidBy(
  { withdrawalsCount, totalAmount, totalFee }: StoredMassPayout,
  { ends, failing, resolved }: PayoutMove,
): WithdrawalCost & Readonly<{ transactions: number }> {
  if (!ends) return { ...totalOf(resolved), transactions: resolved.length };
  const { amount, fee } = totalOf(failing);
  return {
    transactions: withdrawalsCount - failing.length,
    amount: subtract(totalAmount, amount),
    fee: subtract(totalFee, fee),
  };
}

const totalOf = (withdrawals: readonly WalkedWithdrawal[]): WithdrawalCost => ({
  amount: sum(withdrawals.map(({ cost }) => cost.amount)),
  fee: sum(withdrawals.map(({ cost }) => cost.fee)),
});

function entriesOf(
  { nowMs: atMs }: MoveDeps,
  { account, currency, id: massPayoutId, totalAmount, totalFee }: StoredMassPayout,
  { failing, resent, isReturned }: PayoutMove,
): LedgerEntry[] {
  const placeOf = (position: number | null) => ({
    atMs,
    account,
    currency,
    massPayoutId,
    position,
  });
  const whole = { amount: totalAmount, fee: totalFee };
  return [
    ...(isReturned ? creditsOf(placeOf(null), whole) : []),
    ...failing.flatMap(({ position, cost }) => creditsOf(placeOf(position), cost)),
    ...resent.flatMap(({ position, cost }) => debitsOf(placeOf(position), cost)),
  ];
}

/** Announces each change of state, and the other events of the move. Spec: "Mass payout moves". */
function announce({ announcer }: MoveDeps, massPayout: StoredMassPayout, move: PayoutMove): void {
  const moved = { ...massPayout, state: move.state };
  if (move.state !== massPayout.state) announcer.announce(massPayoutEvent(moved));
  for (const type of move.events) announcer.announce(massPayoutEvent(moved, type));
}
