/** How long figures serve further scrapes, in milliseconds: as long as common scrapes are apart. */
const FRESH_MS = 10_000;

/** Reading figures takes at most one part in so many of the time. */
const SHARE = 20;

type Clock = Readonly<{ nowMs(): number }>;

/**
 * Reads figures again once they are old. Several scrapes share one read, and a read that took long is repeated less often, so
 * that a large store costs no more than a small share of the time.
 */
export function createFigureCache<Figures>(
  read: (nowMs: number) => Promise<Figures>,
  { nowMs }: Clock,
): () => Promise<Figures> {
  let last: Promise<Figures> | undefined;
  let dueMs = Number.NEGATIVE_INFINITY;

  async function readNow(startedMs: number): Promise<Figures> {
    // Until it ends, every scrape waits for this read.
    dueMs = Number.POSITIVE_INFINITY;
    try {
      return await read(startedMs);
    } finally {
      const endedMs = nowMs();
      dueMs = endedMs + Math.max(FRESH_MS, SHARE * (endedMs - startedMs));
    }
  }

  return () => {
    const atMs = nowMs();
    if (last === undefined || atMs >= dueMs) last = readNow(atMs);
    return last;
  };
}
