import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { packRow, packRows, unpackRows } from '../../../src/domain/rows/row.ts';
import { anyText } from '../../support/any-text.ts';

/** Also with halves of characters, quotes and control characters, which JSON writes as escapes. */
const text = fc.oneof(
  anyText(),
  fc.string({
    unit: fc.constantFrom('"', '\\', '\n', '\0', '\u001f', '\ud83d', '\ude00', 'a', '\u2028'),
  }),
);
const row = fc.record({
  row: fc.integer({ min: 1 }),
  address: text,
  amount: text,
  comment: text,
  reference: text,
});

it('packed rows are unpacked unchanged', () => {
  fc.assert(
    fc.property(fc.array(row), (rows) => {
      expect(unpackRows(packRows(rows))).toEqual(rows);
    }),
  );
});

it('a packed row is the text that JSON.stringify writes', () => {
  fc.assert(
    fc.property(row, (each) => {
      const { row: number, address, amount, comment, reference } = each;
      expect(packRow(each)).toBe(JSON.stringify([number, address, amount, comment, reference]));
    }),
    { numRuns: 2_000 },
  );
});
