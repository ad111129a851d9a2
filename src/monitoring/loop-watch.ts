/** How often the event loop should come by, in milliseconds. */
export const BEAT_MS = 250;

/** How long a delay is remembered: one to two such windows, in milliseconds. */
export const WINDOW_MS = 15_000;

/** Measures by how much beats are late. `nowMs`: a clock that never jumps. */
export function createLoopWatch(nowMs: () => number) {
  let beatMs = nowMs();
  let windowMs = beatMs;
  let longestMs = 0;
  let previousMs = 0;
  const lateMs = (): number => Math.max(0, nowMs() - beatMs - BEAT_MS);

  return {
    /** Is called every `BEAT_MS`. */
    beat(): void {
      longestMs = Math.max(longestMs, lateMs());
      beatMs = nowMs();
      if (beatMs - windowMs < WINDOW_MS) return;
      previousMs = longestMs;
      longestMs = 0;
      windowMs = beatMs;
    },
    /** The longest recent time for which the event loop did nothing else. A beat that is late now counts. */
    delayMs: (): number => Math.round(Math.max(previousMs, longestMs, lateMs())),
  };
}

export type LoopWatch = Readonly<{ delayMs(): number; stop(): void }>;

/** Watches the event loop of this process. */
export function watchLoop(): LoopWatch {
  const watch = createLoopWatch(() => performance.now());
  const timer = setInterval(watch.beat, BEAT_MS);
  timer.unref();
  return { delayMs: watch.delayMs, stop: () => clearInterval(timer) };
}
