/** Time as the bridge sees it; injected, so that tests decide when it passes. */
export type Clock = Readonly<{
  /** Milliseconds since 1970, UTC. */
  nowMs(): number;
  /** Waits; ends at once, without an error, when the signal is aborted. */
  wait(delayMs: number, signal: AbortSignal): Promise<void>;
}>;

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  wait: (delayMs, signal) =>
    new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', end);
        resolve();
      };
      const timer = setTimeout(end, signal.aborted ? 0 : delayMs);
      signal.addEventListener('abort', end);
    }),
};
