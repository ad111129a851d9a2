import { describe, expect, it } from '@jest/globals';
import {
  type BalanceQuestion,
  factsOfLines,
  compareBalance,
  linesOfFacts,
} from '../../../src/domain/funds/compare-balance.ts';
import { type ChunkFlow, outflowsOf, type QuotedFees } from '../../../src/domain/funds/outflow.ts';

const CHUNK: ChunkFlow = {
  batchId: 'b',
  chunk: 0,
  currency: 'USDT_TRC20',
  state: 'CREATED',
  isOrdered: true,
  final: true,
  total: '100',
  fee: '10',
  paid: '100',
  open: '0',
  rows: { total: 10, paid: 10, open: 0 },
};

function ask(
  closing: string,
  { chunks = [CHUNK], quotes = new Map() as QuotedFees } = {},
): BalanceQuestion {
  return {
    currencies: ['USDT_TRC20'],
    opening: { balances: new Map([['USDT_TRC20', '1000']]), flows: new Map() },
    closing: {
      balances: new Map([['USDT_TRC20', closing]]),
      flows: outflowsOf(chunks, quotes, 'settled'),
      ordered: outflowsOf(chunks, quotes, 'ordered'),
    },
  };
}

describe('the conclusion from two balances', () => {
  it.each([
    ['890', 'explained', '0'],
    ['890.00', 'explained', '0'],
    // Nothing says what was charged beyond the rows, up to the fee that the service states.
    ['895', 'explained', '0'],
    ['889.99', 'differs', '0.01'],
    ['780', 'differs', '110'],
  ])('1000 before, %s after 100 with a fee of 10: %s', (closing, kind, unexplained) => {
    const found = compareBalance(ask(closing));
    expect([found.kind, found.lines[0]?.unexplained]).toEqual([kind, unexplained]);
  });

  it('more money than expected proves nothing, since it can hide money that left', () => {
    expect(compareBalance(ask('905'))).toMatchObject({
      kind: 'not-checkable',
      because: 'at least 5.00 USDT (TRC20) arrived meanwhile, which can hide money that left',
    });
  });

  it('unknown fees leave no bound', () => {
    const question = ask('700', { chunks: [{ ...CHUNK, fee: null }] });
    expect(compareBalance(question)).toMatchObject({
      kind: 'not-checkable',
      because: 'the fees in USDT_TRC20 are not known',
    });
  });

  it('fees that were quoted stand for those that mass payouts do not state, once a batch', () => {
    const quotes = new Map([['b', [{ currency: 'USDT_TRC20', amount: '20' }]]]);
    const chunks = [
      { ...CHUNK, fee: null },
      { ...CHUNK, fee: null },
    ];
    expect(compareBalance(ask('780', { chunks, quotes })).kind).toBe('explained');
    expect(compareBalance(ask('779', { chunks, quotes })).kind).toBe('differs');
  });

  it('a balance that is not shown proves nothing', () => {
    const question = ask('890');
    const closing = { ...question.closing, balances: new Map<string, string>() };
    expect(compareBalance({ ...question, closing })).toMatchObject({
      kind: 'not-checkable',
      because: 'the service shows no balance in USDT_TRC20',
    });
  });

  it('money beyond all orders is distinguished from money that may be returned late', () => {
    const chunk = { ...CHUNK, paid: '40' };
    const [returned] = compareBalance(ask('890', { chunks: [chunk] })).lines;
    expect(returned).toMatchObject({ atMost: '50', unexplained: '60' });
    expect(returned).not.toHaveProperty('beyondOrders');
    const [beyond] = compareBalance(ask('880', { chunks: [chunk] })).lines;
    expect(beyond).toMatchObject({ unexplained: '70', beyondOrders: '10' });
  });

  it('the lines of a difference are facts of a hold', () => {
    const { lines } = compareBalance(ask('780'));
    expect(linesOfFacts(factsOfLines(lines))).toEqual(lines);
  });

  it.each([
    ['PLANNED', false, '0'],
    ['SENDING', true, '110'],
    ['NEEDS_OPERATOR', true, '110'],
    ['ABANDONED', true, '110'],
    ['REJECTED', true, '0'],
    ['NOT_SENT', true, '0'],
  ] as const)('a chunk that is %s has taken at most %s', (state, isOrdered, most) => {
    const chunk = { ...CHUNK, state, isOrdered, paid: '0', open: '100' };
    const found = compareBalance(ask('1000', { chunks: [chunk] }));
    expect(found.lines[0]).toMatchObject({ atLeast: '0', atMost: most });
  });
});
