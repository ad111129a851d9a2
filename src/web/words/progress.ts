/** How many rows were done at a moment of a clock that only goes forward. */
export type ProgressSample = Readonly<{ atMs: number; done: number }>;

/** The pace is that of the last so many milliseconds. */
const WINDOW_MS = 30_000;
/** A pace of less time than this jumps too much to be shown. */
const SPAN_MS_MIN = 2_000;

/** Samples with a new one. Those before the window are left out, except the last of them. */
export function withSample(
  samples: readonly ProgressSample[],
  next: ProgressSample,
): readonly ProgressSample[] {
  const from = next.atMs - WINDOW_MS;
  const first = samples.findLastIndex(({ atMs }) => atMs <= from);
  return [...samples.slice(Math.max(0, first)), next];
}

/** Samples that a page keeps from its start on. */
const HISTORY_MAX = 60;

/** A history with a new sample. When it is full, every other sample is left out, so that it covers the whole time. */
export function withHistory(
  history: readonly ProgressSample[],
  next: ProgressSample,
): readonly ProgressSample[] {
  const kept =
    history.length < HISTORY_MAX
      ? history
      : history.filter((_, n) => n % 2 === 0 || n === history.length - 1);
  return [...kept, next];
}

/** Rows in a second, and the seconds until `total` are done; null while that cannot be known. */
export type ProgressPace = Readonly<{ perSecond: number; leftSeconds: number }>;

export function paceOf(samples: readonly ProgressSample[], total: number): ProgressPace | null {
  const [first, last] = [samples[0], samples.at(-1)];
  if (first === undefined || last === undefined) return null;
  const spanMs = last.atMs - first.atMs;
  if (spanMs < SPAN_MS_MIN || last.done <= first.done) return null;
  const perSecond = ((last.done - first.done) * 1_000) / spanMs;
  return { perSecond, leftSeconds: Math.max(0, total - last.done) / perSecond };
}
