import { setTimeout as pause } from 'node:timers/promises';

/** Something that goes wrong for a while. */
export type Fault = Readonly<{
  name: string;
  /** How long it lasts, in milliseconds. */
  lastsMs: readonly [least: number, most: number];
  /** Lets it happen for so long and mends it; answers how often it met somebody. */
  happen(ms: number): Promise<number>;
}>;

/** Faults of which one happens at a time, and the least and the longest time between two of them, in milliseconds. */
export type FaultList = Readonly<{
  faults: readonly Fault[];
  peaceMs: readonly [least: number, most: number];
}>;

/** How much longer a fault lasts at most, and how often it is looked whether it has met somebody; milliseconds. */
const LONGER_MS = 6_000;
const LOOK_MS = 250;

/** Waits until a fault has lasted for its time, and has met somebody; not for ever where there is nobody to meet. */
export async function untilMet(
  ms: number,
  countMet: () => number | Promise<number>,
): Promise<number> {
  await pause(ms);
  for (let waitedMs = 0; waitedMs < LONGER_MS; waitedMs += LOOK_MS) {
    if ((await countMet()) > 0) break;
    await pause(LOOK_MS);
  }
  return countMet();
}

/** How often each fault has happened so far. */
export type FaultCounts = Record<string, number>;
