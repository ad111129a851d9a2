import { formatAmount } from '../money/amount.ts';
import type { Money } from '../plan/rules.ts';
import { type Claim, needsOf, totalOf } from './claim.ts';
import { claimsBefore } from './order.ts';
import { tallyOf } from './tally.ts';

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

/** Money that is kept for a batch whose time comes later, as it asked first. */
export type Kept = Readonly<{ name: string }> & Money;

/** What the account must carry for everybody to be let go whose time has come by then. */
export type ForecastStep = Readonly<{
  /** Milliseconds since 1970. */
  atMs: number;
  demands: readonly Demand[];
  /** What stands before those who are due by then, beside what they need themselves. */
  kept: readonly Kept[];
  /** What is left of each currency that was wanted so far, without what is kept; below zero: what must be topped up. */
  left: readonly Money[];
  /** What must be topped up until then, by currency. */
  short: readonly Money[];
  /** Whether it rests on estimates, or leaves out what nobody can tell. */
  estimated: boolean;
}>;

export type Wants = Readonly<{
  nowMs: number;
  balances: ReadonlyMap<string, string>;
  claims: readonly Claim[];
  /** Runs of schedules that have not begun: each asks when its time has come. */
  runs: readonly Demand[];
}>;

/**
 * Walks the due times in order, and tells at each of them what the balance must carry: what those need whose time has
 * come, and what is kept for those who asked before them. Money that comes in meanwhile is unknown, so what is short at
 * one time is still short at the next.
 */
export function forecast(wants: Wants): ForecastStep[] {
  const tally = tallyOf<Demand>(wants.balances);
  const atMsOf = ({ dueAtMs }: Demand): number => Math.max(dueAtMs ?? wants.nowMs, wants.nowMs);
  const isLater = (atMs: number) => (demand: Demand) => atMsOf(demand) > atMs;
  let estimated = false;
  return byTime(turnsOf(wants), ({ demand }) => atMsOf(demand)).map(([atMs, turns]) => {
    for (const { demand, first } of turns) {
      estimated ||= demand.estimated || demand.needs === null;
      // Whoever asked first stands in the way only where both want the same currency.
      for (const { currency } of demand.needs ?? []) tally.count([...first, demand], currency);
    }
    return {
      atMs,
      demands: turns.map(({ demand }) => demand),
      kept: tally.counted(isLater(atMs)),
      ...tally.standing(),
      estimated,
    };
  });
}

/** A demand, and those whose money must be there too before it is met. */
type Turn = Readonly<{ demand: Demand; first: readonly Demand[] }>;

function turnsOf({ nowMs, claims, runs }: Wants): Turn[] {
  const asked = new Map(claims.map((claim) => [claim, demandOf(claim)]));
  const demandsOf = (some: readonly Claim[]) => some.flatMap((claim) => asked.get(claim) ?? []);
  return [
    ...[...asked].map(([claim, demand]) => ({
      demand,
      first: pays(claim) ? [] : demandsOf(claimsBefore(claims, claim, nowMs)),
    })),
    ...runs.map((demand) => ({ demand, first: [...asked.values()] })),
  ];
}

/** Whether nothing is asked about the batch's money any more. */
const pays = ({ grantedAtMs, waitingSinceMs }: Claim): boolean =>
  grantedAtMs !== null && waitingSinceMs === null;

/** What a batch of the ledger will still want. */
const demandOf = (claim: Claim): Demand => ({
  name: claim.batchId,
  // What was let go, or has asked, is wanted now.
  dueAtMs: claim.askedAtMs === null ? claim.dueAtMs : null,
  needs: needsOf(claim).map((need) => ({
    currency: need.currency,
    amount: formatAmount(totalOf(need)),
  })),
  estimated: false,
});

function byTime<T>(all: readonly T[], atMsOf: (one: T) => number): [number, T[]][] {
  const times = new Map<number, T[]>();
  for (const one of all) {
    const atMs = atMsOf(one);
    times.set(atMs, [...(times.get(atMs) ?? []), one]);
  }
  return [...times].sort(([a], [b]) => a - b);
}
