import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { currencyBar, slicesOf } from '../../../src/report/summary/chart.ts';
import { reportOf, row } from '../support/reports.ts';

const WHOLE = 10_000n;

const lineOf = (amounts: Readonly<{ paid: string; failed?: string; unknown?: string }>) => {
  const { paid, failed = '0', unknown = '0' } = amounts;
  const rows = [
    row(2, { amount: paid }),
    row(3, { amount: failed, outcome: 'FAILED' }),
    row(4, { amount: unknown, outcome: 'UNKNOWN' }),
  ];
  const line = reportOf(rows).amounts[0];
  if (line === undefined) throw new Error('no currency');
  return line;
};

const widthsOf = (amounts: Parameters<typeof lineOf>[0]) =>
  slicesOf(lineOf(amounts)).map(({ field, width }) => [field, width]);

describe('a bar', () => {
  it('is split in proportion', () => {
    expect(widthsOf({ paid: '75', failed: '20', unknown: '5' })).toEqual([
      ['paid', 7_500n],
      ['failed', 2_000n],
      ['unknown', 500n],
    ]);
  });

  it('shows even the smallest amount visibly', () => {
    const widths = widthsOf({ paid: '1000000000', failed: '0.000000000000000001' });
    expect(widths).toEqual([
      ['paid', 9_850n],
      ['failed', 150n],
    ]);
  });

  it('has no slice for an outcome without an amount', () => {
    expect(widthsOf({ paid: '7' })).toEqual([['paid', WHOLE]]);
    expect(widthsOf({ paid: '0' })).toEqual([]);
  });

  it('is filled exactly for any amounts', () => {
    const amount = fc.bigInt({ min: 0n, max: 10n ** 24n }).map((units) => `${units}`);
    fc.assert(
      fc.property(amount, amount, amount, (paid, failed, unknown) => {
        const widths = slicesOf(lineOf({ paid, failed, unknown })).map(({ width }) => width);
        if (widths.length === 0) return;
        expect(widths.reduce((sum, width) => sum + width, 0n)).toBe(WHOLE);
        for (const width of widths) expect(width).toBeGreaterThan(0n);
      }),
    );
  });

  it('has a text for screen readers', () => {
    const { markup } = currencyBar(lineOf({ paid: '75', failed: '25' }), 4);
    expect(markup).toContain('role="img" aria-labelledby="bar-4 bar-4-desc"');
    expect(markup).toContain('<title id="bar-4">Where 100.00 USDT (TRC20) went</title>');
    expect(markup).toContain(
      '<desc id="bar-4-desc">Paid: 75.00 USDT (TRC20), Failed: 25.00 USDT (TRC20).',
    );
    expect(markup).toContain('x="75.00%" width="25.00%"');
  });
});
