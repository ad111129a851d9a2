import { createReadStream, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { spreadsheetSafe } from '../../src/domain/files/csv.ts';
import { createLineWriter, sheetHeader } from '../../src/report/sheet.ts';
import { readSheet, SHEET_ROW_CHARS_MAX } from '../../src/report/read-sheet.ts';
import { anyText } from '../support/any-text.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

async function read(path: string): Promise<(readonly string[])[]> {
  const rows = [];
  for await (const row of readSheet(createReadStream(path))) rows.push(row);
  return rows;
}

describe('a sheet of a report', () => {
  it('is read as it was written, with any content of its cells', async () => {
    const path = join(temporaryFolder(), 'report.csv');
    const cell = fc.oneof(
      fc.string({ unit: fc.constantFrom(...'a1 ,;"\'=+-@\t\r\n\u00a0\u{1F680}'), maxLength: 12 }),
      anyText({ maxLength: 8 }),
      fc.constant('0.000000000000000001'),
    );
    const table = fc.array(fc.tuple(cell, cell, cell), { maxLength: 8 });
    const header = ['one', 'two', 'three'];
    const writeLine = createLineWriter(header.length);
    await fc.assert(
      fc.asyncProperty(table, async (rows) => {
        writeFileSync(path, sheetHeader(header) + rows.map(writeLine).join(''));
        expect(await read(path)).toEqual([header, ...rows.map((row) => row.map(spreadsheetSafe))]);
      }),
      { numRuns: 80, seed: 1 },
    );
  });

  it.each<[string, (size: number) => string]>([
    [
      'a quote that is never closed',
      (size) => `a,b\n"${`${'x'.repeat(127)}\n`.repeat(size / 128)}`,
    ],
    ['no line end', (size) => `a,b\n${'x'.repeat(size)}`],
  ])('is not read further after a row of %s', async (_, contentOf) => {
    const path = join(temporaryFolder(), 'report.csv');
    writeFileSync(path, contentOf(4 * SHEET_ROW_CHARS_MAX));
    await expect(read(path)).rejects.toThrow('a row is too long for a row of a report');
    writeFileSync(path, contentOf(SHEET_ROW_CHARS_MAX / 2));
    expect(await read(path)).toHaveLength(2);
  });
});
