import { describe, expect, it } from '@jest/globals';
import type { FundsClaim, OpenChunk } from '../../../src/domain/funds/claim.ts';
import { judgeFunds, shortfallsOf } from '../../../src/domain/funds/decide-funds.ts';
import { fundsTooLow } from '../../../src/domain/funds/too-low.ts';

const needs = [{ currency: 'TRX', amount: '100', fee: '1.5' }];
const NOW_MS = Date.UTC(2026, 10, 25, 12);
const FRIDAY_MS = Date.UTC(2026, 10, 27, 8);

const holds = (amount: string) => () => [
  { batchId: 'other', amount, stage: 'GRANTED' as const, dueAtMs: null },
];

describe('the balance', () => {
  it.each<{ balance: string; held: string; short: string | undefined }>`
    balance     | held    | short
    ${'101.5'}  | ${'0'}  | ${undefined}
    ${'101.49'} | ${'0'}  | ${'0.01'}
    ${'151.5'}  | ${'50'} | ${undefined}
    ${'151.5'}  | ${'51'} | ${'1'}
    ${'0'}      | ${'0'}  | ${'101.5'}
    ${'-1'}     | ${'0'}  | ${'102.5'}
  `('of $balance less $held is held against 101.5: short of $short', ({ balance, held, short }) => {
    const found = shortfallsOf(needs, new Map([['TRX', balance]]), holds(held));
    expect(found[0]?.short).toBe(short);
  });

  it('of a currency that the account does not hold is zero', () => {
    expect(shortfallsOf(needs, new Map(), () => [])).toEqual([
      {
        currency: 'TRX',
        needed: '101.5',
        available: '0',
        reserved: '0',
        short: '101.5',
        holders: [],
      },
    ]);
  });

  it('of one currency is not lent to another', () => {
    expect(shortfallsOf(needs, new Map([['BTC', '1000000']]), () => [])).toHaveLength(1);
  });
});

const chunk = (total: string, more: Partial<OpenChunk> = {}): OpenChunk => ({
  chunk: 0,
  currency: 'TRX',
  total,
  sending: false,
  ...more,
});

const claim = (batchId: string, seq: number, more: Partial<FundsClaim> = {}): FundsClaim => ({
  batchId,
  seq,
  beforeScheduled: false,
  dueAtMs: null,
  askedAtMs: NOW_MS,
  waitingSinceMs: null,
  grantedAtMs: null,
  fees: [],
  open: [chunk('60')],
  ...more,
});

const OWN = claim('own', 5);

type World = Readonly<{
  before?: readonly FundsClaim[];
  after?: readonly FundsClaim[];
  beforeScheduled?: boolean;
}>;

/** Holds a batch of 60 against a balance of 100. */
const judge = ({ before = [], after = before, beforeScheduled = false }: World) => {
  const own = { ...OWN, beforeScheduled };
  return judgeFunds({
    own,
    looks: { before: [...before, own], after: [...after, own] },
    balances: new Map([['TRX', '100']]),
    nowMs: NOW_MS,
  });
};

const GRANTED = { grantedAtMs: NOW_MS };
const WAITING = { waitingSinceMs: NOW_MS };
const SCHEDULED = { askedAtMs: null, dueAtMs: FRIDAY_MS };
const PLANNED = { askedAtMs: null };

