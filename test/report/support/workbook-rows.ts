import { readSheetRows } from '../../../src/ingest/workbook/sheet-rows.ts';
import { openWorkbook } from '../../../src/ingest/workbook/open-workbook.ts';

/** The cells of a sheet as Bursar reads a workbook that it is to pay. Fails for a cell that it would not trust. */
export async function workbookRows(bytes: Buffer, name = 'Rows'): Promise<string[][]> {
  const { workbook, sheet, context } = await openWorkbook(blocksOf(bytes), {
    file: 'rows.xlsx',
    partBytesMax: 2 ** 30,
    sheet: name,
    decimalComma: false,
  });
  const rows: string[][] = [];
  for await (const some of readSheetRows({ workbook, part: sheet.part, context })) {
    for (const { row, cells } of some) {
      const texts: string[] = [];
      for (const { position, text, doubt } of cells) {
        if (doubt !== undefined) throw new Error(`row ${row} is uncertain: ${doubt}, ${text}`);
        texts[position] = text;
      }
      rows[row - 1] = Array.from(texts, (text: string | undefined) => text ?? '');
    }
  }
  return rows;
}

async function* blocksOf(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}
