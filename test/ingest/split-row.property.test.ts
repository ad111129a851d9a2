import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import papaparse from 'papaparse';
import { scanRows } from '../../src/ingest/scan-rows.ts';
import { splitRow } from '../../src/ingest/split-row.ts';
import { createRowCursor } from '../../src/ingest/table-block.ts';

/** Cells, some of them quoted, and now and then a piece that makes a row malformed. */
const cell = fc.oneof(
  fc.constantFrom('', 'a', ' a ', 'ü', '\u{1F600}', '\u2028', '\0', ';', '\t'),
  fc
    .string({ unit: fc.constantFrom('a', '""', ',', ';', '\t', '\n', ' ') })
    .map((text) => `"${text}"`),
);
const piece = fc.oneof({ weight: 50, arbitrary: cell }, { weight: 1, arbitrary: fc.constant('"') });

const table = fc
  .tuple(fc.array(fc.array(piece, { minLength: 1, maxLength: 4 })), fc.constantFrom(',', ';', '\t'))
  .map(([rows, delimiter]) => ({
    delimiter,
    text: rows.map((cells) => `${cells.join(delimiter)}\n`).join(''),
  }));

/** Returns the cells of each row that the scan accepts; as this program reads them, and as Papa Parse does. */
function cellsOf(text: string, delimiter: string) {
  const scan = scanRows(text, delimiter, 1);
  const accepted = text.slice(0, scan.end);
  const layout = {
    delimiter,
    names: ['address'],
    width: 1,
    positions: POSITIONS,
    emptyColumns: [],
    decimalComma: false,
  };
  const nextRow = createRowCursor({ ...scan, text: accepted, layout });
  const parser = new papaparse.Parser({ delimiter, newline: '\n' });
  return {
    ours: scan.lines.map(() => nextRow().cells),
    lines: scan.lines,
    theirs: parser.parse(accepted, 0, true),
  };
}

const POSITIONS = { address: 0, amount: -1, currency: -1, comment: -1, reference: -1, name: -1 };

it('rows are split into the cells that Papa Parse finds, in any text that the scan accepts', () => {
  let quotedRows = 0;
  fc.assert(
    fc.property(table, ({ text, delimiter }) => {
      const { ours, theirs } = cellsOf(text, delimiter);
      expect(theirs.errors).toEqual([]);
      expect(ours).toEqual(theirs.data);
      if (text.includes('"')) quotedRows += ours.length;
    }),
    { numRuns: 1_000 },
  );
  expect(quotedRows).toBeGreaterThan(1_000);
});

it('a row after one of several lines begins where that one ends', () => {
  const { ours, lines } = cellsOf('"a\nb",c\n\nd,"e\n\nf"\ng,h\n', ',');
  expect(ours).toEqual([['a\nb', 'c'], [''], ['d', 'e\n\nf'], ['g', 'h']]);
  expect(lines).toEqual([1, 3, 4, 7]);
});

it.each(['"', 'a,"b', ',"a"b', '"a"b,c', '"a"""b'])(
  'a row is not split at a quote that the scan refuses: %s',
  (row) => {
    expect(() => splitRow(row, ',')).toThrow('without an end');
  },
);
