import { expect, it } from '@jest/globals';
import {
  entryOf,
  type HistoryEntry,
  historyText,
  isWorse,
  readHistory,
} from '../../bench/history/history.ts';
import type { Figure } from '../../bench/support/figure.ts';

const MACHINE = { cores: 2, processor: 'CPU', memoryGib: 4, system: 'linux', node: 'v20' };

type Run = Readonly<{ cores?: number; rows?: number }>;

function runOf(commit: string, figures: readonly Figure[], run: Run = {}): HistoryEntry {
  const { cores = 2, rows } = run;
  const result = {
    machine: { ...MACHINE, cores },
    rows,
    startedAt: '2026-01-02T03:04:05.000Z',
    loadAverage: [0.5, 0, 0],
    parts: [{ part: 'batch' as const, figures }],
    repeat: '',
  };
  return entryOf(result, commit);
}

const seconds = (value: number): Figure => ({ name: 'submit', unit: 's', value });
const speed = (value: number): Figure => ({ name: 'ingest', unit: 'rows/s', value });

const lineOf = (text: string, name: string): string =>
  text.split('\n').find((line) => line.startsWith(name)) ?? '';

it.each([
  ['less', 10, 12, false],
  ['less', 10, 12.1, true],
  ['less', 10, 5, false],
  ['more', 120, 100, false],
  ['more', 120, 99, true],
  ['more', 120, 200, false],
] as const)(
  'where %s is better and %d is the best, %d is worse: %s',
  (better, best, value, worse) => {
    expect(isWorse({ name: '', unit: 's', value, better }, best)).toBe(worse);
  },
);

it('runs stand side by side, and a slower one is marked', () => {
  const text = historyText([
    runOf('aaa', [seconds(10), speed(1_000)]),
    runOf('bbb', [seconds(13), speed(1_100)]),
    runOf('ccc', [seconds(11), speed(700)]),
  ]);
  expect(text).toContain('2026-01-02 aaa | 2026-01-02 bbb | 2026-01-02 ccc');
  expect(lineOf(text, 'batch: submit')).toMatch(/\| 10 s +\| 13 s ! +\| 11 s$/);
  expect(lineOf(text, 'batch: ingest')).toMatch(
    /\| 1000 rows\/s +\| 1100 rows\/s +\| 700 rows\/s !$/,
  );
});

it('the best run counts also when it is too old to be shown', () => {
  const runs = [10, 20, 20, 20, 20, 20].map((value) => runOf('aaa', [seconds(value)]));
  expect(lineOf(historyText(runs), 'batch: submit').match(/20 s !/g)).toHaveLength(5);
});

it('runs of another kind of machine are left out', () => {
  const text = historyText([
    runOf('fast', [seconds(1)], { cores: 64 }),
    runOf('own', [seconds(10)]),
  ]);
  expect(text).not.toContain('fast');
  expect(text).not.toContain('10 s !');
});

it('a measure that a run lacks is blank', () => {
  const text = historyText([runOf('aaa', [seconds(10)]), runOf('bbb', [speed(5)])]);
  expect(lineOf(text, 'batch: ingest')).toMatch(/ingest +\| +\| 5 rows\/s$/);
});

it('a run of another size is another measure', () => {
  const text = historyText([
    runOf('aaa', [seconds(1)], { rows: 5_000 }),
    runOf('bbb', [seconds(10)]),
  ]);
  expect(lineOf(text, 'batch of 5000 rows: submit')).toMatch(/\| 1 s/);
  expect(lineOf(text, 'batch: submit')).toMatch(/\| 10 s$/);
});

it('processor time is a measure of its own, and an aim decides the better direction', () => {
  const { measures } = runOf('aaa', [
    { ...seconds(10), cpu: { cli: 1, worker: 2 } },
    { name: 'ratio', unit: 'times', value: 0.3, aim: { kind: 'at least', value: 0.35 } },
  ]);
  expect(measures.map(({ name, value, better }) => [name, value, better])).toEqual([
    ['batch: submit', 10, 'less'],
    ['batch: submit, processor time', 3, 'less'],
    ['batch: ratio', 0.3, 'more'],
  ]);
});

it('what was written is read again', () => {
  const entries = [runOf('aaa', [seconds(10)]), runOf('bbb', [seconds(11)])];
  const text = entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');
  expect(readHistory(text)).toEqual(entries);
  expect(readHistory('')).toEqual([]);
});
