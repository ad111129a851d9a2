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
  name: fc.oneof(fc.constant(''), text),
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
      const { row: number, address, amount, comment, reference, name } = each;
      const texts = [address, amount, comment, reference, ...(name === '' ? [] : [name])];
      expect(packRow(each)).toBe(JSON.stringify([number, ...texts]));
    }),
    { numRuns: 2_000 },
  );
});

it('a row without a name is packed as by older versions, so its hash is the same', () => {
  const unnamed = {
    row: 2,
    address: 'T1',
    amount: '5',
    comment: 'pay',
    reference: 'E-1',
    name: '',
  };
  expect(packRows([unnamed])).toBe('[[2,"T1","5","pay","E-1"]]');
  expect(unpackRows('[[2,"T1","5","pay","E-1"]]')).toEqual([unnamed]);
});
