import type { Cpu } from './cpu.ts';

/** What a figure should be. */
export type Aim = Readonly<{ kind: 'at least' | 'at most'; value: number }>;

export type Unit =
  | 'rows'
  | 'rows/s'
  | 'requests/s'
  | 'attempts/s'
  | 's'
  | 'CPU s'
  | 'CPU ms'
  | 'MiB'
  | 'KiB'
  | 'tasks'
  | 'times'
  | '%'
  | 'a chunk';

/** One line of the result. */
export type Figure = Readonly<{
  /** What was measured, in words. */
  name: string;
  value: number;
  unit: Unit;
  /** The single measurements of which `value` is the median, in the order in which they were made. */
  runs?: readonly number[];
  /** Processor seconds in the same time, by process. */
  cpu?: Cpu;
  aim?: Aim;
  /** A remark beside the figure. */
  note?: string;
  /** Where the chart shows the figure. */
  bar?: Readonly<{ group: string; name: string }>;
}>;

export const isMet = ({ value, aim }: Figure): boolean | undefined =>
  aim && (aim.kind === 'at least' ? value >= aim.value : value <= aim.value);

/** A figure that was measured several times. */
export const medianFigure = (
  name: string,
  unit: Unit,
  runs: readonly number[],
): Figure & Readonly<{ runs: readonly number[] }> => ({ name, unit, value: median(runs), runs });

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const [low, high] = [(sorted.length - 1) >> 1, sorted.length >> 1].map((at) => sorted[at]);
  if (low === undefined || high === undefined) throw new Error('there is no median of nothing');
  return (low + high) / 2;
}

/** Of each process the median of all runs. */
export function medianCpu(runs: readonly Cpu[]): Cpu {
  const names = [...new Set(runs.flatMap((cpu) => Object.keys(cpu)))];
  return Object.fromEntries(
    names.map((name) => [name, median(runs.flatMap((cpu) => cpu[name] ?? []))]),
  );
}
