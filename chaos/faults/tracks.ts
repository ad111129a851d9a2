import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from '../../sim/random.ts';
import type { Fault, FaultCounts, FaultList } from './fault.ts';

type Track = FaultList & Readonly<{ random: Random; counts: FaultCounts; say(line: string): void }>;

/** Lets one fault happen after the other, those first that happened least, until it is told to stop. */
export async function runTrack(
  { faults, peaceMs, random, counts, say }: Track,
  isOver: () => boolean,
): Promise<void> {
  const turns = new Map<string, number>();
  const turnsOf = ({ name }: Fault): number => turns.get(name) ?? 0;
  while (!isOver()) {
    const missing = faults.filter(({ name }) => counts[name] === 0);
    const wanted = missing.length > 0 ? missing : faults;
    const fewest = Math.min(...wanted.map(turnsOf));
    const fault = random.pick(wanted.filter((one) => turnsOf(one) === fewest));
    turns.set(fault.name, turnsOf(fault) + 1);
    const met = await fault.happen(random.between(...fault.lastsMs));
    counts[fault.name] = (counts[fault.name] ?? 0) + met;
    say(`${fault.name}: met ${met}`);
    await pause(random.between(...peaceMs));
  }
}
