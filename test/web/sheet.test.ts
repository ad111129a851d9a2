import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { csvLine } from '../../src/domain/files/csv.ts';
import { cellOf, firstPayments, sheetRows } from '../../src/web/words/sheet.ts';

describe('a file as a sheet', () => {
  it('has the lines of its rows, as an editor counts them', () => {
    const rows = sheetRows('\uFEFFa,b\r\n"x\ny",2\r\n\r\n"say ""hi""",4');
    expect(rows).toEqual([
      { line: 1, cells: ['a', 'b'] },
      { line: 2, cells: ['x\ny', '2'] },
      { line: 4, cells: [''] },
      { line: 5, cells: ['say "hi"', '4'] },
    ]);
  });

  it.each([';', '\t'])('may have the delimiter %j', (delimiter) => {
    expect(sheetRows(`a${delimiter}b\n1,5${delimiter}2`)[1]?.cells).toEqual(['1,5', '2']);
  });

  it('is read as it was written', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(fc.string(), { minLength: 2, maxLength: 4 }), { minLength: 1 }),
        (table) => {
          const plain = table.map((cells) =>
            cells.map((cell) => cell.replaceAll(/[\r\uFEFF;\t]/g, '')),
          );
          const text = plain.map((cells) => csvLine(cells)).join('\n');
          fc.pre(sheetRows(text)[0]?.cells.length === plain[0]?.length);
          expect(sheetRows(`${text}\n`).map(({ cells }) => cells)).toEqual(plain);
        },
      ),
    );
  });
});

describe('the cell of an error', () => {
  it('is that of its column, by any name that Bursar knows', () => {
    expect(cellOf(['Reference', ' AMOUNT '], 'amount', {})).toBe(1);
    expect(cellOf(['Ref', 'Wallet_Address'], 'address', {})).toBe(1);
    expect(cellOf(['Reference'], 'row', {})).toBe(-1);
  });

  it('is that of the name that a person stated', () => {
    expect(cellOf(['amount', 'Net Pay'], 'amount', { amount: 'net pay' })).toBe(1);
  });
});

describe('the first payments of a file', () => {
  const all = { columns: {}, leftOut: new Set<number>(), count: 10 };

  it('are named as in the file, without rows that are left out', () => {
    const text =
      'name,address,amount,currency\nAnn,T1,1.5,USDT\nBob,T2,x,USDT\n,,,\nCy,T3,"2,000",USDT\n';
    const payments = firstPayments(text, { ...all, leftOut: new Set([3]) });
    expect(payments).toEqual([
      { line: 2, name: 'Ann', reference: '', amount: '1.5', currency: 'USDT', address: 'T1' },
      { line: 5, name: 'Cy', reference: '', amount: '2,000', currency: 'USDT', address: 'T3' },
    ]);
  });

  it('are read by the columns that the person stated', () => {
    const payments = firstPayments('Net,Wallet\n3,T1\n4,T2', {
      ...all,
      columns: { amount: 'Net', address: 'Wallet' },
      count: 1,
    });
    expect(payments).toMatchObject([{ line: 2, amount: '3', address: 'T1' }]);
  });

  it('have no row that was cut off', () => {
    const text = `name,amount\n${'Ann,1.5\n'.repeat(9_000)}`;
    const payments = firstPayments(text, { ...all, count: 9_000 });
    expect(payments.every(({ name, amount }) => `${name} ${amount}` === 'Ann 1.5')).toBe(true);
  });
});
