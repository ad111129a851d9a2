import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { PART, PRINT_WORDS, printSpaceOf } from '../../../src/domain/plan/row-print.ts';
import { createDuplicates } from '../../../src/ingest/history/duplicates.ts';
import { findNewRecipients } from '../../../src/ingest/history/history-comparison.ts';
import { createBatchFingerprints } from '../../../src/ingest/history/batch-fingerprints.ts';
import { createRecipients } from '../../../src/ingest/history/recipients.ts';

type Hash = readonly [number, number];

/** Returns fingerprints with these hashes in one of their parts. Rows are numbered from 2. */
function printsOf(hashes: readonly Hash[], part: number): Int32Array {
  const prints = new Int32Array(hashes.length * PRINT_WORDS);
  hashes.forEach((hash, i) => {
    prints.set(hash, i * PRINT_WORDS + part);
    prints[i * PRINT_WORDS + PART.number] = i + 2;
  });
  return prints;
}

/** Returns the rows that repeat an earlier one, each with its first occurrence. */
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

describe('rows that repeat an earlier one', () => {
  it('are the same as those found with a map', () => {
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

  it('are not found among a hundred thousand different ones, and found after as many', () => {
    const hashOf = (i: number): Hash => [Math.imul(i, 0x9e3779b1), i];
    const many = Array.from({ length: 100_000 }, (_, i) => hashOf(i));
    expect(duplicatesOf(many)).toEqual([]);
    expect(duplicatesOf([...many, hashOf(0), hashOf(99_999), hashOf(100_000)])).toEqual([
      [100_002, 2],
      [100_003, 100_001],
    ]);
  });
});

describe('the first row of each recipient', () => {
  it('is the same with all recipients in memory and with several passes over the rows', async () => {
    await fc.assert(
      fc.asyncProperty(hashesOf(60), hashesOf(60), async (one, other) => {
        const segments = [
          { currency: 'TRX', prints: printsOf(one, PART.address) },
          { currency: 'USDT_TRC20', prints: printsOf(other, PART.address) },
          { currency: 'TRX', prints: printsOf(other, PART.address) },
        ];
        const count = one.length + 2 * other.length;
        const own = createBatchFingerprints({ prints: () => segments, count });
        const payees = createRecipients(count);
        await own.each(payees.add);
        const names = segments.flatMap(({ currency, prints }, i) =>
          (i === 0 ? one : other).map((_, row) => {
            const at = row * PRINT_WORDS + PART.address;
            return `${currency} ${prints[at]} ${prints[at + 1]}`;
          }),
        );
        const wanted = names.map((name, i) => (names.indexOf(name) === i ? 1 : 0));
        expect([...payees.isNew]).toEqual(wanted);
        expect([...(await findNewRecipients(own))]).toEqual(wanted);
      }),
    );
  });

  it('is found in more rows than one pass compares', async () => {
    const count = 300_000;
    const hashes = Array.from(
      { length: count },
      (_, i): Hash => [Math.imul(i % (count / 2), 0x9e3779b1), i % (count / 2)],
    );
    const segments = [{ currency: 'TRX', prints: printsOf(hashes, PART.address) }];
    const isNew = await findNewRecipients(
      createBatchFingerprints({ prints: () => segments, count }),
    );
    expect(isNew.subarray(0, count / 2).every((flag) => flag === 1)).toBe(true);
    expect(isNew.subarray(count / 2).some((flag) => flag === 1)).toBe(false);
  });
});
