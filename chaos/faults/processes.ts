import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from '../../sim/random.ts';
import { COMMAND_KINDS, type CommandKind, type Commands } from '../stack/command.ts';
import type { ProcessName } from '../stack/names.ts';
import type { Processes } from '../stack/processes.ts';
import { TIMESTAMP_WINDOW_MS } from '../stack/settings.ts';
import type { Fault, FaultCounts } from './fault.ts';

/** Whoever wakes up after that holds requests that the service must refuse as too old. */
const FREEZE_MS = [TIMESTAMP_WINDOW_MS + 1_000, TIMESTAMP_WINDOW_MS + 4_000] as const;

/** Something is killed every so often; milliseconds. */
const KILL_EVERY_MS = [5_000, 10_000] as const;
const KILL_COMMAND_SHARE = 0.2;
/** Until a command of the kind that is wanted runs, and until it is killed once it does; milliseconds. */
const COMMAND_MS_MAX = 5_000;
const COMMAND_LIVES_MS_MAX = 1_500;

type Names = readonly ProcessName[];

export const killName = (what: string): string => `kill -9: ${what}`;
const commandName = (kind: CommandKind): string => `command that ${kind}`;

export const freezes = ({
  processes,
  names,
}: Readonly<{ processes: Processes; names: Names }>): Fault[] =>
  names.map((name) => ({
    name: `frozen: ${name}`,
    lastsMs: FREEZE_MS,
    async happen(ms) {
      const frozen = processes.signal(name, 'SIGSTOP');
      if (frozen === undefined) return 0;
      await pause(ms);
      // One that was killed meanwhile has never woken up.
      return processes.signal(name, 'SIGCONT') === frozen ? 1 : 0;
    },
  }));

type Victims = Readonly<{ processes: Processes; names: Names; commands: Commands; random: Random }>;

export const killsOf = (names: Names): readonly string[] => [
  ...names.map(killName),
  ...COMMAND_KINDS.map((kind) => killName(commandName(kind))),
];

/** Kills one process after the other, until it is told to stop. */
export async function killOnAndOn(
  { processes, names: all, commands, random }: Victims,
  counts: FaultCounts,
  isOver: () => boolean,
): Promise<void> {
  const count = (what: string): void => {
    counts[killName(what)] = (counts[killName(what)] ?? 0) + 1;
  };
  /** Each in its turn, in any order: a short run must have met all of them. */
  const leastKilled = <Name extends string>(
    names: readonly Name[],
    whatOf: (name: Name) => string,
  ): Name => {
    const times = (name: Name): number => counts[killName(whatOf(name))] ?? 0;
    const fewest = Math.min(...names.map(times));
    return random.pick(names.filter((name) => times(name) === fewest));
  };
  const isMissing = (what: string): boolean => counts[killName(what)] === 0;
  /** Processes are killed as soon as there are any; commands run only now and then. */
  const areCommandsMissing = (): boolean =>
    !all.some(isMissing) && COMMAND_KINDS.map(commandName).some(isMissing);
  while (!isOver()) {
    await pause(random.between(...KILL_EVERY_MS));
    if (isOver()) return;
    if (areCommandsMissing() || random.happens(KILL_COMMAND_SHARE)) {
      const kind = leastKilled(COMMAND_KINDS, commandName);
      if (!(await commands.hasBegun(kind, COMMAND_MS_MAX))) continue;
      await pause(random.below(COMMAND_LIVES_MS_MAX));
      if (commands.killOne(kind)) count(commandName(kind));
    } else {
      const name = leastKilled(all, String);
      if (processes.signal(name, 'SIGKILL') !== undefined) count(name);
    }
  }
}
