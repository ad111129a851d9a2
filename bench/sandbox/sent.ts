/** What a sending program prints. */
export type Sent = Readonly<{
  count: number;
  elapsedMs: number;
  /** How much of one core the sender was busy with; near 1 it would measure itself. */
  senderShare: number;
}>;

/** Sends something, and says how long it took and how busy this process was with it. */
export async function measureSending(count: number, send: () => Promise<void>): Promise<Sent> {
  const cpuBefore = process.cpuUsage();
  const startMs = performance.now();
  await send();
  const elapsedMs = performance.now() - startMs;
  const { user, system } = process.cpuUsage(cpuBefore);
  return { count, elapsedMs, senderShare: (user + system) / 1_000 / elapsedMs };
}
