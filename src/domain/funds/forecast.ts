import {
  type Amount,
  compareAmounts,
  formatAmount,
  subtractAmounts,
  ZERO,
} from '../money/amount.ts';
import { parseSignedAmount } from '../money/signed-amount.ts';
import type { Money } from '../plan/rules.ts';
import { type Claim, needsOf, totalOf } from './claim.ts';

/** Money that somebody will want. */
export type Demand = Readonly<{
  /** The batch, or the schedule and its run. */
  name: string;
  /** Milliseconds since 1970; null, or in the past: now. */
  dueAtMs: number | null;
  /** Rows and fees, by currency. null: nobody can tell. */
  needs: readonly Money[] | null;
  /** Whether it is taken from an earlier run. */
  estimated: boolean;
}>;

/** What a batch of the ledger will still want. */
export const demandOf = (claim: Claim): Demand => ({
  name: claim.batchId,
  // What was let go, or has asked, is wanted now.
  dueAtMs: claim.askedAtMs === null ? claim.dueAtMs : null,
  needs: needsOf(claim).map((need) => ({
    currency: need.currency,
    amount: formatAmount(totalOf(need)),
  })),
  estimated: false,
});

/** How the account stands once everybody whose time has come by then was paid. */
export type ForecastStep = Readonly<{
  /** Milliseconds since 1970. */
  atMs: number;
  demands: readonly Demand[];
  /** What is left of each currency that was wanted so far; below zero: what must be topped up until then. */
  left: readonly Money[];
  /** What must be topped up until then, by currency. */
  short: readonly Money[];
  /** Whether it rests on estimates, or leaves out what nobody can tell. */
  estimated: boolean;
}>;

/**
 * Walks the due times in order, and tells at each of them what the balance would be. Money that comes in meanwhile is
 * unknown, so what is short at one time is still short at the next.
 */
export function forecast({
  nowMs,
  balances,
  demands,
}: Readonly<{
  nowMs: number;
  balances: ReadonlyMap<string, string>;
  demands: readonly Demand[];
}>): ForecastStep[] {
  const left = new Map<string, Amount>();
  let estimated = false;
  return byDueTime(demands, nowMs).map(([atMs, due]) => {
    for (const demand of due) {
      estimated ||= demand.estimated || demand.needs === null;
      for (const { currency, amount } of demand.needs ?? []) {
        const before = left.get(currency) ?? parseSignedAmount(balances.get(currency) ?? '0');
        left.set(currency, subtractAmounts(before, parseSignedAmount(amount)));
      }
    }
    return {
      atMs,
      demands: due,
      left: [...left].map(([currency, amount]) => ({ currency, amount: formatAmount(amount) })),
      short: [...left].flatMap(([currency, amount]) =>
        compareAmounts(amount, ZERO) < 0
          ? { currency, amount: formatAmount(subtractAmounts(ZERO, amount)) }
          : [],
      ),
      estimated,
    };
  });
}

function byDueTime(demands: readonly Demand[], nowMs: number): [number, Demand[]][] {
  const times = new Map<number, Demand[]>();
  for (const demand of demands) {
    const atMs = Math.max(demand.dueAtMs ?? nowMs, nowMs);
    times.set(atMs, [...(times.get(atMs) ?? []), demand]);
  }
  return [...times].sort(([a], [b]) => a - b);
}
