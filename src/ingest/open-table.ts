import type { ControlTotals } from '../domain/plan/control-totals.ts';
import type { RowColumn } from '../domain/rows/row.ts';
import { createControlLineReader } from './control-line.ts';
import { decodeUtf8 } from './decode-utf8.ts';
import { FILE_SIZE_BYTES_MAX, READ_BYTES } from './limits.ts';
import { type IngestSource, type OpenFile, openFile } from './open-file.ts';
import { readTable } from './read-table.ts';
import type { TextBlock } from './table-block.ts';
import { unpackedContent } from './unpack.ts';

/** Options for reading the table of a file. */
export type TableOptions = Readonly<{
  /** The currency of rows without one. Without this option the file needs a currency column. */
  defaultCurrency?: string;
  /** Largest size, packed and unpacked. Default: {@link FILE_SIZE_BYTES_MAX}. */
  fileSizeBytesMax?: number;
  /** Bytes in one read. Default: {@link READ_BYTES}. The result does not depend on it. */
  readBytes?: number;
}>;

/** A merchant's file during its import. */
export type OpenTable = Readonly<{
  file: OpenFile;
  blocks: AsyncIterable<TextBlock>;
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
    const controlLine = createControlLineReader(name);
    const texts = controlLine.removeFrom(unifyLineEnds(decodeUtf8(content, name)));
    const blocks = readTable(texts, { file: name, required: requiredColumns(options) });
    return await use({ file, blocks, controlTotals: controlLine.totals });
  } finally {
    await file.close();
  }
}

const requiredColumns = ({ defaultCurrency = '' }: TableOptions): RowColumn[] =>
  defaultCurrency === '' ? ['address', 'amount', 'currency'] : ['address', 'amount'];

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
