import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { PART, PRINT_WORDS } from '../../src/domain/plan/row-print.ts';
import { createDuplicateIndex } from '../../src/ingest/duplicate-index.ts';

/** Prints whose rows have these hashes; numbers from `firstRow` on. */
function printsOf(hashes: readonly (readonly [number, number])[], firstRow = 1): Int32Array {
  const prints = new Int32Array(hashes.length * PRINT_WORDS);
  hashes.forEach((hash, i) => {
    prints.set(hash, i * PRINT_WORDS + PART.row);
    prints[i * PRINT_WORDS + PART.number] = firstRow + i;
  });
  return prints;
}

it('rows are told apart and found again as a map does, whatever size was expected', () => {
  const word = fc.constantFrom(0, 1, -1, 2 ** 31 - 1, -(2 ** 31));
  const hashes = fc.array(fc.tuple(word, word), { maxLength: 200 });
  fc.assert(
    fc.property(hashes, fc.nat(1_000), (pairs, expected) => {
      const index = createDuplicateIndex(() => expected);
      const firsts = new Map<string, number>();
      const wanted = pairs.flatMap((pair, i) => {
        const firstRow = firsts.get(String(pair));
        if (firstRow === undefined) firsts.set(String(pair), i + 1);
        return firstRow === undefined ? [] : [{ row: i + 1, firstRow }];
      });
      expect(index.take(printsOf(pairs))).toEqual(wanted);
    }),
  );
});

it.each([
  ['no estimate', 0],
  ['a good estimate', 100_000],
  ['an estimate that is far too low', 5_000],
])('a hundred thousand different rows have no duplicate, with %s', (_, estimate) => {
  const index = createDuplicateIndex(() => estimate);
  const count = 100_000;
  const hash = (i: number) => [Math.imul(i, 0x9e3779b1), i] as const;
  expect(
    index.take(
      printsOf(
        Array.from({ length: count }, (__, i) => hash(i)),
        2,
      ),
    ),
  ).toEqual([]);
  expect(index.take(printsOf([hash(0), hash(count - 1), hash(count)], 400_000))).toEqual([
    { row: 400_000, firstRow: 2 },
    { row: 400_001, firstRow: count + 1 },
  ]);
});
