import { expect, it } from '@jest/globals';
import { resultText, type Result } from '../../bench/result.ts';
import type { Figure } from '../../bench/support/figure.ts';

const resultOf = (figures: readonly Figure[]): Result => ({
  machine: { cores: 2, processor: 'CPU', memoryGib: 4, system: 'linux', node: 'v20' },
  startedAt: '2026-01-01T00:00:00.000Z',
  loadAverage: [0, 0, 0],
  rows: undefined,
  parts: [{ part: 'batch', figures }],
  repeat: 'npm run bench',
});

const LOOP: Figure = { name: 'bare loop', unit: 's', value: 4, cpu: { process: 2.5, database: 1 } };
const MET: Figure = {
  name: 'workflow / loop',
  unit: 'times',
  value: 2.9,
  aim: { kind: 'at most', value: 3 },
};
const MISSED: Figure = {
  name: 'ingest / parser',
  unit: 'times',
  value: 0.3,
  aim: { kind: 'at least', value: 0.35 },
};

it('the aims stand in one table, each with its figure and whether it is met', () => {
  const text = resultText(resultOf([LOOP, MET, MISSED]));
  expect(text).toContain(
    [
      'measure         | aim             | measured | met',
      '----------------|-----------------|----------|----',
      'workflow / loop | at most 3.00 x  | 2.90 x   | yes',
      'ingest / parser | at least 0.35 x | 0.30 x   | NO',
    ].join('\n'),
  );
});

it('processor time stands beside the time, with that of each process', () => {
  expect(resultText(resultOf([LOOP]))).toMatch(
    / 4\.00 s {2}CPU 3\.50 s: process 2\.50, database 1\.00$/m,
  );
});

it('a peer stands beside its guarantees', () => {
  const text = resultText(resultOf([{ ...MET, aim: { kind: 'at most', value: 3 }, note: 'none' }]));
  expect(text).toContain('workflow / loop | 2.90 x   | none');
});

it('there is no table of aims where no figure has one', () => {
  expect(resultText(resultOf([LOOP]))).not.toContain('| aim');
});
