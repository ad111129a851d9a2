import { BursarError } from '../../domain/errors/bursar-error.ts';
import { moreThan, type OtherFormat } from '../../domain/errors/workbook-errors.ts';
import { WORKBOOK_BYTES_MAX } from '../limits.ts';
import { readNumberFormats } from './number-formats.ts';
import type { Workbook } from './read-part.ts';
import { readSharedTexts } from './shared-texts.ts';
import type { CellContext } from './sheet-cell.ts';
import { readSheetRows } from './sheet-rows.ts';
import { readIndex, type Sheet } from './sheets.ts';
import { openZip, type ZipParts } from './zip-parts.ts';

/** The sheet of a workbook that is read. */
export type OpenSheet = Readonly<{ workbook: Workbook; sheet: Sheet; context: CellContext }>;

export type WorkbookOptions = Readonly<{
  file: string;
  /** Largest unpacked part. */
  partBytesMax: number;
  /** The name of the sheet; null: the only one with values. */
  sheet: string | null;
  decimalComma: boolean;
}>;

/**
 * Opens a workbook, and chooses its sheet. The packed workbook and its shared texts stay in memory.
 * @throws FILE_FORMAT, WORKBOOK_*, SHEET_NOT_FOUND, SHEET_NOT_CHOSEN or FILE_EMPTY
 */
export async function openWorkbook(
  blocks: AsyncIterable<Buffer>,
  { file, partBytesMax, sheet: wanted, decimalComma }: WorkbookOptions,
): Promise<OpenSheet> {
  const parts = await openZip(await wholeOf(blocks, file), { file, partBytesMax });
  const format = await otherFormat(parts);
  if (format !== undefined) throw new BursarError('FILE_FORMAT', { file, format });
  const workbook = { file, parts };
  const { sheets, calendar, texts, formats } = await readIndex(workbook);
  const context = {
    texts: await readSharedTexts(workbook, texts),
    kindOf: await readNumberFormats(workbook, formats),
    calendar,
    decimalComma,
  };
  const sheet =
    wanted === null ? await onlyFilled(sheets, { workbook, context }) : named(sheets, wanted, file);
  return { workbook, sheet, context };
}

/** Reads a file into memory. @throws WORKBOOK_TOO_LARGE */
export async function wholeOf(blocks: AsyncIterable<Buffer>, file: string): Promise<Buffer> {
  const all: Buffer[] = [];
  let sizeBytes = 0;
  for await (const block of blocks) {
    sizeBytes += block.length;
    if (sizeBytes > WORKBOOK_BYTES_MAX) {
      const has = moreThan(WORKBOOK_BYTES_MAX, 'byte');
      throw new BursarError('WORKBOOK_TOO_LARGE', { file, has });
    }
    all.push(block);
  }
  return Buffer.concat(all);
}

/** Parts by which other formats in a zip archive are known. */
const PARTS_OF: readonly (readonly [part: string, OtherFormat])[] = [
  ['xl/workbook.bin', 'xlsb'],
  ['index/document.iwa', 'numbers'],
  ['index.zip', 'numbers'],
  ['word/document.xml', 'document'],
  ['ppt/presentation.xml', 'document'],
];

async function otherFormat(parts: ZipParts): Promise<OtherFormat | undefined> {
  const known = PARTS_OF.find(([part]) => parts.has(part));
  if (known !== undefined) return known[1];
  if (parts.has('[content_types].xml')) return undefined;
  return (await isOpenDocument(parts)) ? 'ods' : 'zip';
}

const OPEN_DOCUMENT = 'application/vnd.oasis.opendocument';

async function isOpenDocument(parts: ZipParts): Promise<boolean> {
  if (!parts.has('mimetype')) return false;
  for await (const block of parts.bytes('mimetype')) {
    return block.subarray(0, OPEN_DOCUMENT.length).toString('latin1') === OPEN_DOCUMENT;
  }
  return false;
}

function named(sheets: readonly Sheet[], wanted: string, file: string): Sheet {
  const sheet = sheets.find(({ name }) => name === wanted);
  if (sheet !== undefined) return sheet;
  throw new BursarError('SHEET_NOT_FOUND', { file, sheet: wanted, ...namesOf(sheets) });
}

/** Returns the only sheet with a value. Hidden sheets do not count: no person would miss one that is not paid. */
async function onlyFilled(
  sheets: readonly Sheet[],
  { workbook, context }: Readonly<{ workbook: Workbook; context: CellContext }>,
): Promise<Sheet> {
  const filled: Sheet[] = [];
  for (const sheet of sheets) {
    if (!sheet.isHidden && (await hasValue(sheet, { workbook, context }))) filled.push(sheet);
  }
  const { file } = workbook;
  const [first, second] = filled;
  if (first === undefined) throw new BursarError('FILE_EMPTY', { file });
  if (second === undefined) return first;
  throw new BursarError('SHEET_NOT_CHOSEN', { file, ...namesOf(filled) });
}

async function hasValue(
  { part }: Sheet,
  { workbook, context }: Readonly<{ workbook: Workbook; context: CellContext }>,
): Promise<boolean> {
  for await (const _ of readSheetRows({ workbook, part, context })) return true;
  return false;
}

/** The sheets that an error names. */
const NAMED_MAX = 20;

function namesOf(sheets: readonly Sheet[]) {
  const names = sheets.slice(0, NAMED_MAX).map(({ name }) => name.slice(0, NAME_CHARS_MAX));
  return { sheets: names.map((name) => `"${name}"`).join(', '), asks: { sheets: names } };
}

/** Characters of the name of a sheet, as Excel allows. */
const NAME_CHARS_MAX = 31;
