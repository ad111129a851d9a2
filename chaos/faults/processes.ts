import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from '../../sim/random.ts';
import type { Commands } from '../stack/command.ts';
import { PROCESS_NAMES, type ProcessName, type Processes } from '../stack/processes.ts';
import { TIMESTAMP_WINDOW_MS } from '../stack/settings.ts';
import type { Fault, FaultCounts } from './fault.ts';

/** Whoever wakes up after that holds requests that the service must refuse as too old. */
const FREEZE_MS = [TIMESTAMP_WINDOW_MS + 1_000, TIMESTAMP_WINDOW_MS + 4_000] as const;

/** Something is killed every so often; milliseconds. */
const KILL_EVERY_MS = [5_000, 10_000] as const;
const KILL_COMMAND_SHARE = 0.2;
const COMMAND = 'command';
const VICTIMS = [...PROCESS_NAMES, COMMAND] as const;

const killName = (name: (typeof VICTIMS)[number]): string => `kill -9: ${name}`;

export const freezes = (processes: Processes): Fault[] =>
  PROCESS_NAMES.map((name) => ({
    name: `frozen: ${name}`,
    lastsMs: FREEZE_MS,
    async happen(ms) {
      if (!processes.signal(name, 'SIGSTOP')) return 0;
      await pause(ms);
      processes.signal(name, 'SIGCONT');
      return 1;
    },
  }));

type Victims = Readonly<{ processes: Processes; commands: Commands; random: Random }>;

export const KILLS: readonly string[] = VICTIMS.map(killName);

/** Kills one process after the other, until it is told to stop. */
export async function killOnAndOn(
  { processes, commands, random }: Victims,
  counts: FaultCounts,
  isOver: () => boolean,
): Promise<void> {
  while (!isOver()) {
    await pause(random.between(...KILL_EVERY_MS));
    if (isOver()) return;
    const name = random.happens(KILL_COMMAND_SHARE) ? COMMAND : leastKilled(counts, random);
    const isHit = name === COMMAND ? commands.killOne() : processes.signal(name, 'SIGKILL');
    if (isHit) counts[killName(name)] = (counts[killName(name)] ?? 0) + 1;
  }
}

/** Each in its turn, in any order: a short run must have met all of them. */
function leastKilled(counts: FaultCounts, random: Random): ProcessName {
  const times = (name: ProcessName): number => counts[killName(name)] ?? 0;
  const fewest = Math.min(...PROCESS_NAMES.map(times));
  return random.pick(PROCESS_NAMES.filter((name) => times(name) === fewest));
}
