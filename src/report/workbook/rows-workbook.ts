import type { Readable } from 'node:stream';
import { readSheet } from '../read-sheet.ts';
import { sheetXml } from './sheet-xml.ts';
import { partsBesideSheets, sheetPart, type WrittenSheet } from './workbook-parts.ts';
import { type ZipPart, zipped } from './zipped.ts';

/** Rows of a sheet, with its header: as many as Excel has. */
const SHEET_ROWS_MAX = 1_048_576;

/** Characters of XML that are packed together. */
const TEXT_CHARS = 65_536;

/** The name of the workbook with the rows of a file of a report; undefined: it has no rows. */
export const workbookName = (file: string): string | undefined =>
  file.endsWith('.csv') ? file.replace(/\.csv$/, '.xlsx') : undefined;

/**
 * The rows of an open CSV file of a report as a workbook (.xlsx), which is made while it is read. Memory holds a few rows. The
 * same file gives the same bytes on the same version of Node.js. Rows that a sheet cannot take go on in a sheet `Rows 2`, and so
 * on, under the same header. The file is closed with the workbook, also where that is not read to its end.
 */
export function rowsWorkbook(
  file: Readable,
  { sheetRowsMax = SHEET_ROWS_MAX }: Readonly<{ sheetRowsMax?: number }> = {},
): Readable {
  return zipped(partsOf(file, sheetRowsMax)).once('close', () => file.destroy());
}

async function* partsOf(file: Readable, sheetRowsMax: number): AsyncGenerator<ZipPart> {
  const rows = readSheet(file);
  const { value: header = [] } = await rows.next();
  const { start, row: rowOf, end } = sheetXml(header);
  const sheets: WrittenSheet[] = [];
  let next = await rows.next();

  async function* sheet(name: string): AsyncGenerator<string> {
    let text = start;
    let count = 1;
    while (next.done !== true && count < sheetRowsMax) {
      count += 1;
      text += rowOf(next.value, count);
      if (text.length >= TEXT_CHARS) {
        yield text;
        text = '';
      }
      next = await rows.next();
    }
    yield text + end(count);
    const columns = header.length;
    sheets.push({ name, filtered: columns === 0 ? null : { rows: count, columns } });
  }

  do {
    const number = sheets.length + 1;
    yield { name: sheetPart(number), content: sheet(number === 1 ? 'Rows' : `Rows ${number}`) };
  } while (next.done !== true);
  yield* partsBesideSheets(sheets);
}
