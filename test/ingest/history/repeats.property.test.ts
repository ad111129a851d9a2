import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { PART, PRINT_WORDS, printSpaceOf } from '../../../src/domain/plan/row-print.ts';
import { createRepeats, type Repeat } from '../../../src/ingest/history/repeats.ts';

/** Prints that are told apart by nothing but the hash of their row, which has few values here. */
function printsOf(hashes: readonly number[]): Int32Array {
  const prints = new Int32Array(hashes.length * PRINT_WORDS);
  hashes.forEach((hash, i) => {
    // The same first half for different rows, so that both halves have to be compared.
    prints.set([hash % 2, hash], i * PRINT_WORDS + PART.row);
    prints[i * PRINT_WORDS + PART.number] = i + 2;
  });
  return prints;
}

/** What rows with the hashes have in common with each of the others, as the others pass by one after the other. */
function repeatsOf(own: readonly number[], ...others: readonly (readonly number[])[]): Repeat[][] {
  const repeats = createRepeats<number>(own.length);
  others.forEach((hashes, batch) => {
    const prints = printsOf(hashes);
    for (let at = 0; at < prints.length; at += PRINT_WORDS) repeats.take(prints, at);
    repeats.end(batch);
  });
  const matcher = repeats.matcher();
  // In parts, as rows are read.
  const half = Math.floor(own.length / 2);
  const prints = printsOf(own);
  const [one, other] = [
    prints.subarray(0, half * PRINT_WORDS),
    prints.subarray(half * PRINT_WORDS),
  ];
  matcher.look({ prints: one, space: SPACE, first: 0 });
  matcher.look({ prints: other, space: SPACE, first: half });
  return [...matcher.results()].map(({ batch, shared, each }, place) => {
    const found: Repeat[] = [];
    each((repeat) => found.push(repeat));
    expect([batch, shared]).toEqual([place, found.length]);
    return found;
  });
}

const SPACE = printSpaceOf('USDT_TRC20');

const countOf = (hashes: readonly number[], hash: number): number =>
  hashes.filter((each) => each === hash).length;

const hashes = fc.array(fc.nat(6), { maxLength: 30 });

describe('rows that a batch has in common with another one', () => {
  it('are as many of each as stand in both, each its own, the first ones of the file first', () => {
    fc.assert(
      fc.property(hashes, fc.array(hashes, { maxLength: 3 }), (own, others) => {
        repeatsOf(own, ...others).forEach((found, batch) => {
          const other = others[batch] ?? [];
          for (let hash = 0; hash <= 6; hash++) {
            const places = own.flatMap((each, index) => (each === hash ? [index] : []));
            const common = Math.min(places.length, countOf(other, hash));
            const matched = found.map(({ index }) => index).filter((index) => own[index] === hash);
            expect(matched).toEqual(places.slice(0, common));
          }
          for (const { index, row, otherRow } of found) {
            expect([other[otherRow - 2], row]).toEqual([own[index], index + 2]);
          }
          expect(new Set(found.map(({ otherRow }) => otherRow)).size).toBe(found.length);
        });
      }),
    );
  });

  it('are the same in whatever order the other batch has its rows', () => {
    const shuffled = hashes.chain((rows) =>
      fc.tuple(fc.constant(rows), fc.shuffledSubarray(rows, { minLength: rows.length })),
    );
    fc.assert(
      fc.property(hashes, shuffled, (own, [rows, otherOrder]) => {
        const indexes = (list: readonly number[]) =>
          repeatsOf(own, list)
            .flat()
            .map(({ index }) => index)
            .sort((a, b) => a - b);
        expect(indexes(otherOrder)).toEqual(indexes(rows));
      }),
    );
  });

  it('are found in no more time when a hundred thousand rows pay the same', () => {
    const many = Array.from({ length: 100_000 }, () => 3);
    expect(repeatsOf(many, many)[0]?.length).toBe(many.length);
  });
});
