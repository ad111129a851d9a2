import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { PART, PRINT_WORDS, printSpaceOf } from '../../../src/domain/plan/row-print.ts';
import { createRepeats, type Repeat } from '../../../src/ingest/history/repeats.ts';

/** Returns fingerprints that differ only in the row hash, which has few values here. */
function printsOf(hashes: readonly number[]): Int32Array {
  const prints = new Int32Array(hashes.length * PRINT_WORDS);
  hashes.forEach((hash, i) => {
    // Different rows share the first half, so that both halves must be compared.
    prints.set([hash % 2, hash], i * PRINT_WORDS + PART.row);
    prints[i * PRINT_WORDS + PART.number] = i + 2;
  });
  return prints;
}

/** Returns the rows in common with each of the other batches, compared one after the other. */
function repeatsOf(own: readonly number[], ...others: readonly (readonly number[])[]): Repeat[][] {
  const repeats = createRepeats<number>(own.length);
  others.forEach((hashes, batch) => {
    const prints = printsOf(hashes);
    for (let at = 0; at < prints.length; at += PRINT_WORDS) repeats.take(prints, at);
    repeats.end(batch);
  });
  const matcher = repeats.matcher();
  // Rows come in segments.
  const half = Math.floor(own.length / 2);
  const prints = printsOf(own);
  const [one, other] = [
    prints.subarray(0, half * PRINT_WORDS),
    prints.subarray(half * PRINT_WORDS),
  ];
  matcher.add({ prints: one, space: SPACE, first: 0 });
  matcher.add({ prints: other, space: SPACE, first: half });
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
  it('are as many as both have, each matched once, in file order', () => {
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

  it('are the same for any order of rows in the other batch', () => {
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

  it('take no more time when a hundred thousand rows pay the same', () => {
    const many = Array.from({ length: 100_000 }, () => 3);
    expect(repeatsOf(many, many)[0]?.length).toBe(many.length);
  });
});
