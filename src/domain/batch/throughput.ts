/** How many rows of a batch had an outcome at an instant, in milliseconds since 1970. */
export type ThroughputReading = Readonly<{ atMs: number; done: number }>;

/** The throughput of a batch, and the time that the open rows take at this throughput. */
export type Throughput = Readonly<{ rowsPerSecond: number; leftMs: number }>;

/** Readings that are older say little about the present throughput, in milliseconds. Chunks end in bursts of some seconds. */
const WINDOW_MS = 60_000;

/** Over a shorter time one burst would decide, in milliseconds. */
const SPAN_MS_MIN = 3_000;

/** The readings with a newer one, without those before the window. */
export const withReading = (
  readings: readonly ThroughputReading[],
  newest: ThroughputReading,
): readonly ThroughputReading[] => [
  ...readings.filter(({ atMs }) => newest.atMs - atMs <= WINDOW_MS),
  newest,
];

/** The throughput over some readings, the oldest first. null: they are too few, or no row got an outcome. */
export function throughputOf(
  readings: readonly ThroughputReading[],
  total: number,
): Throughput | null {
  const [first, last] = [readings[0], readings.at(-1)];
  if (first === undefined || last === undefined) return null;
  const spanMs = last.atMs - first.atMs;
  const gained = last.done - first.done;
  if (spanMs < SPAN_MS_MIN || gained <= 0) return null;
  return {
    rowsPerSecond: (gained * 1_000) / spanMs,
    leftMs: ((total - last.done) * spanMs) / gained,
  };
}
