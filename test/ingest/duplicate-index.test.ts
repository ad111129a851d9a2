import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createDuplicateIndex } from '../../src/ingest/duplicate-index.ts';

const linesOf = (keys: readonly (string | number)[]): Buffer =>
  Buffer.from(keys.map((key) => `${key}\n`).join(''));

it('rows are told apart and found again as a map does, whatever size was expected', () => {
  const keys = fc.array(fc.string({ unit: fc.constantFrom(...'ab\t1'), maxLength: 4 }), {
    maxLength: 200,
  });
  fc.assert(
    fc.property(keys, fc.nat(1_000), (texts, expected) => {
      const index = createDuplicateIndex(() => expected);
      const firsts = new Map<string, number>();
      const wanted = texts.flatMap((text, i) => {
        const firstRow = firsts.get(text);
        if (firstRow === undefined) firsts.set(text, i + 1);
        return firstRow === undefined ? [] : [{ row: i + 1, firstRow }];
      });
      const rows = texts.map((_, i) => i + 1);
      expect(index.take(linesOf(texts), rows)).toEqual(wanted);
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
  const keys = Array.from({ length: count }, (__, i) => i);
  const rows = keys.map((key) => key + 2);
  expect(index.take(linesOf(keys), rows)).toEqual([]);
  expect(index.take(linesOf([0, count - 1, count]), [400_000, 400_001, 400_002])).toEqual([
    { row: 400_000, firstRow: 2 },
    { row: 400_001, firstRow: count + 1 },
  ]);
});
