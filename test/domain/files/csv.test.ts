import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { csvLine, spreadsheetSafe, startsLikeFormula } from '../../../src/domain/files/csv.ts';

describe('a CSV line', () => {
  it.each<[string[], string]>([
    [['a', 'b'], 'a,b'],
    [['', ''], ','],
    [['a,b'], '"a,b"'],
    [['say "hi"'], '"say ""hi"""'],
    [['two\nlines'], '"two\nlines"'],
    [['a', 'two\nlines', ''], '"a","two\nlines",""'],
    [['a\rb'], '"a\rb"'],
    [[' a', 'b '], '" a","b "'],
    [['\uFEFFa'], '"\uFEFFa"'],
    [["it's; fine"], "it's; fine"],
  ])('writes %j as %j', (cells, line) => {
    expect(csvLine(cells)).toBe(line);
  });
});

describe('a cell that starts like a formula', () => {
  it.each([
    ['=1+1'],
    ['+1'],
    ['-1'],
    ['@SUM(A1)'],
    [' =1'],
    ['\u00A0=1'],
    ['\t1'],
    ['\r1'],
    ['\n1'],
    ['\u00001'],
    ['\u0000=1'],
    [' \u001F=1'],
    ['\uFF1D1'],
    ['\uFF0B1'],
    ['\uFF0D1'],
    ['\uFF201'],
  ])('is noticed and made safe: %j', (cell) => {
    expect(startsLikeFormula(cell)).toBe(true);
    expect(spreadsheetSafe(cell).startsWith("'")).toBe(true);
    expect(spreadsheetSafe(cell).replaceAll("'", '')).toBe(cell);
  });

  it.each(['', '1', '0.000000000000000001', 'a=b', 'a-b', '2026-11-20', "'=1", '(1)', 'Ünal'])(
    'is not seen where there is none: %j',
    (cell) => {
      expect(startsLikeFormula(cell)).toBe(false);
      expect(spreadsheetSafe(cell)).toBe(cell);
    },
  );
});

describe('a cell that a spreadsheet would split', () => {
  it.each([
    ['a;=1', "a;'=1"],
    ['a; -1', "a;' -1"],
    ['a\t@b', "a\t'@b"],
    ['a\n=1\n+2', "a\n'=1\n'+2"],
    ['a\r\n=1', "a\r'\n'=1"],
    ['a;b', 'a;b'],
  ])('starts no formula in the middle: %j becomes %j', (cell, safe) => {
    expect(spreadsheetSafe(cell)).toBe(safe);
  });
});

describe('any text in a cell', () => {
  it('is safe after its escape, loses nothing, and is not changed a second time', () => {
    const hostile = fc.stringMatching(/^[ ;"'=+\-@\t\r\na\uFF1D]{0,10}$/);
    fc.assert(
      fc.property(hostile, (cell) => {
        const safe = spreadsheetSafe(cell);
        expect(startsLikeFormula(safe)).toBe(false);
        expect(safe.replaceAll("'", '')).toBe(cell.replaceAll("'", ''));
        expect(spreadsheetSafe(safe)).toBe(safe);
      }),
      { numRuns: 300 },
    );
  });
});
