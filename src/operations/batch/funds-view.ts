import type { Store } from '../../store/index.ts';
import { type AccountLine, accountLines } from '../../domain/funds/account-lines.ts';
import {
  type FundsClaim,
  type ClaimStage,
  type Need,
  needsOf,
  stageOf,
} from '../../domain/funds/claim.ts';
import { forecast, type FundsDemand, type Kept } from '../../domain/funds/forecast.ts';
import type { Money } from '../../domain/plan/rules.ts';

/** A batch that needs money of the account. Instants are ISO 8601 in UTC; null: not reached yet. */
export type ClaimView = Readonly<{
  batchId: string;
  stage: ClaimStage;
  due: string | null;
  askedAt: string | null;
  grantedAt: string | null;
  needs: readonly Need[];
  /** Whether Temporal runs its workflow; null when Temporal did not answer. */
  running: boolean | null;
}>;

export type ForecastView = Readonly<{
  at: string;
  demands: readonly Readonly<{
    name: string;
    needs: readonly Money[] | null;
    estimated: boolean;
  }>[];
  kept: readonly Kept[];
  left: readonly Money[];
  short: readonly Money[];
  estimated: boolean;
}>;

/** The JSON of `bursar funds`, without its schema. */
export type FundsView = Readonly<{
  account: string;
  at: string;
  currencies: readonly AccountLine[];
  claims: readonly ClaimView[];
  forecast: readonly ForecastView[];
}>;

/** Returns the claims on an account, and the times when its balance is too low. */
export function fundsView({
  account,
  nowMs,
  balances,
  claims,
  runs,
  isRunning,
}: Readonly<{
  account: string;
  nowMs: number;
  balances: ReadonlyMap<string, string>;
  claims: readonly FundsClaim[];
  runs: readonly FundsDemand[];
  isRunning(batchId: string): boolean | null;
}>): FundsView {
  const wanting = claims.filter(({ open }) => open.length > 0);
  return {
    account,
    at: iso(nowMs),
    currencies: accountLines(balances, wanting),
    claims: wanting.map((claim) => ({
      batchId: claim.batchId,
      stage: stageOf(claim, nowMs),
      due: isoOrNull(claim.dueAtMs),
      askedAt: isoOrNull(claim.askedAtMs),
      grantedAt: isoOrNull(claim.grantedAtMs),
      needs: needsOf(claim),
      running: isRunning(claim.batchId),
    })),
    forecast: forecast({ nowMs, balances, claims: wanting, runs }).map(({ atMs, ...step }) => ({
      at: iso(atMs),
      ...step,
      demands: step.demands.map(({ name, needs, estimated }) => ({ name, needs, estimated })),
    })),
  };
}

const iso = (ms: number): string => new Date(ms).toISOString();
const isoOrNull = (ms: number | null): string | null => (ms === null ? null : iso(ms));

/** A span of time in milliseconds since 1970. */
type DueSpan = Readonly<{ afterMs: number; untilMs: number }>;

/** A span of time, and the maximum number of instants to return. */
type DueWindow = DueSpan & Readonly<{ max: number }>;

/** When runs of a schedule are due that have not begun, from its definition as the store keeps it. */
export type DueTimes = (definitionJson: string, window: DueWindow) => readonly number[];

/** Runs of one schedule that the forecast reads. */
const RUNS_MAX = 100;

/** The money that schedules will need in a span of time. Each run is estimated by the last one. */
export async function upcomingRuns(
  { scheduleTotals }: Store,
  dueTimes: DueTimes,
  window: DueSpan,
): Promise<FundsDemand[]> {
  const schedules = await scheduleTotals.running();
  return schedules.flatMap(({ scheduleId, definitionJson, last }) =>
    dueTimes(definitionJson, { ...window, max: RUNS_MAX }).map((dueAtMs) => ({
      name: scheduleId,
      dueAtMs,
      needs: last,
      estimated: true,
    })),
  );
}
