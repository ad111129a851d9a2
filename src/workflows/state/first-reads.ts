import { type DelayBounds, nextFirstReadMs } from '../../domain/settling/first-read.ts';

/** The first reads of the mass payouts of a partition. Instants are milliseconds since 1970. */
export type FirstReads = Readonly<{
  /** How long after its create a mass payout is read for the first time; null: nothing is known of the service. */
  delayMs: number | null;
  /** When each open chunk was created. */
  createdAtMs: ReadonlyMap<number, number>;
  /** Chunks of which no mass payout was read yet. */
  unread: ReadonlySet<number>;
}>;

export const NO_READS: FirstReads = { delayMs: null, createdAtMs: new Map(), unread: new Set() };

/** A sweep of chunks that were due by time. */
export type TimedSweep = Readonly<{
  settled: readonly number[];
  open: readonly number[];
  atMs: number;
  bounds: DelayBounds;
}>;

/** The reads after chunks got their mass payouts. */
export function withCreated(
  { createdAtMs, unread, ...rest }: FirstReads,
  chunks: readonly number[],
  atMs: number,
): FirstReads {
  const created = new Map(createdAtMs);
  for (const chunk of chunks) created.set(chunk, atMs);
  return { ...rest, createdAtMs: created, unread: new Set([...unread, ...chunks]) };
}

/** The reads after a sweep, with the delay that it shows. */
export function withReads(
  firstReads: FirstReads,
  { settled, open, atMs, bounds }: TimedSweep,
): FirstReads {
  const { delayMs, createdAtMs, unread } = firstReads;
  const agesOf = (chunks: readonly number[]): number[] =>
    chunks.map((chunk) => atMs - (createdAtMs.get(chunk) ?? atMs));
  const reads = {
    endedAgesMs: agesOf(settled.filter((chunk) => unread.has(chunk))),
    openAgesMs: agesOf(open),
  };
  return { ...firstReads, delayMs: nextFirstReadMs(delayMs, reads, bounds) };
}

export function withoutUnread(firstReads: FirstReads, read: readonly number[]): FirstReads {
  const unread = new Set(firstReads.unread);
  for (const chunk of read) unread.delete(chunk);
  return { ...firstReads, unread };
}

/**
 * Chunks that were not read yet, and when each is to be. While nothing is known of the service, that is the oldest alone: as soon
 * as everything is sent, and after `minMs` at the latest.
 */
export function firstReadTimes(
  { unread, createdAtMs, delayMs }: FirstReads,
  {
    isOpen,
    allSent,
    minMs,
  }: Readonly<{
    isOpen: (chunk: number) => boolean;
    allSent: boolean;
    minMs: number;
  }>,
): (readonly [number, number])[] {
  const waiting = [...unread].filter(isOpen);
  const createdMs = (chunk: number): number => createdAtMs.get(chunk) ?? 0;
  if (delayMs !== null) return waiting.map((chunk) => [chunk, createdMs(chunk) + delayMs]);
  const [oldest] = waiting.sort((a, b) => createdMs(a) - createdMs(b));
  return oldest === undefined ? [] : [[oldest, createdMs(oldest) + (allSent ? 0 : minMs)]];
}
