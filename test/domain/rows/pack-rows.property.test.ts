import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { packRows, unpackRows } from '../../../src/domain/rows/row.ts';
import { anyText } from '../../support/any-text.ts';

it('packed rows are unpacked unchanged', () => {
  const text = anyText();
  const row = fc.record({
    row: fc.integer({ min: 1 }),
    address: text,
    amount: text,
    comment: text,
    reference: text,
  });
  fc.assert(
    fc.property(fc.array(row), (rows) => {
      expect(unpackRows(packRows(rows))).toEqual(rows);
    }),
  );
});
