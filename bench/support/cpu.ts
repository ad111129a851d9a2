import { readdirSync, readFileSync } from 'node:fs';

/** Processor seconds by the name of a process. */
export type Cpu = Readonly<Record<string, number>>;

/** Linux counts processor time in ticks of 1/100 s for every program (`USER_HZ`), whatever the kernel uses inside. */
const TICKS_PER_SECOND = 100;

/** Places of fields in `/proc/PID/stat` behind the name of the program, which is in parentheses. See proc(5). */
const FIELD = { parent: 1, user: 11, system: 12, endedUser: 13, endedSystem: 14 } as const;

export type ProcessStat = Readonly<{
  parent: number;
  /** Of the process with all its threads. */
  ownSeconds: number;
  /** Of its children that have ended, with their children. */
  endedSeconds: number;
}>;

/** Reads the text of `/proc/PID/stat`. The name of a program may hold spaces and parentheses. */
export function parseStat(text: string): ProcessStat {
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const field = (name: keyof typeof FIELD): number => Number(fields[FIELD[name]]);
  return {
    parent: field('parent'),
    ownSeconds: (field('user') + field('system')) / TICKS_PER_SECOND,
    endedSeconds: (field('endedUser') + field('endedSystem')) / TICKS_PER_SECOND,
  };
}

/** Processor seconds of a running process; undefined when it has ended, and on systems without `/proc`. */
export const cpuSecondsOf = (pid: number): number | undefined => statOf(pid)?.ownSeconds;

/**
 * Runs a program to its end, and returns its result with its processor seconds; they are undefined without `/proc`. Other
 * programs of this process must not end meanwhile.
 */
export async function withChildCpu<Result>(
  run: () => Promise<Result>,
): Promise<Readonly<{ result: Result; cpuSeconds: number | undefined }>> {
  const before = statOf('self')?.endedSeconds;
  const result = await run();
  const after = statOf('self')?.endedSeconds;
  const cpuSeconds = before === undefined || after === undefined ? undefined : after - before;
  return { result, cpuSeconds };
}

/** Processor seconds of a process and of all that it started; undefined without `/proc`. */
export function cpuSecondsOfTree(root: number): number | undefined {
  const rootStat = statOf(root);
  if (rootStat === undefined) return undefined;
  const stats = new Map(allPids().map((pid) => [pid, statOf(pid)]));
  const isInTree = (pid: number): boolean => {
    const parent = stats.get(pid)?.parent ?? 0;
    return parent === root || (parent > 1 && isInTree(parent));
  };
  const below = [...stats].filter(([pid]) => isInTree(pid)).map(([, stat]) => stat);
  return [rootStat, ...below].reduce((sum, stat) => sum + secondsOf(stat), 0);
}

const secondsOf = (stat: ProcessStat | undefined): number =>
  stat === undefined ? 0 : stat.ownSeconds + stat.endedSeconds;

const allPids = (): number[] => readdirSync('/proc').map(Number).filter(Number.isInteger);

function statOf(pid: number | 'self'): ProcessStat | undefined {
  try {
    return parseStat(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    // The process has ended, or the system has no /proc.
    return undefined;
  }
}

/** The processor seconds of one process under its name; empty when they are unknown. */
export const cpuOf = (name: string, seconds: number | undefined): Cpu =>
  seconds === undefined ? {} : { [name]: seconds };

/** The sum of all processes. */
export const cpuTotal = (cpu: Cpu): number =>
  Object.values(cpu).reduce((sum, seconds) => sum + seconds, 0);
