import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { totalsBefore } from '../../../src/domain/lineage/change.ts';
import { FOLLOW_MS_MAX, nextFollowMs } from '../../../src/domain/lineage/follow.ts';
import { inheritedFindings } from '../../../src/domain/lineage/inherited.ts';
import { resendIdOf } from '../../../src/domain/lineage/resend-id.ts';
import { formatAmount, parseAmount, sumAmounts } from '../../../src/domain/money/amount.ts';
import { FINDINGS } from '../../../src/domain/plan/finding.ts';
import { type Share, tieOut } from '../../../src/domain/report/totals.ts';
import { type Outcome, OUTCOMES } from '../../../src/domain/settling/outcome.ts';

describe('the id of a resend', () => {
  it('is that of the root with its number', () => {
    expect(resendIdOf('payroll-2026-11', 2)).toBe('payroll-2026-11-r2');
  });

  it.each([1, 10, 999])('fits into 64 characters, number %i included', (generation) => {
    const id = resendIdOf('x'.repeat(64), generation);
    expect(id).toHaveLength(64);
    expect(id.endsWith(`-r${generation}`)).toBe(true);
  });
});

describe('the time to the next read', () => {
  it('grows to a day, and no further', () => {
    const delays: number[] = [];
    for (let delayMs = 300_000; delays.length < 12; ) {
      delayMs = nextFollowMs(delayMs, { changed: false, firstMs: 300_000 });
      delays.push(delayMs);
    }
    expect(delays.slice(0, 3)).toEqual([600_000, 1_200_000, 2_400_000]);
    expect(delays.at(-1)).toBe(FOLLOW_MS_MAX);
  });

  it('restarts short after a change', () => {
    expect(nextFollowMs(FOLLOW_MS_MAX, { changed: true, firstMs: 5_000 })).toBe(5_000);
  });
});

it('only findings about a row itself are accepted for its resends too', () => {
  const all = Object.keys(FINDINGS);
  expect(inheritedFindings(all)).not.toContain('SAME_FILE_AGAIN');
  expect(inheritedFindings(['DUPLICATE_ROW', 'SAME_FILE_AGAIN', 'TOMORROW'])).toEqual([
    'DUPLICATE_ROW',
  ]);
});

describe('the totals before a change', () => {
  const outcome = fc.constantFrom(...OUTCOMES);
  const row = fc.record({
    amount: fc
      .integer({ min: 1, max: 1_000_000 })
      .map((units) => formatAmount({ units: BigInt(units), scale: 3 })),
    before: outcome,
    after: outcome,
    currency: fc.constantFrom('BTC', 'USDT_TRC20'),
  });

  /** Totals by the law of the tie-out, from rows. */
  function totalsOf(rows: readonly { amount: string; currency: string; outcome: Outcome }[]) {
    const currencies = ['BTC', 'USDT_TRC20'];
    const sum = (of: readonly { amount: string }[]) =>
      formatAmount(
        sumAmounts(of.map(({ amount }) => parseAmount(formatAmount(parseAmount(amount))))),
      );
    const shares: Share[] = rows.map(({ amount, currency, outcome: now }) => ({
      currency,
      outcome: now,
      rows: 1,
      amount: formatAmount(parseAmount(amount)),
    }));
    const amounts = currencies.map((currency) => ({
      currency,
      fee: '0',
      requested: sum(rows.filter((one) => one.currency === currency)),
    }));
    return tieOut('b', { rows: rows.length, amounts }, shares);
  }

  it('are restored to the last digit', () => {
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 20 }), (rows) => {
        const before = totalsOf(rows.map((one) => ({ ...one, outcome: one.before })));
        const after = totalsOf(rows.map((one) => ({ ...one, outcome: one.after })));
        const changes = rows.map((one, i) => ({ ...one, row: i + 2 }));
        expect(totalsBefore(after, changes)).toEqual(before);
      }),
    );
  });
});
