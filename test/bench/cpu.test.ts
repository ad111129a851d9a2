import { expect, it } from '@jest/globals';
import { cpuSecondsOfTree, cpuTotal, parseStat, withChildCpu } from '../../bench/support/cpu.ts';
import { secondsAt } from '../../bench/support/cpu-timeline.ts';
import { medianCpu } from '../../bench/support/figure.ts';
import { runNode } from '../../bench/support/run-module.ts';

/** A line of `/proc/PID/stat`: parent 7, 1.5 s in the program, 0.25 s in the system, 3 s and 1 s of ended children. */
const statOf = (name: string): string =>
  `42 (${name}) S 7 42 42 0 -1 4194560 900 10 0 0 150 25 300 100 20 0 11 0 5000 1000000 2000`;

it.each(['node', 'Web Content', 'a) S 1 (b'])('reads the line of a program named %j', (name) => {
  expect(parseStat(statOf(name))).toEqual({ parent: 7, ownSeconds: 1.75, endedSeconds: 4 });
});

const SAMPLES = [
  { atMs: 1_000, seconds: 2 },
  { atMs: 1_100, seconds: 2.1 },
  { atMs: 1_300, seconds: 2.5 },
];

it.each([
  ['at a sample', 1_100, 2.1],
  ['between two samples, in proportion', 1_200, 2.3],
  ['before the first sample, those of the first', 500, 2],
  ['after the last sample, those of the last', 9_000, 2.5],
])('the seconds of a process %s', (_where, atMs, seconds) => {
  expect(secondsAt(SAMPLES, atMs)).toBeCloseTo(seconds, 10);
});

it('the median of processor time is that of each process', () => {
  const cpu = medianCpu([{ cli: 1, worker: 9 }, { cli: 3, worker: 5 }, { cli: 2 }]);
  expect(cpu).toEqual({ cli: 2, worker: 7 });
  expect(cpuTotal(cpu)).toBe(9);
});

/** A program that uses so many seconds of its processor, however long that takes. */
const busyFor = (seconds: number): readonly string[] => [
  '--eval',
  `while (process.cpuUsage().user < ${seconds * 1_000_000}) {}`,
];

it('the processor time of a program that has ended is known, and belongs to the tree of its parent', async () => {
  const before = cpuSecondsOfTree(process.pid) ?? 0;
  const { signal } = new AbortController();
  const { cpuSeconds } = await withChildCpu(() =>
    runNode(busyFor(0.5), { env: process.env, cwd: process.cwd(), signal }),
  );
  expect(cpuSeconds).toBeGreaterThanOrEqual(0.5);
  expect((cpuSecondsOfTree(process.pid) ?? 0) - before).toBeGreaterThanOrEqual(0.5);
});