describe('a batch', () => {
  it('may pay when no other batch needs the money', () => {
    expect(judge({})).toEqual({ kind: 'enough' });
  });

  it.each`
    other                    | seq  | verdict
    ${'granted before it'}   | ${1} | ${'short'}
    ${'granted after it'}    | ${9} | ${'short'}
    ${'waiting before it'}   | ${1} | ${'short'}
    ${'waiting after it'}    | ${9} | ${'enough'}
    ${'asking before it'}    | ${1} | ${'unclear'}
    ${'asking after it'}     | ${9} | ${'enough'}
    ${'scheduled before it'} | ${1} | ${'short'}
    ${'scheduled after it'}  | ${9} | ${'enough'}
    ${'planned before it'}   | ${1} | ${'short'}
    ${'planned after it'}    | ${9} | ${'enough'}
  `('finds $verdict beside one that is $other', ({ other, seq, verdict }) => {
    const stages = {
      granted: GRANTED,
      waiting: WAITING,
      asking: {},
      scheduled: SCHEDULED,
      planned: PLANNED,
    };
    const stage = stages[String(other).split(' ')[0] as keyof typeof stages];
    expect(judge({ before: [claim('other', Number(seq), stage)] }).kind).toBe(verdict);
  });

  it.each([
    ['is scheduled for later', SCHEDULED, 'enough'],
    ['has no claim yet', PLANNED, 'enough'],
    ['is due, and has no claim yet', { askedAtMs: null, dueAtMs: NOW_MS }, 'short'],
    ['waits', WAITING, 'short'],
    ['was let go', GRANTED, 'short'],
  ])(
    'that goes before scheduled ones, beside an older one that %s: %s',
    (_what, stage, verdict) => {
      const older = claim('older', 1, stage);
      expect(judge({ before: [older], beforeScheduled: true }).kind).toBe(verdict);
    },
  );

  it('counts a chunk that was open only before the balance was read', () => {
    const before = [claim('other', 1, GRANTED)];
    expect(judge({ before, after: [claim('other', 1, { ...GRANTED, open: [] })] }).kind).toBe(
      'unclear',
    );
    expect(judge({ before, after: [] }).kind).toBe('unclear');
  });

  it('counts a claim only when it was made after the read of the balance', () => {
    expect(judge({ before: [], after: [claim('other', 9, GRANTED)] }).kind).toBe('unclear');
  });

  it('counts each chunk once, though the two reads differ', () => {
    const [a, b, c] = [
      chunk('20', { chunk: 0 }),
      chunk('20', { chunk: 1 }),
      chunk('1', { chunk: 2 }),
    ];
    const before = [claim('other', 1, { ...GRANTED, open: [a, b] })];
    expect(judge({ before, after: [claim('other', 1, { ...GRANTED, open: [b] })] }).kind).toBe(
      'enough',
    );
    const reopened = claim('other', 1, { ...GRANTED, open: [b, c] });
    expect(judge({ before, after: [reopened] }).kind).toBe('unclear');
  });

  it('is not sure while a create of another one is under way', () => {
    const other = claim('other', 1, { ...GRANTED, open: [chunk('60', { sending: true })] });
    expect(judge({ before: [other] }).kind).toBe('unclear');
    const little = claim('other', 1, { ...GRANTED, open: [chunk('40', { sending: true })] });
    expect(judge({ before: [little] }).kind).toBe('enough');
  });

  it('counts the whole fee of another one as long as a chunk of that currency is open', () => {
    const fees = [{ currency: 'TRX', amount: '1' }];
    const open = [chunk('40')];
    expect(judge({ before: [claim('other', 1, { ...GRANTED, open, fees })] }).kind).toBe('short');
    expect(judge({ before: [claim('other', 1, { ...GRANTED, open: [], fees })] }).kind).toBe(
      'enough',
    );
  });
});

it('names the batches that hold the money, the largest first, and no more than three of them', () => {
  const others = [
    claim('small', 1, { ...GRANTED, open: [chunk('1')] }),
    claim('friday', 2, { ...SCHEDULED, open: [chunk('300')] }),
    claim('big', 3, { ...GRANTED, open: [chunk('500')] }),
    claim('waits', 4, { ...WAITING, open: [chunk('2')] }),
  ];
  const verdict = judge({ before: others });
  if (verdict.kind === 'enough') throw new Error('there is not enough');
  expect(fundsTooLow(verdict.shortfalls)).toMatchObject({
    code: 'FUNDS_TOO_LOW',
    what:
      'The batch needs 60.00 TRX with fees. The account has 100.00; batches before it need 803.00 ' +
      '(500.00 for big, which pays, 300.00 for friday, which is scheduled for 2026-11-27T08:00:00Z, ' +
      '2.00 for waits, which waits and asked first, and 1 more). Short by 763.00.',
  });
});

it('does not name a larger sum than the account holds', () => {
  const [short] = shortfallsOf(needs, new Map([['TRX', '9.29']]), holds('95.95'));
  if (short === undefined) throw new Error('it is short');
  expect(fundsTooLow([short]).what).toBe(
    'The batch needs 101.50 TRX with fees. The account has 9.29; batches before it need 95.95 ' +
      '(95.95 for other, which pays). Short by 188.16.',
  );
});

it('names every currency that is short', () => {
  const [first, second] = shortfallsOf(
    [...needs, { currency: 'BTC', amount: '1', fee: '0' }],
    new Map(),
    () => [],
  );
  if (first === undefined || second === undefined) throw new Error('both are short');
  expect(fundsTooLow([first, second]).what).toBe(
    'The batch needs 101.50 TRX with fees. The account has 0.00. Short by 101.50. Also short: 1.00 BTC.',
  );
});
