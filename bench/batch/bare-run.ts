/** What the bare loop, and each peer, prints: the time and its processor seconds, and those of its database server. */
export type BareRun = Readonly<{
  elapsedMs: number;
  cpuSeconds: number;
  serverCpuSeconds?: number;
}>;
