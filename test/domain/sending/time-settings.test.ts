import { expect, it } from '@jest/globals';
import { contradictionsOf, surelyTakenMs } from '../../../src/domain/sending/time-settings.ts';

const DEFAULTS = { timestampWindowMs: 180_000, fenceMarginMs: 60_000, sendBudgetMs: 10_000 };

it.each([
  ['the defaults', {}],
  [
    'a window of 6 s with a margin of 2 s',
    { timestampWindowMs: 6_000, fenceMarginMs: 2_000, sendBudgetMs: 1_000 },
  ],
  ['a skew of half the margin', { skewMs: 30_000 }],
  ['no skew with the least margin', { fenceMarginMs: 2_000, skewMs: 0 }],
  ['a budget just below the window', { sendBudgetMs: 179_999 }],
])('%s hold every sum', (_what, change) => {
  expect(contradictionsOf({ ...DEFAULTS, ...change })).toEqual([]);
});

it.each([
  [
    { fenceMarginMs: 2_000, skewMs: 3_000 },
    'fence_margin_ms',
    '2000 must be at least 2 x api.skew_ms 3000 = 6000',
  ],
  [{ skewMs: 30_001 }, 'fence_margin_ms', '60000 must be at least 2 x api.skew_ms 30001 = 60002'],
  [
    { fenceMarginMs: 1_999 },
    'fence_margin_ms',
    '1999 must be at least 2 x 1000 (Date counts whole seconds) = 2000',
  ],
  [
    { timestampWindowMs: 10_000 },
    'send_budget_ms',
    '10000 must be below api.timestamp_window_ms 10000',
  ],
] as const)('%o is refused with the sum that does not hold', (change, setting, sentence) => {
  expect(contradictionsOf({ ...DEFAULTS, ...change })).toEqual([{ setting, sentence }]);
});

it('a timestamp is surely taken for the window less half of the margin', () => {
  expect(surelyTakenMs({ timestampWindowMs: 180_000, fenceMarginMs: 60_000 })).toBe(150_000);
  expect(surelyTakenMs({ timestampWindowMs: 4_000, fenceMarginMs: 3_001 })).toBe(2_499);
});
