import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { PRINT_WORDS, printSpaceOf } from '../../../src/domain/plan/row-print.ts';
import { openLookAlikes } from '../../../src/ingest/history/look-alikes.ts';
import { findNewRecipients } from '../../../src/ingest/history/history-comparison.ts';
import { createBatchFingerprints } from '../../../src/ingest/history/batch-fingerprints.ts';
import { createRecipientEnds } from '../../../src/ingest/history/recipient-ends.ts';
import { createRandom, evmAddress, type Random, tronAddress } from '../../support/payout-files.ts';
import { type Paid, segmentsOf } from './support/test-rows.ts';

const paid = (address: string, currency = 'USDT_ERC20'): Paid => ({
  address,
  amount: '1',
  currency,
});

/** Returns the rows whose address looks like another one, with the location of the other one. */
async function alikesOf(
  rows: readonly Paid[],
  others: readonly Paid[] = [],
  otherCount = others.length,
): Promise<string[]> {
  const segments = segmentsOf(rows);
  const own = createBatchFingerprints({ prints: () => segments, count: rows.length });
  const ends = createRecipientEnds(await findNewRecipients(own));
  await own.each(ends.add);
  const found: string[] = [];
  const lookAlikes = await openLookAlikes({
    own,
    ends,
    others: otherCount,
    found: (index, { source, row }) => void found.push(`${index + 2} like ${row} of ${source}`),
  });
  for (const { currency, prints } of segmentsOf(others)) {
    const positions = Int32Array.from(
      { length: prints.length / PRINT_WORDS },
      (_, i) => i * PRINT_WORDS,
    );
    const selection = { prints, space: printSpaceOf(currency), positions, count: positions.length };
    lookAlikes.takeSelection(selection, (row) => ({ source: 'past', row }));
  }
  await own.each(lookAlikes.comparer());
  return [...new Set(found)].sort();
}

/** Returns the address with other digits in its middle. `head` and `tail` digits stay. */
const twinOf = (address: string, head: number, tail: number, seed = 9): string => {
  const other = evmAddress(createRandom(seed)).toLowerCase();
  const digits = address.toLowerCase();
  const end = digits.length - tail;
  const cut = digits.slice(0, 2 + head) + other.slice(2 + head, end) + digits.slice(end);
  return cut;
};

const ADDRESS = evmAddress(createRandom(1));

/** Returns random digits of an address without a checksum, which is faster to make. */
const digitsOf = (random: Random): string => Buffer.from(random.bytes(20)).toString('hex');

