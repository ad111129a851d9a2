import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { PART, PRINT_WORDS } from '../../../src/domain/plan/row-print.ts';
import type { OwnPrints } from '../../../src/ingest/history/own-prints.ts';
import { createRepeats, type Repeat, type Repeats } from '../../../src/ingest/history/repeats.ts';

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

const ownOf = (hashes: readonly number[]): OwnPrints => ({
  count: hashes.length,
  words: printsOf(hashes),
  spaces: [],
  spaceOf: new Uint8Array(hashes.length),
});

function repeatsWith(repeats: Repeats, hashes: readonly number[]): Repeat[] {
  const prints = printsOf(hashes);
  for (let at = 0; at < prints.length; at += PRINT_WORDS) repeats.take(prints, at);
  const found: Repeat[] = [];
  const count = repeats.count();
  repeats.close((repeat) => found.push(repeat));
  expect(found.length).toBe(count);
  return found;
}

const countOf = (hashes: readonly number[], hash: number): number =>
  hashes.filter((each) => each === hash).length;

const hashes = fc.array(fc.nat(6), { maxLength: 30 });

describe('rows that a batch has in common with another one', () => {
  it('are as many of each as stand in both, each its own, the first ones of the file first', () => {
    fc.assert(
      fc.property(hashes, fc.array(hashes, { maxLength: 3 }), (own, others) => {
        const repeats = createRepeats(ownOf(own));
        for (const other of others) {
          const found = repeatsWith(repeats, other);
          for (let hash = 0; hash <= 6; hash++) {
            const places = own.flatMap((each, index) => (each === hash ? [index] : []));
            const common = Math.min(places.length, countOf(other, hash));
            const matched = found.map(({ index }) => index).filter((index) => own[index] === hash);
            expect(matched).toEqual(places.slice(0, common));
          }
          for (const { index, row } of found) expect(other[row - 2]).toBe(own[index]);
          expect(new Set(found.map(({ row }) => row)).size).toBe(found.length);
        }
      }),
    );
  });

  it('are the same in whatever order the other batch has its rows', () => {
    const shuffled = hashes.chain((rows) =>
      fc.tuple(fc.constant(rows), fc.shuffledSubarray(rows, { minLength: rows.length })),
    );
    fc.assert(
      fc.property(hashes, shuffled, (own, [rows, otherOrder]) => {
        const repeats = createRepeats(ownOf(own));
        const indexes = (list: readonly number[]) =>
          repeatsWith(repeats, list)
            .map(({ index }) => index)
            .sort((a, b) => a - b);
        expect(indexes(otherOrder)).toEqual(indexes(rows));
      }),
    );
  });

  it('are found in no more time when a hundred thousand rows pay the same', () => {
    const many = Array.from({ length: 100_000 }, () => 3);
    expect(repeatsWith(createRepeats(ownOf(many)), many).length).toBe(many.length);
  });
});
