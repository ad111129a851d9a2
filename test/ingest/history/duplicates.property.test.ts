import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { PART, PRINT_WORDS, printSpaceOf } from '../../../src/domain/plan/row-print.ts';
import { createDuplicates } from '../../../src/ingest/history/duplicates.ts';
import { newPayees } from '../../../src/ingest/history/new-payees.ts';
import { createOwnPrints } from '../../../src/ingest/history/own-prints.ts';
import { createPayees } from '../../../src/ingest/history/payees.ts';

type Hash = readonly [number, number];

/** Prints that have these hashes in one of their parts; rows are numbered from 2 on. */
function printsOf(hashes: readonly Hash[], part: number): Int32Array {
  const prints = new Int32Array(hashes.length * PRINT_WORDS);
  hashes.forEach((hash, i) => {
    prints.set(hash, i * PRINT_WORDS + part);
    prints[i * PRINT_WORDS + PART.number] = i + 2;
  });
  return prints;
}

/** Rows that pay what an earlier one pays, each with the first such row. */
function duplicatesOf(hashes: readonly Hash[]): [number, number][] {
  const prints = printsOf(hashes, PART.row);
  const duplicates = createDuplicates(hashes.length);
  const found: [number, number][] = [];
  const segment = { prints, space: printSpaceOf('TRX'), first: 0 };
  duplicates.add(segment);
  duplicates.finder((row, firstRow) => found.push([row, firstRow]))(segment);
  return found;
}

const word = fc.constantFrom(0, 1, -1, 2 ** 31 - 1, -(2 ** 31));
const hashesOf = (maxLength: number) => fc.array(fc.tuple(word, word), { maxLength });

describe('rows that pay what an earlier one pays', () => {
  it('are found as a map finds them', () => {
    fc.assert(
      fc.property(hashesOf(200), (hashes) => {
        const firsts = new Map<string, number>();
        const wanted = hashes.flatMap((hash, i): [number, number][] => {
          const firstRow = firsts.get(String(hash));
          if (firstRow === undefined) firsts.set(String(hash), i + 2);
          return firstRow === undefined ? [] : [[i + 2, firstRow]];
        });
        expect(duplicatesOf(hashes)).toEqual(wanted);
      }),
    );
  });

  it('are none among a hundred thousand that differ, and found behind as many', () => {
    const hashOf = (i: number): Hash => [Math.imul(i, 0x9e3779b1), i];
    const many = Array.from({ length: 100_000 }, (_, i) => hashOf(i));
    expect(duplicatesOf(many)).toEqual([]);
    expect(duplicatesOf([...many, hashOf(0), hashOf(99_999), hashOf(100_000)])).toEqual([
      [100_002, 2],
      [100_003, 100_001],
    ]);
  });
});

describe('the first row of each payee', () => {
  it('is the same for who keeps all payees and for who reads the rows several times', async () => {
    await fc.assert(
      fc.asyncProperty(hashesOf(60), hashesOf(60), async (one, other) => {
        const segments = [
          { currency: 'TRX', prints: printsOf(one, PART.address) },
          { currency: 'USDT_TRC20', prints: printsOf(other, PART.address) },
          { currency: 'TRX', prints: printsOf(other, PART.address) },
        ];
        const count = one.length + 2 * other.length;
        const own = createOwnPrints({ prints: () => segments, count });
        const payees = createPayees(count);
        await own.each(payees.add);
        const names = segments.flatMap(({ currency, prints }, i) =>
          (i === 0 ? one : other).map((_, row) => {
            const at = row * PRINT_WORDS + PART.address;
            return `${currency} ${prints[at]} ${prints[at + 1]}`;
          }),
        );
        const wanted = names.map((name, i) => (names.indexOf(name) === i ? 1 : 0));
        expect([...payees.isNew]).toEqual(wanted);
        expect([...(await newPayees(own))]).toEqual(wanted);
      }),
    );
  });

  it('is found in more rows than are held against each other at a time', async () => {
    const count = 300_000;
    const hashes = Array.from(
      { length: count },
      (_, i): Hash => [Math.imul(i % (count / 2), 0x9e3779b1), i % (count / 2)],
    );
    const segments = [{ currency: 'TRX', prints: printsOf(hashes, PART.address) }];
    const isNew = await newPayees(createOwnPrints({ prints: () => segments, count }));
    expect(isNew.subarray(0, count / 2).every((flag) => flag === 1)).toBe(true);
    expect(isNew.subarray(count / 2).some((flag) => flag === 1)).toBe(false);
  });
});
