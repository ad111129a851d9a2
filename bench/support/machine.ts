import { cpus, loadavg, platform, release, totalmem } from 'node:os';

/** Where figures come from: they mean nothing on their own. */
export type Machine = Readonly<{
  cores: number;
  processor: string;
  memoryGib: number;
  system: string;
  node: string;
}>;

export function readMachine(): Machine {
  const [first] = cpus();
  return {
    cores: cpus().length,
    processor: first?.model ?? 'unknown processor',
    memoryGib: Math.round(totalmem() / 1024 ** 3),
    system: `${platform()} ${release()}`,
    node: process.version,
  };
}

/** Processes that ran or waited to run, over the last 1, 5 and 15 minutes. Zeros on Windows. */
export const readLoad = (): readonly number[] => loadavg();

/** From this share of the cores on, what others do shows in the figures. */
const BUSY_SHARE = 0.25;

export const isBusy = ({ cores }: Machine, [lastMinute = 0]: readonly number[]): boolean =>
  lastMinute > cores * BUSY_SHARE;
