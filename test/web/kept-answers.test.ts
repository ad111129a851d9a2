import { describe, expect, it } from '@jest/globals';
import { type FileForm, PLAIN_FORM } from '../../src/domain/rows/file-form.ts';
import {
  answeredAsBefore,
  headerOf,
  isSameHeader,
  needsCurrency,
  needsDecimalComma,
} from '../../src/web/words/kept-answers.ts';

const KEPT: FileForm = {
  sheet: 'December',
  decimalComma: true,
  columns: { address: 'Wallet', amount: 'Net' },
  ignoreColumns: ['Salary'],
};

const columns = (...names: string[]) => ({ columns: names.map((name) => ({ name })) });

describe('a question about the next file', () => {
  it('is answered as before where it names the same columns', () => {
    expect(answeredAsBefore(columns('Salary', 'Net', 'Wallet'), PLAIN_FORM, KEPT)).toEqual({
      ...KEPT,
      sheet: null,
      decimalComma: false,
    });
  });

  it.each([
    [columns('Net', 'Wallet')],
    [columns('Net', 'Wallet', 'Salary', 'Bonus')],
    [columns('Net', 'Wallet', 'Bonus')],
    [{ sheets: ['January', 'February'] }],
    [{}],
  ])('is asked where it is another one: %j', (asks) => {
    expect(answeredAsBefore(asks, PLAIN_FORM, KEPT)).toBeNull();
  });

  it('is answered with the same sheet, and then with the same columns', () => {
    const form = answeredAsBefore({ sheets: ['November', 'December'] }, PLAIN_FORM, KEPT);
    expect(form).toEqual({ ...PLAIN_FORM, sheet: 'December' });
    expect(answeredAsBefore(columns('Net', 'Wallet', 'Salary'), form ?? KEPT, KEPT)).toEqual({
      ...KEPT,
      decimalComma: false,
    });
  });

  it('is asked where nothing was answered before', () => {
    expect(answeredAsBefore({ sheets: ['December'] }, PLAIN_FORM, PLAIN_FORM)).toBeNull();
    expect(answeredAsBefore(columns('Net'), PLAIN_FORM, PLAIN_FORM)).toBeNull();
  });
});

describe('the headers of two files', () => {
  it('are the same but for the column of errors and for the spelling', () => {
    const before = headerOf('\uFEFFaddress;Net\nx;1\n');
    expect(isSameHeader(before, headerOf('Address;net;error\r\nx;1;wrong\r\n'))).toBe(true);
    expect(isSameHeader(before, headerOf('net;address\nx;1\n'))).toBe(false);
    expect(isSameHeader(before, headerOf(null))).toBe(true);
  });
});

describe('a choice about cells', () => {
  const cell = (code: string, value: string) => [{ code, value }];

  it('is made again only where the file has such cells', () => {
    expect(needsDecimalComma(cell('AMOUNT_NOT_DECIMAL', '1200,50'))).toBe(true);
    expect(needsDecimalComma(cell('AMOUNT_NOT_DECIMAL', '1,200.50'))).toBe(false);
    expect(needsDecimalComma(cell('ADDRESS_INVALID', '1200,50'))).toBe(false);
    expect(needsCurrency(cell('CURRENCY_MISSING', ''))).toBe(true);
    expect(needsCurrency([])).toBe(false);
  });
});
