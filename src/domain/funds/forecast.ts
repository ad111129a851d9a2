import { formatAmount } from '../money/amount.ts';
import type { Money } from '../plan/rules.ts';
import { type FundsClaim, needsOf, totalOf } from './claim.ts';
import { claimsBefore } from './order.ts';
import { tallyOf } from './tally.ts';

/** A future need for money. */
export type FundsDemand = Readonly<{
  /** The batch, or the schedule and its run. */
  name: string;
  /** Milliseconds since 1970; null, or in the past: now. */
  dueAtMs: number | null;
  /** Rows and fees, by currency. null: unknown. */
  needs: readonly Money[] | null;
  /** Whether it is taken from an earlier run. */
  estimated: boolean;
}>;

/** Money that is kept for a batch whose time comes later, since it is before in the queue. */
export type Kept = Readonly<{ name: string }> & Money;

/** The amounts that the account must carry so that all demands due by then are granted. */
export type ForecastStep = Readonly<{
  /** Milliseconds since 1970. */
  atMs: number;
  demands: readonly FundsDemand[];
  /** The amounts that come before the due demands, apart from their own needs. */
  kept: readonly Kept[];
  /** The rest of each currency that was needed so far, without the kept money; below zero: the amount to top up. */
  left: readonly Money[];
  /** What must be topped up until then, by currency. */
  short: readonly Money[];
  /** Whether it rests on estimates, or leaves an unknown demand out. */
  estimated: boolean;
}>;

export type Wants = Readonly<{
  nowMs: number;
  balances: ReadonlyMap<string, string>;
  claims: readonly FundsClaim[];
  /** Runs of schedules that have not begun: each asks when its time has come. */
  runs: readonly FundsDemand[];
}>;

/**
 * Walks the due times in order, and returns for each the amounts that the balance must carry: the needs of due demands,
 * and the money kept for those before them in the queue. Incoming money is unknown, so a shortfall at one time remains
 * at the next.
 */
export function forecast(wants: Wants): ForecastStep[] {
  const tally = tallyOf<FundsDemand>(wants.balances);
  const atMsOf = ({ dueAtMs }: FundsDemand): number =>
    Math.max(dueAtMs ?? wants.nowMs, wants.nowMs);
  const isLater = (atMs: number) => (demand: FundsDemand) => atMsOf(demand) > atMs;
  let estimated = false;
  return byTime(turnsOf(wants), ({ demand }) => atMsOf(demand)).map(([atMs, turns]) => {
    for (const { demand, first } of turns) {
      estimated ||= demand.estimated || demand.needs === null;
      // A claim that came first matters only where both need the same currency.
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
type Turn = Readonly<{ demand: FundsDemand; first: readonly FundsDemand[] }>;

function turnsOf({ nowMs, claims, runs }: Wants): Turn[] {
  const asked = new Map(claims.map((claim) => [claim, demandOf(claim)]));
  const demandsOf = (some: readonly FundsClaim[]) =>
    some.flatMap((claim) => asked.get(claim) ?? []);
  return [
    ...[...asked].map(([claim, demand]) => ({
      demand,
      first: pays(claim) ? [] : demandsOf(claimsBefore(claims, claim, nowMs)),
    })),
    ...runs.map((demand) => ({ demand, first: [...asked.values()] })),
  ];
}

/** Whether no decision about the batch's money is open. */
const pays = ({ grantedAtMs, waitingSinceMs }: FundsClaim): boolean =>
  grantedAtMs !== null && waitingSinceMs === null;

/** The future need of a batch in the ledger. */
const demandOf = (claim: FundsClaim): FundsDemand => ({
  name: claim.batchId,
  // A granted or asking claim needs its money now.
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
