import { sharesOf } from './amounts.ts';
import type { ProgressSample } from './progress.ts';

/** A point of a curve, in thousandths of the picture: `x` from the left, `y` from below. */
export type CurvePoint = Readonly<{ x: number; y: number }>;

/** The balance of an account from a moment on. Amounts are exact decimal texts. */
export type BalancePoint = Readonly<{ at: string; amount: string; names: readonly string[] }>;

type ForecastStep = Readonly<{
  at: string;
  demands: readonly Readonly<{ name: string }>[];
  left: readonly Readonly<{ currency: string; amount: string }>[];
}>;

/** The balance of a currency now, and after each time at which some of it is due. */
export function balancePoints(
  now: BalancePoint,
  steps: readonly ForecastStep[],
  currency: string,
): readonly BalancePoint[] {
  let before = now.amount;
  const later = steps.flatMap(({ at, demands, left }): BalancePoint[] => {
    const amount = left.find((one) => one.currency === currency)?.amount ?? before;
    if (amount === before) return [];
    before = amount;
    return [{ at, amount, names: demands.map(({ name }) => name) }];
  });
  return [now, ...later];
}

/** A balance stays as it is until the next point. Returns the curve, and the height of zero. */
export function balanceCurve(
  points: readonly BalancePoint[],
  lastAt: string,
): Readonly<{ curve: readonly CurvePoint[]; zero: number }> {
  const [zero = 0, ...heights] = sharesOf(['0', ...points.map(({ amount }) => amount)]);
  const xs = sharesOfTime([...points.map(({ at }) => Date.parse(at)), Date.parse(lastAt)]);
  const curve = points.flatMap((_, n): CurvePoint[] => {
    const y = heights[n] ?? 0;
    return [
      { x: xs[n] ?? 0, y },
      { x: xs[n + 1] ?? 1_000, y },
    ];
  });
  return { curve, zero };
}

/** The part of `total` that was done, over the time of the samples. */
export function progressCurve(
  samples: readonly ProgressSample[],
  total: number,
): readonly CurvePoint[] {
  const xs = sharesOfTime(samples.map(({ atMs }) => atMs));
  return samples.map(({ done }, n) => ({
    x: xs[n] ?? 0,
    y: total <= 0 ? 0 : Math.round((Math.min(done, total) * 1_000) / total),
  }));
}

/** Times in thousandths of the span between the first and the last. */
function sharesOfTime(times: readonly number[]): readonly number[] {
  const [from = 0, to = 0] = [times[0], times.at(-1)];
  return times.map((at) => (to > from ? Math.round(((at - from) * 1_000) / (to - from)) : 0));
}
