import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { csvLine } from '../../src/domain/files/csv.ts';
import { cellOf, fileWithErrors, sheetRows } from '../../src/web/words/sheet.ts';

const error = (row: number, column: string, what: string) => ({
  row,
  column,
  what,
  fix: 'Mend it.',
});

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

describe('the file with its errors', () => {
  const rows = sheetRows('amount,comment\n1e5,=1+1\n2,"a, b"\n3');

  it('has the own cells as they are, and the errors behind them', () => {
    const file = fileWithErrors(rows, [
      error(2, 'amount', '"1e5" is no number.'),
      error(2, 'row', 'Too long.'),
      error(4, 'comment', '=cmd|x'),
    ]);
    expect(file.split('\r\n')).toEqual([
      'amount,comment,error',
      '1e5,=1+1,"amount: ""1e5"" is no number. Mend it. / row: Too long. Mend it."',
      '2,"a, b",',
      '3,,comment: =cmd|x Mend it.',
      '',
    ]);
  });

  it('marks the cell of its column, whatever its case', () => {
    expect(cellOf(['Reference', ' AMOUNT '], 'amount')).toBe(1);
    expect(cellOf(['Reference'], 'row')).toBe(-1);
  });
});