describe('an address that resembles another one', () => {
  it('is found in the file itself, in both rows', async () => {
    const rows = [paid(ADDRESS), paid(evmAddress(createRandom(2))), paid(twinOf(ADDRESS, 4, 4))];
    expect(await alikesOf(rows)).toEqual(['2 like 4 of this file', '4 like 2 of this file']);
  });

  it('is found in every currency in which it is paid, in any order of rows', async () => {
    const [one, other] = ['USDT_ERC20', 'USDC_POLYGON'];
    const twin = twinOf(ADDRESS, 4, 4);
    const [real, fake, fakeAgain] = [paid(ADDRESS, one), paid(twin, one), paid(twin, other)];
    expect(await alikesOf([real, fake, fakeAgain])).toEqual([
      '2 like 3 of this file',
      '3 like 2 of this file',
      '4 like 2 of this file',
    ]);
    expect(await alikesOf([fake, real, fakeAgain])).toEqual([
      '2 like 3 of this file',
      '3 like 2 of this file',
      '4 like 3 of this file',
    ]);
  });

  it('is found in other batches that paid any currency of the same network family', async () => {
    const twin = twinOf(ADDRESS, 4, 4);
    expect(await alikesOf([paid(ADDRESS)], [paid(twin, 'USDC_POLYGON')])).toEqual([
      '2 like 2 of past',
    ]);
  });

  it('is not found for the same address, in other letters or another currency', async () => {
    const same = [paid(ADDRESS), paid(ADDRESS.toLowerCase(), 'USDC_POLYGON'), paid(ADDRESS, 'ETH')];
    expect(await alikesOf(same, same)).toEqual([]);
  });

  it('is not found on another network family', async () => {
    const tron = tronAddress(createRandom(3));
    expect(await alikesOf([paid(ADDRESS)], [paid(tron, 'USDT_TRC20')])).toEqual([]);
  });

  it.each<[head: number, tail: number, others: number, isFound: boolean]>([
    [3, 4, 1_000, true],
    [3, 4, 10_000_000, false],
    [4, 6, 10_000_000, true],
    [4, 4, 1_000_000, true],
    [2, 8, 1_000, false],
    [8, 3, 1_000, false],
    [5, 5, 1_000_000_000, true],
    [5, 5, 100_000_000_000, false],
    [7, 7, Number.MAX_SAFE_INTEGER, true],
  ])(
    'shares %i first and %i last digits; among %i others: %s',
    async (head, tail, others, isFound) => {
      // The digits after the shared ones must differ.
      const middle = (digit: string): string => digit.repeat(40 - head - tail);
      const [a, b] = [middle('1'), middle('2')].map((each) =>
        `0x${ADDRESS.slice(2, 2 + head)}${each}${ADDRESS.slice(42 - tail)}`.toLowerCase(),
      );
      const found = await alikesOf([paid(a ?? '')], [paid(b ?? '')], others);
      expect(found.length).toBe(isFound ? 1 : 0);
    },
  );

  it('is found in a history full of an address with fewer equal digits', async () => {
    const less = paid(twinOf(ADDRESS, 3, 4, 8));
    const past = [...Array.from({ length: 50 }, () => less), paid(twinOf(ADDRESS, 6, 6))];
    const found = await alikesOf([paid(ADDRESS)], past, 100_000_000);
    expect(found).toEqual(['2 like 52 of past']);
  });

  it('is found exactly when the test made one', async () => {
    const options = fc.record({
      rows: fc.integer({ min: 1, max: 30 }),
      seed: fc.integer({ min: 1, max: 1_000 }),
      poisoned: fc.nat(29),
      head: fc.integer({ min: 5, max: 8 }),
      tail: fc.integer({ min: 5, max: 8 }),
      inFile: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(options, async ({ rows, seed, poisoned, head, tail, inFile }) => {
        const random = createRandom(seed);
        const good = Array.from({ length: rows }, () => evmAddress(random));
        expect(await alikesOf(good.map((address) => paid(address)))).toEqual([]);
        const victim = poisoned % rows;
        const poison = paid(twinOf(good[victim] ?? '', head, tail, seed + 7));
        const own = good.map((address) => paid(address));
        const found = inFile ? await alikesOf([...own, poison]) : await alikesOf(own, [poison]);
        const victims = found.filter((text) => text.startsWith(`${victim + 2} like `));
        expect([victims.length, found.length]).toEqual([1, inFile ? 2 : 1]);
      }),
      { numRuns: 40 },
    );
  });
});

describe('addresses with chosen ends', () => {
  /** Addresses with one beginning, as a company gives to its customers. */
  const vanity = (count: number): Paid[] => {
    const random = createRandom(4);
    return Array.from({ length: count }, () => paid(`0xc0ffee00${digitsOf(random).slice(8)}`));
  };

  it('are no look-alikes because of these ends', async () => {
    const rows = vanity(2_000);
    // Some of them also share their last four digits by chance.
    const tails = rows.map(({ address }) => address.slice(-4));
    expect(new Set(tails).size).toBeLessThan(tails.length);
    expect(await alikesOf(rows, vanity(3_000).slice(2_000))).toEqual([]);
  });

  it('do not hide an address that resembles another one', async () => {
    const rows = [...vanity(500), paid(ADDRESS)];
    expect(await alikesOf(rows, [paid(twinOf(ADDRESS, 6, 6))])).toEqual(['502 like 2 of past']);
  });

  it('are compared in no more time when a hundred thousand have the same ends', async () => {
    const random = createRandom(5);
    const rows = Array.from({ length: 100_000 }, () =>
      paid(`0xc0ffee00${digitsOf(random).slice(8, -4)}beef`),
    );
    expect(await alikesOf(rows)).toEqual([]);
  });
});
