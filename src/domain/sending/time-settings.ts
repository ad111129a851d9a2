/** Settings from which the fence is made, in milliseconds. `skewMs` is undefined where none was given. */
export type TimeSettings = Readonly<{
  timestampWindowMs: number;
  fenceMarginMs: number;
  skewMs?: number | undefined;
  sendBudgetMs: number;
}>;

/** A sum that does not hold. `sentence` goes on after the name of the setting. */
export type SettingContradiction = Readonly<{
  setting: 'send_budget_ms' | 'fence_margin_ms';
  sentence: string;
}>;

/** At most half of the margin is trusted as a difference of clocks: the other half is for lags and for the rate of clocks. */
const MARGIN_PER_SKEW = 2;
/** `Date` counts whole seconds, so two clocks that agree can seem to differ by so much. Milliseconds. */
const DATE_STEP_MS = 1_000;

/**
 * The age up to which the service takes a timestamp even if the clocks differ by all that is trusted, in milliseconds.
 * Example: a window of 180 s and a margin of 60 s make 150 s.
 */
export const surelyTakenMs = ({
  timestampWindowMs,
  fenceMarginMs,
}: Readonly<{ timestampWindowMs: number; fenceMarginMs: number }>): number =>
  Math.max(1, timestampWindowMs - Math.ceil(fenceMarginMs / MARGIN_PER_SKEW));

/**
 * Returns the sums that the proof of the fence needs and that do not hold.
 *
 * @example
 * // A margin of 2 s cannot cover clocks that differ by 3 s: the sentence is
 * // "2000 must be at least 2 x api.skew_ms 3000 = 6000".
 * contradictionsOf({ timestampWindowMs: 6_000, fenceMarginMs: 2_000, skewMs: 3_000, sendBudgetMs: 1_000 });
 */
export function contradictionsOf(times: TimeSettings): readonly SettingContradiction[] {
  const { timestampWindowMs, fenceMarginMs, skewMs = 0, sendBudgetMs } = times;
  const leastMs = MARGIN_PER_SKEW * DATE_STEP_MS;
  const ofSkewMs = MARGIN_PER_SKEW * skewMs;
  const checks: readonly (SettingContradiction & { holds: boolean })[] = [
    {
      // What leaves later than that is refused, however often it is tried.
      holds: sendBudgetMs < timestampWindowMs,
      setting: 'send_budget_ms',
      sentence: `${sendBudgetMs} must be below api.timestamp_window_ms ${timestampWindowMs}`,
    },
    {
      holds: fenceMarginMs >= leastMs,
      setting: 'fence_margin_ms',
      sentence: `${fenceMarginMs} must be at least ${MARGIN_PER_SKEW} x ${DATE_STEP_MS} (Date counts whole seconds) = ${leastMs}`,
    },
    {
      holds: fenceMarginMs >= ofSkewMs,
      setting: 'fence_margin_ms',
      sentence: `${fenceMarginMs} must be at least ${MARGIN_PER_SKEW} x api.skew_ms ${skewMs} = ${ofSkewMs}`,
    },
  ];
  return checks.flatMap(({ holds, setting, sentence }) => (holds ? [] : [{ setting, sentence }]));
}
