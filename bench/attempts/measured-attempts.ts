/** What a run of the part `attempts` prints. */
export type MeasuredAttempts = Readonly<{
  attempts: number;
  /** Unix milliseconds. */
  startedAtMs: number;
  elapsedMs: number;
  cpuSeconds: number;
}>;
