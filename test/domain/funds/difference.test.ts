import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { BalanceLine, BalanceComparison } from '../../../src/domain/funds/compare-balance.ts';
import { judgeDifference, largestOf } from '../../../src/domain/funds/difference.ts';

/** A read of an account in which rows of 200 were ordered, of which 100 were paid: what left beyond that. */
function lineOf(left: number, currency = 'TRX'): BalanceLine {
  const beyond = left - 200;
  return {
    currency,
    opening: '1000',
    closing: String(1000 - left),
    left: String(left),
    atLeast: '100',
    atMost: '100',
    unexplained: String(Math.max(0, left - 100)),
    ...(beyond > 0 ? { beyondOrders: String(beyond) } : {}),
  };
}

function readOf(...lines: readonly BalanceLine[]): BalanceComparison {
  if (lines.some(({ unexplained }) => unexplained !== '0')) return { kind: 'differs', lines };
  const hasArrived = lines.some(({ left, atLeast }) => Number(left) < Number(atLeast));
  return hasArrived
    ? { kind: 'not-checkable', because: 'money arrived', lines }
    : { kind: 'explained', lines };
}

const UNANSWERED: BalanceComparison = {
  kind: 'not-checkable',
  because: 'no answer',
  lines: [],
  isPassing: true,
};

/** What reads prove one after the other, and the difference that each leaves. */
function judge(
  reads: readonly BalanceComparison[],
  accepted: Readonly<Record<string, string>> = {},
) {
  let seen: readonly BalanceLine[] = [];
  let last = judgeDifference({ seen, found: UNANSWERED, accepted: new Map() });
  for (const found of reads) {
    last = judgeDifference({ seen, found, accepted: new Map(Object.entries(accepted)) });
    if (last.kind !== 'not-checkable') {
      seen = last.lines.filter(({ unexplained }) => unexplained !== '0');
    }
  }
  return last;
}

const CERTAIN = readOf(lineOf(301));
const MAY_RETURN = readOf(lineOf(150));
const EXPLAINED = readOf(lineOf(100));
const TOPPED_UP = readOf(lineOf(-700));

describe('the conclusion from several reads of a balance', () => {
  it.each([
    ['no difference', [EXPLAINED], 'explained', undefined],
    ['no answer', [UNANSWERED], 'not-checkable', undefined],
    ['more than was ordered', [CERTAIN], 'differs', '201'],
    ['no answer after it', [CERTAIN, UNANSWERED], 'differs', '201'],
    ['a top-up after it', [CERTAIN, TOPPED_UP], 'differs', '201'],
    ['a top-up of the shortage after it', [CERTAIN, EXPLAINED], 'differs', '101'],
    ['a top-up of a part after it', [CERTAIN, MAY_RETURN], 'differs', '101'],
    ['an explained read between', [CERTAIN, EXPLAINED, TOPPED_UP], 'differs', '101'],
    ['less at first', [MAY_RETURN, CERTAIN, EXPLAINED], 'differs', '101'],
    ['a late return', [MAY_RETURN, EXPLAINED], 'explained', undefined],
    ['no answer instead of a late return', [MAY_RETURN, UNANSWERED], 'differs', '50'],
    ['a top-up instead of a late return', [MAY_RETURN, TOPPED_UP], 'differs', '50'],
    ['a late return after it', [MAY_RETURN, UNANSWERED, EXPLAINED], 'explained', undefined],
  ] as const)('%s', (_what, reads, kind, unexplained) => {
    const found = judge(reads);
    expect(found.kind).toBe(kind);
    const line = found.lines.find((one) => one.unexplained !== '0');
    expect(line?.unexplained).toBe(unexplained);
  });

  it('only more than was ordered is certain', () => {
    expect(judge([CERTAIN])).toMatchObject({ isCertain: true });
    expect(judge([CERTAIN, TOPPED_UP])).toMatchObject({ isCertain: true });
    expect(judge([MAY_RETURN])).toMatchObject({ isCertain: false });
  });

  it.each([
    ['201', 'accepted'],
    ['200.99', 'differs'],
  ])('of 201 a person accepted %s: %s', (amount, kind) => {
    for (const later of [CERTAIN, UNANSWERED, TOPPED_UP]) {
      expect(judge([CERTAIN, later], { TRX: amount }).kind).toBe(kind);
    }
  });

  it('each currency needs its own acceptance', () => {
    const both = readOf(lineOf(301), lineOf(301, 'BTC'));
    expect(judge([both], { TRX: '500' }).kind).toBe('differs');
    expect(judge([both], { TRX: '500', BTC: '201' }).kind).toBe('accepted');
  });

  it('the figures are those of the read that showed the difference first', () => {
    expect(judge([CERTAIN, readOf(lineOf(250)), TOPPED_UP]).lines[0]).toMatchObject({
      beyondOrders: '101',
    });
    expect(judge([CERTAIN, UNANSWERED]).lines[0]).toMatchObject({ closing: '699', left: '301' });
  });

  it('the largest of several differences counts, by currency', () => {
    const lines = [[lineOf(301), lineOf(150, 'BTC')], [lineOf(302)], [lineOf(120)]];
    expect(largestOf(lines)).toEqual(
      new Map([
        ['TRX', '202'],
        ['BTC', '50'],
      ]),
    );
  });

  it('money beyond all orders never becomes less in later reads', () => {
    const anyRead = fc.oneof(
      fc.integer({ min: -900, max: 900 }).map((left) => readOf(lineOf(left))),
      fc.constant(UNANSWERED),
    );
    fc.assert(
      fc.property(fc.array(anyRead, { maxLength: 8 }), fc.integer({ min: 1 }), (reads, extra) => {
        const beyond = extra % 700;
        if (beyond === 0) return;
        const found = judge([readOf(lineOf(200 + beyond)), ...reads]);
        expect(found.kind).toBe('differs');
        expect(Number(found.lines[0]?.unexplained)).toBeGreaterThanOrEqual(beyond);
      }),
    );
  });
});

describe('lines of several reads', () => {
  const judged = (seen: readonly BalanceLine[], found: BalanceComparison) =>
    judgeDifference({ seen, found, accepted: new Map() });

  it('are certain as soon as one currency is', () => {
    expect(judge([readOf(lineOf(150, 'BTC'), lineOf(301))])).toMatchObject({ isCertain: true });
  });

  it('of one currency count with the larger difference, in any order', () => {
    for (const seen of [
      [lineOf(301), lineOf(150)],
      [lineOf(150), lineOf(301)],
    ]) {
      const { lines } = judged(seen, UNANSWERED);
      expect(lines).toMatchObject([{ unexplained: '201', beyondOrders: '101' }]);
    }
  });

  it('have nothing beyond the orders where nothing was', () => {
    expect(judged([lineOf(150)], UNANSWERED).lines[0]).not.toHaveProperty('beyondOrders');
  });
});
