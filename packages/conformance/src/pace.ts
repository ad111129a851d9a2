/** How often the pace of this machine is measured, in milliseconds. */
const BEAT_MS = 20;

/** Measures the lateness of this program. */
export type Pace = Readonly<{
  /** The longest lateness since a time, in milliseconds. */
  latenessSince(sinceMs: number): number;
  stop(): void;
}>;

type Lateness = Readonly<{ atMs: number; lateMs: number }>;

/** Latenesses below this one are those of every machine. */
const NOTED_MS = 5;

export function startPace(): Pace {
  const late: Lateness[] = [];
  let lastMs = Date.now();
  const beat = setInterval(() => {
    const atMs = Date.now();
    const lateMs = atMs - lastMs - BEAT_MS;
    lastMs = atMs;
    if (lateMs > NOTED_MS) late.push({ atMs, lateMs });
  }, BEAT_MS);
  beat.unref();
  return {
    latenessSince(sinceMs) {
      const own = late.filter(({ atMs }) => atMs >= sinceMs).map(({ lateMs }) => lateMs);
      // While this program is busy no beat comes.
      return Math.max(0, Date.now() - lastMs - BEAT_MS, ...own);
    },
    stop: () => clearInterval(beat),
  };
}
