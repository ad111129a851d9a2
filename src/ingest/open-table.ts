import { BursarError } from '../domain/errors/bursar-error.ts';
import type { ControlTotals } from '../domain/plan/control-totals.ts';
import { type FileForm, PLAIN_FORM } from '../domain/rows/file-form.ts';
import type { RowColumn } from '../domain/rows/row.ts';
import { createControlLineReader } from './control-line.ts';
import { decodeUtf8 } from './decode-utf8.ts';
import { FILE_SIZE_BYTES_MAX, READ_BYTES } from './limits.ts';
import { type IngestSource, type OpenFile, openFile } from './open-file.ts';
import { readTable } from './read-table.ts';
import { readStreamHead } from './stream-head.ts';
import type { TableBlock } from './table-block.ts';
import { unpackedContent } from './unpack.ts';
import { HEAD_BYTES, isZip, refuseOldWorkbook } from './workbook/known-by-head.ts';
import { openWorkbook } from './workbook/open-workbook.ts';
import { readSheetBlocks } from './workbook/sheet-blocks.ts';

/** Options for reading the table of a file. */
export type TableOptions = Readonly<{
  /** The currency of rows without one. Without this option the file needs a currency column. */
  defaultCurrency?: string;
  /** Whether a file without the needed columns is read, too. Default: it is refused. */
  isAnyHeader?: boolean;
  /** The statements of the submitter about the file. Default: none. */
  form?: FileForm;
  /** Largest size, packed and unpacked. Default: {@link FILE_SIZE_BYTES_MAX}. */
  fileSizeBytesMax?: number;
  /** Bytes in one read. Default: {@link READ_BYTES}. The result does not depend on it. */
  readBytes?: number;
}>;

/** A merchant's file during its import. */
export type OpenTable = Readonly<{
  file: OpenFile;
  blocks: AsyncIterable<TableBlock>;
  /** The sheet of a workbook; undefined for a text file. */
  sheet: string | undefined;
  /** Returns the totals of the control line. Call it after the last block. */
  controlTotals(): ControlTotals | undefined;
}>;

/**
 * Opens a file, runs `use` with its table, and closes it.
 * @throws FILE_*. The blocks throw the errors of `ingestFile`.
 */
export async function withTable<Result>(
  source: IngestSource,
  options: TableOptions,
  use: (table: OpenTable) => Promise<Result>,
): Promise<Result> {
  const { fileSizeBytesMax: sizeBytesMax = FILE_SIZE_BYTES_MAX, readBytes = READ_BYTES } = options;
  const { name } = source;
  const file = await openFile(source, { readBytes, sizeBytesMax });
  try {
    const content = await unpackedContent(file, { file: name, sizeBytesMax });
    const { head, blocks: bytes } = await readStreamHead(content, HEAD_BYTES);
    await refuseOldWorkbook({ head, blocks: bytes }, name);
    const table = isZip(head)
      ? await openSheetTable(bytes, name, options)
      : openTextTable(bytes, name, options);
    return await use({ file, ...table });
  } finally {
    await file.close();
  }
}

/** The blocks of a table, its sheet, and its control totals. */
type Table = Readonly<{
  blocks: AsyncIterable<TableBlock>;
  sheet: string | undefined;
  controlTotals(): ControlTotals | undefined;
}>;

function openTextTable(bytes: AsyncIterable<Buffer>, name: string, options: TableOptions): Table {
  const { form = PLAIN_FORM } = options;
  if (form.sheet !== null) {
    throw new BursarError('SHEET_OF_NO_WORKBOOK', { file: name, sheet: form.sheet });
  }
  const controlLine = createControlLineReader(name);
  const texts = controlLine.removeFrom(unifyLineEnds(decodeUtf8(bytes, name)));
  const blocks = readTable(texts, { file: name, required: requiredColumns(options), form });
  return { blocks, sheet: undefined, controlTotals: controlLine.totals };
}

async function openSheetTable(
  bytes: AsyncIterable<Buffer>,
  name: string,
  options: TableOptions,
): Promise<Table> {
  const { form = PLAIN_FORM, fileSizeBytesMax: partBytesMax = FILE_SIZE_BYTES_MAX } = options;
  const { sheet: wanted, decimalComma } = form;
  const opened = await openWorkbook(bytes, {
    file: name,
    partBytesMax,
    sheet: wanted,
    decimalComma,
  });
  const { workbook, sheet, context } = opened;
  const controlLine = createControlLineReader(name);
  const blocks = readSheetBlocks({
    sheet: sheet.name,
    part: { workbook, part: sheet.part, context },
    controlLine,
    header: { file: name, required: requiredColumns(options), form },
  });
  return { blocks, sheet: sheet.name, controlTotals: controlLine.totals };
}

function requiredColumns({ defaultCurrency = '', isAnyHeader }: TableOptions): RowColumn[] {
  if (isAnyHeader === true) return [];
  return defaultCurrency === '' ? ['address', 'amount', 'currency'] : ['address', 'amount'];
}

/**
 * Returns the text with LF instead of CRLF, also where a CRLF is cut between two pieces.
 * A bare carriage return stays, and the table reader refuses it with its line.
 */
async function* unifyLineEnds(texts: AsyncIterable<string>): AsyncGenerator<string> {
  let held = '';
  for await (const piece of texts) {
    const text = held + piece;
    const isCut = text.endsWith('\r');
    held = isCut ? '\r' : '';
    const whole = isCut ? text.slice(0, -1) : text;
    yield whole.includes('\r') ? whole.replaceAll('\r\n', '\n') : whole;
  }
  if (held !== '') yield held;
}
