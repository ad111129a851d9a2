/** Reads of mass payouts that were due by time: no webhook named these chunks. Ages are milliseconds since their creates. */
export type TimedReads = Readonly<{
  /** Of those that were read for the first time and were at their end. */
  endedAgesMs: readonly number[];
  /** Of those that were still on their way. */
  openAgesMs: readonly number[];
}>;

/** The bounds of a delay: the settings of polls, in milliseconds. */
export type DelayBounds = Readonly<{ minMs: number; maxMs: number }>;

/**
 * How long after its create a mass payout is read for the first time, in milliseconds; null: nothing is known of the service.
 * A read in vain shows that such payouts take longer; while all first reads find an end, the next ones come earlier.
 *
 * Example: the canary is read in vain when it is 1, 6 and 16 s old, and is at its end when it is 36 s old. No other mass payout
 * is read before it is 32 s old. At a service that pays at once the delay soon is 0.
 */
export function nextFirstReadMs(
  delayMs: number | null,
  { endedAgesMs, openAgesMs }: TimedReads,
  { minMs, maxMs }: DelayBounds,
): number {
  if (openAgesMs.length > 0) {
    return Math.min(Math.max(delayMs ?? 0, minMs, 2 * Math.max(...openAgesMs)), maxMs);
  }
  if (endedAgesMs.length === 0) return delayMs ?? minMs;
  return Math.floor((delayMs ?? Math.max(...endedAgesMs)) / 2);
}
