/** What a run of the part `attempts` prints. */
export type MeasuredAttempts = Readonly<{
  attempts: number;
  elapsedMs: number;
  cpuSeconds: number;
}>;
