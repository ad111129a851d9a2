import { describe, expect, it } from '@jest/globals';
import { sharesOf } from '../../src/web/words/amounts.ts';
import { balanceCurve, balancePoints, progressCurve } from '../../src/web/words/curve.ts';
import { type ProgressSample, withHistory } from '../../src/web/words/progress.ts';

const NOW = { at: '2026-12-01T00:00:00Z', amount: '100', names: [] };
const STEPS = [
  {
    at: '2026-12-02T00:00:00Z',
    demands: [{ name: 'payroll' }],
    left: [
      { currency: 'TRX', amount: '40.5' },
      { currency: 'BTC', amount: '1' },
    ],
  },
  { at: '2026-12-03T00:00:00Z', demands: [{ name: 'other' }], left: [] },
  {
    at: '2026-12-05T00:00:00Z',
    demands: [{ name: 'rent' }, { name: 'tax' }],
    left: [{ currency: 'TRX', amount: '-100' }],
  },
];

describe('the curve of a balance', () => {
  const points = balancePoints(NOW, STEPS, 'TRX');

  it('has a point for each time at which the currency is due', () => {
    expect(points).toEqual([
      NOW,
      { at: STEPS[0]?.at, amount: '40.5', names: ['payroll'] },
      { at: STEPS[2]?.at, amount: '-100', names: ['rent', 'tax'] },
    ]);
  });

  it('stays level until the next point, and shows where zero is', () => {
    expect(balanceCurve(points, '2026-12-05T00:00:00Z')).toEqual({
      zero: 500,
      curve: [
        { x: 0, y: 1_000 },
        { x: 250, y: 1_000 },
        { x: 250, y: 702 },
        { x: 1_000, y: 702 },
        { x: 1_000, y: 0 },
        { x: 1_000, y: 0 },
      ],
    });
  });
});

it('amounts have their places between the lowest and the highest, and zero is always there', () => {
  expect(sharesOf(['5', '10'])).toEqual([500, 1_000]);
  expect(sharesOf(['-1', '0', '3'])).toEqual([0, 250, 1_000]);
  expect(sharesOf(['0', '0'])).toEqual([0, 0]);
  expect(sharesOf(['900000000000000000000.000000000001', '0'])).toEqual([1_000, 0]);
  expect(sharesOf([])).toEqual([]);
});

it('the curve of a batch covers the time of its samples', () => {
  const samples = [
    { atMs: 1_000, done: 0 },
    { atMs: 2_000, done: 30 },
    { atMs: 5_000, done: 100 },
  ];
  expect(progressCurve(samples, 100)).toEqual([
    { x: 0, y: 0 },
    { x: 250, y: 300 },
    { x: 1_000, y: 1_000 },
  ]);
  expect(progressCurve(samples.slice(0, 1), 0)).toEqual([{ x: 0, y: 0 }]);
});

it('a history keeps its first and its newest sample, and stays small', () => {
  let history: readonly ProgressSample[] = [];
  for (let n = 0; n < 10_000; n += 1) {
    history = withHistory(history, { atMs: n, done: n });
    expect(history.length).toBeLessThanOrEqual(60);
    expect([history[0]?.atMs, history.at(-1)?.atMs]).toEqual([0, n]);
  }
  expect(history.length).toBeGreaterThan(20);
});
