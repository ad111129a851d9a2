import { isCurrency } from '../domain/currencies/currency-info.ts';
import { BursarError } from '../domain/errors/bursar-error.ts';
import type { Column } from '../domain/rows/row.ts';
import { createControlLine } from './control-line.ts';
import type { IngestSummary, RowLimits, StagingSink } from '../domain/rows/staging.ts';
import { decodeUtf8 } from './decode.ts';
import { type BlockResult, createIntake, type Intake } from './intake.ts';
import { FILE_SIZE_BYTES_MAX, READ_BYTES, ROWS_MAX } from './limits.ts';
import { unifyLineEnds } from './line-ends.ts';
import { type IngestSource, type OpenFile, openFile } from './open-file.ts';
import { readTable } from './read-table.ts';
import { contentOf } from './unpack.ts';

export type { IngestSource } from './open-file.ts';

/** How far reading is: rows that were read, and bytes of the file. */
export type IngestProgress = Readonly<{ rows: number; bytes: number }>;

export type IngestOptions = Readonly<{
  /** Rows of one chunk; from 1 up. */
  chunkRows: number;
  /** Rows of the first chunk of each currency; 0: as many as of the others. Default: 0. */
  canaryRows?: number;
  /** What a row, and an address in all rows, may be paid. Default: no limits. */
  limits?: RowLimits;
  /** Currency of rows that name none; without it the file needs a column for it. */
  defaultCurrency?: string;
  /** Called after every block of rows. */
  onProgress?(progress: IngestProgress): void;
  /** Stops the reading between two blocks; its reason is thrown. */
  signal?: AbortSignal;
  /** Bytes that the file may have, and to which it may unpack. Default: {@link FILE_SIZE_BYTES_MAX}. */
  fileSizeBytesMax?: number;
  /** Rows that the file may have. Default: {@link ROWS_MAX}. */
  rowsMax?: number;
  /** Bytes read at a time. Default: {@link READ_BYTES}. The result does not depend on it. */
  readBytes?: number;
}>;

/**
 * Reads a merchant's file from start to end, in memory that hardly grows with it, and hands chunks of good rows and
 * refused rows to the sink, in order. The same bytes and options give the same chunks, hashes and findings.
 * Throws FILE_*, CONTROL_LINE_UNREADABLE, HEADER_*, QUOTE_*, DELIMITER_UNKNOWN, ROW_TOO_LONG or LINE_BREAK_BARE when the
 * file as a whole is refused, whatever the sink was given before; a refused row throws nothing.
 */
export async function ingestFile(
  source: IngestSource,
  options: IngestOptions,
  sink: StagingSink,
): Promise<IngestSummary> {
  assertOptions(options);
  const { fileSizeBytesMax: sizeBytesMax = FILE_SIZE_BYTES_MAX, readBytes = READ_BYTES } = options;
  const file = await openFile(source, { readBytes, sizeBytesMax });
  try {
    const content = await contentOf(file, { file: source.name, sizeBytesMax });
    return await readAll({ file, name: source.name, content, options, sink });
  } finally {
    await file.close();
  }
}

const NO_LIMITS: RowLimits = { row: [], payee: [] };

type Reading = Readonly<{
  file: OpenFile;
  name: string;
  content: AsyncIterable<Buffer>;
  options: IngestOptions;
  sink: StagingSink;
}>;

async function readAll({ file, name, content, options, sink }: Reading): Promise<IngestSummary> {
  const { defaultCurrency = '', rowsMax = ROWS_MAX, onProgress, signal } = options;
  const expectedRows = (rows: number): number =>
    Math.min(rowsMax, (rows * file.sizeBytes) / file.bytesRead());
  const intake = createIntake({
    file: name,
    chunkSizes: { chunkRows: options.chunkRows, canaryRows: options.canaryRows ?? 0 },
    limits: options.limits ?? NO_LIMITS,
    defaultCurrency,
    rowsMax,
    expectedRows,
  });
  const required: Column[] = ['address', 'amount'];
  if (defaultCurrency === '') required.push('currency');
  const controlLine = createControlLine(name);
  const texts = controlLine.takeFrom(unifyLineEnds(decodeUtf8(content, name)));
  for await (const block of readTable(texts, { file: name, required })) {
    signal?.throwIfAborted();
    await hand(intake.take(block), sink);
    onProgress?.({ rows: intake.rowCount(), bytes: file.bytesRead() });
  }
  await hand({ refused: [], chunks: intake.takeRest() }, sink);
  const controlTotals = controlLine.totals();
  const summary = summaryOf(file, name, intake);
  return controlTotals === undefined ? summary : { ...summary, controlTotals };
}

async function hand({ refused, chunks }: BlockResult, sink: StagingSink): Promise<void> {
  if (refused.length > 0) await sink.putRefused(refused);
  for (const chunk of chunks) await sink.putChunk(chunk);
}

function summaryOf(file: OpenFile, name: string, intake: Intake): IngestSummary {
  const summary = intake.summary();
  if (summary.rows === 0) throw new BursarError('FILE_WITHOUT_ROWS', { file: name });
  return { fileSha256: file.sha256(), sizeBytes: file.sizeBytes, ...summary };
}

function assertOptions({ chunkRows, canaryRows = 0, defaultCurrency }: IngestOptions): void {
  if (!Number.isSafeInteger(chunkRows) || chunkRows < 1) {
    throw new RangeError('chunkRows is a whole number from 1 up');
  }
  if (!Number.isSafeInteger(canaryRows) || canaryRows < 0) {
    throw new RangeError('canaryRows is a whole number from 0 up');
  }
  if (defaultCurrency !== undefined && !isCurrency(defaultCurrency)) {
    const problem = `"${defaultCurrency}" is not a currency such as BTC or USDT_TRC20`;
    throw new BursarError('FLAG_INVALID', { flag: '--currency', problem });
  }
}
