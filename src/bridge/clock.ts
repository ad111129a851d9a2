/** The clock of the bridge. It is a dependency, so that tests control the time. */
export type BridgeClock = Readonly<{
  /** Milliseconds since 1970, UTC. */
  nowMs(): number;
  /** Resolves after `delayMs`, or at once when the signal is aborted. It never rejects. */
  wait(delayMs: number, signal: AbortSignal): Promise<void>;
}>;

export const systemClock: BridgeClock = {
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
