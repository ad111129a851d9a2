import { describe, expect, it } from '@jest/globals';
import { PLAIN_FORM } from '../../src/domain/rows/file-form.ts';
import { firstUses, formWithUses, usedTwice } from '../../src/web/words/column-uses.ts';

const UNKNOWN = [{ name: 'Wallet Adress', suggestion: 'address' }, { name: 'Team' }] as const;

describe('the uses of unknown columns', () => {
  it('are suggestions at first, and nothing where there is none', () => {
    expect([...firstUses(UNKNOWN)]).toEqual([
      ['Wallet Adress', 'address'],
      ['Team', null],
    ]);
  });

  it('are added to what was stated before', () => {
    const before = {
      ...PLAIN_FORM,
      sheet: 'Pay',
      columns: { amount: 'Net' },
      ignoreColumns: ['x'],
    };
    const uses = new Map([
      ['Wallet Adress', 'address'],
      ['Team', 'ignore'],
      ['X', 'ignore'],
    ] as const);
    expect(formWithUses(before, uses)).toEqual({
      sheet: 'Pay',
      decimalComma: false,
      columns: { amount: 'Net', address: 'Wallet Adress' },
      ignoreColumns: ['Team', 'X'],
    });
  });

  it('are two for one column where a person chose so, or had stated so', () => {
    const uses = new Map([
      ['a', 'amount'],
      ['b', 'amount'],
      ['c', 'address'],
      ['d', 'ignore'],
      ['e', 'ignore'],
    ] as const);
    expect([...usedTwice(uses, PLAIN_FORM)]).toEqual(['a', 'b']);
    expect([...usedTwice(uses, { ...PLAIN_FORM, columns: { address: 'z' } })]).toEqual([
      'a',
      'b',
      'c',
    ]);
  });
});
