import { type Cpu, cpuSecondsOf } from './cpu.ts';

/** Processor seconds of one process until a moment (Unix milliseconds). */
export type CpuSample = Readonly<{ atMs: number; seconds: number }>;

/** Reading four processes ten times a second costs the bench 0.1 % of a core. */
const SAMPLE_MS = 100;

export type CpuTimeline = Readonly<{
  /** Samples one more process from now on. */
  add(name: string, pid: number): void;
  stop(): void;
  /** The processor seconds of each process between two moments; empty without `/proc`. */
  between(startMs: number, endMs: number): Cpu;
}>;

/** Samples running processes until it is stopped. */
export function startCpuTimeline(pids: Readonly<Record<string, number>>): CpuTimeline {
  const sampled = new Map<string, { pid: number; samples: CpuSample[] }>();
  const sample = (): void => {
    for (const { pid, samples } of sampled.values()) {
      const seconds = cpuSecondsOf(pid);
      if (seconds !== undefined) samples.push({ atMs: Date.now(), seconds });
    }
  };
  const add = (name: string, pid: number): void => void sampled.set(name, { pid, samples: [] });
  for (const [name, pid] of Object.entries(pids)) add(name, pid);
  sample();
  const timer = setInterval(sample, SAMPLE_MS);
  return {
    add,
    stop() {
      clearInterval(timer);
      sample();
    },
    between: (startMs, endMs) =>
      Object.fromEntries(
        [...sampled]
          .filter(([, { samples }]) => samples.length > 0)
          .map(([name, { samples }]) => [
            name,
            secondsAt(samples, endMs) - secondsAt(samples, startMs),
          ]),
      ),
  };
}

/** The seconds at a moment, on the line between the samples around it. The first and the last sample bound it. */
export function secondsAt(samples: readonly CpuSample[], atMs: number): number {
  const next = samples.findIndex((sample) => sample.atMs >= atMs);
  const after = samples.at(next);
  const before = samples[next - 1];
  if (after === undefined) throw new Error('the process was never sampled');
  if (next === -1 || before === undefined) return after.seconds;
  const share = (atMs - before.atMs) / (after.atMs - before.atMs);
  return before.seconds + share * (after.seconds - before.seconds);
}
