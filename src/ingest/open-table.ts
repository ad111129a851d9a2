import type { ControlTotals } from '../domain/plan/control-totals.ts';
import type { RowColumn } from '../domain/rows/row.ts';
import { createControlLine } from './control-line.ts';
import { decodeUtf8 } from './decode.ts';
import { FILE_SIZE_BYTES_MAX, READ_BYTES } from './limits.ts';
import { unifyLineEnds } from './line-ends.ts';
import { type IngestSource, type OpenFile, openFile } from './open-file.ts';
import { readTable, type TableBlock } from './read-table.ts';
import { contentOf } from './unpack.ts';

/** How the table of a file is read. */
export type TableOptions = Readonly<{
  /** Currency of rows that name none; without it the file needs a column for it. */
  defaultCurrency?: string;
  /** Bytes that the file may have, and to which it may unpack. Default: {@link FILE_SIZE_BYTES_MAX}. */
  fileSizeBytesMax?: number;
  /** Bytes read at a time. Default: {@link READ_BYTES}. The result does not depend on it. */
  readBytes?: number;
}>;

/** A merchant's file that is being read. */
export type OpenTable = Readonly<{
  file: OpenFile;
  blocks: AsyncIterable<TableBlock>;
  /** The totals in the control line of the file; call it once all blocks were read. */
  controlTotals(): ControlTotals | undefined;
}>;

/** Opens a file, runs `use` with its table, and closes it. Throws FILE_*, and from the blocks what `ingestFile` throws. */
export async function withTable<Result>(
  source: IngestSource,
  options: TableOptions,
  use: (table: OpenTable) => Promise<Result>,
): Promise<Result> {
  const { fileSizeBytesMax: sizeBytesMax = FILE_SIZE_BYTES_MAX, readBytes = READ_BYTES } = options;
  const { name } = source;
  const file = await openFile(source, { readBytes, sizeBytesMax });
  try {
    const content = await contentOf(file, { file: name, sizeBytesMax });
    const controlLine = createControlLine(name);
    const texts = controlLine.takeFrom(unifyLineEnds(decodeUtf8(content, name)));
    const blocks = readTable(texts, { file: name, required: requiredColumns(options) });
    return await use({ file, blocks, controlTotals: controlLine.totals });
  } finally {
    await file.close();
  }
}

const requiredColumns = ({ defaultCurrency = '' }: TableOptions): RowColumn[] =>
  defaultCurrency === '' ? ['address', 'amount', 'currency'] : ['address', 'amount'];
