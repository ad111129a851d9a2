import { isCurrency } from '../domain/currencies/currency-info.ts';
import { BursarError } from '../domain/errors/bursar-error.ts';
import type { RowLimits } from '../domain/plan/rules.ts';
import type { IngestSummary, StagingSink } from '../domain/rows/staging.ts';
import { createBlockChecker } from './block-checker.ts';
import { checkedBlocks, type ThreadOptions } from './checked-blocks.ts';
import { type BlockResult, createIntake, type Intake } from './intake.ts';
import { ROWS_MAX } from './limits.ts';
import type { IngestSource, OpenFile } from './open-file.ts';
import { type OpenTable, type TableOptions, withTable } from './open-table.ts';
import type { Row, RowNumber } from '../domain/rows/row.ts';

export type { IngestSource } from './open-file.ts';

/** The progress of an import: the rows and bytes read so far. */
export type IngestProgress = Readonly<{ rows: number; bytes: number }>;

export type IngestOptions = TableOptions &
  Readonly<{
    /** Rows of one chunk, at least 1. */
    chunkRows: number;
    /** Rows of the first chunk of each currency. Default: 0, which means as many as the others. */
    canaryRows?: number;
    /** Limits of the amount of a row, and of all rows of an address. Default: none. */
    limits?: RowLimits;
    /** Receives the progress after every block of rows. */
    onProgress?(progress: IngestProgress): void;
    /** Stops the import between two blocks. Its reason is thrown. */
    signal?: AbortSignal;
    /** Maximum number of rows. Default: {@link ROWS_MAX}. */
    rowsMax?: number;
    /** The threads that check rows. */
    threads?: ThreadOptions;
  }>;

/**
 * Imports a merchant's file: passes chunks of accepted rows, and refused rows, to the sink in
 * order.
 * The same bytes and options give the same chunks, hashes and findings. Memory stays nearly
 * constant. A refused row does not throw. A refused file throws, also after calls of the sink.
 * @throws FILE_*, WORKBOOK_*, SHEET_*, CONTROL_LINE_UNREADABLE, HEADER_*, QUOTE_*, DELIMITER_UNKNOWN, ROW_TOO_LONG or
 * LINE_BREAK_BARE when the whole file is refused.
 */
export async function ingestFile(
  source: IngestSource,
  options: IngestOptions,
  sink: StagingSink,
): Promise<IngestSummary> {
  assertOptions(options);
  const { name } = source;
  return withTable(source, options, (table) => readAll({ table, name, options, sink }));
}

const NO_LIMITS: RowLimits = { row: [], payee: [] };

type ImportRun = Readonly<{
  table: OpenTable;
  name: string;
  options: IngestOptions;
  sink: StagingSink;
}>;

async function readAll({ table, name, options, sink }: ImportRun): Promise<IngestSummary> {
  const { defaultCurrency = '', rowsMax = ROWS_MAX, onProgress, signal } = options;
  const { file, blocks } = table;
  const limits = options.limits ?? NO_LIMITS;
  const chunkSizes = { chunkRows: options.chunkRows, canaryRows: options.canaryRows ?? 0 };
  const intake = createIntake({ file: name, chunkSizes, limits, rowsMax });
  const rules = { defaultCurrency, limits };
  const checker = createBlockChecker(rules);
  const source = { file: name, blocks, rules, checker };
  for await (const [block, checked] of checkedBlocks(source, options.threads)) {
    signal?.throwIfAborted();
    const result = intake.take(checked, (duplicates) => checker.check(block, duplicates));
    await passToSink(result, sink);
    onProgress?.({ rows: intake.rowCount(), bytes: file.bytesRead() });
  }
  await passToSink({ refused: [], chunks: intake.takeRemaining() }, sink);
  const controlTotals = table.controlTotals();
  return {
    ...summaryOf(file, name, intake),
    ...(controlTotals === undefined ? {} : { controlTotals }),
    ...(table.sheet === undefined ? {} : { sheet: table.sheet }),
  };
}

async function passToSink({ refused, chunks }: BlockResult, sink: StagingSink): Promise<void> {
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
    throw new RangeError('chunkRows must be a whole number of at least 1');
  }
  if (!Number.isSafeInteger(canaryRows) || canaryRows < 0) {
    throw new RangeError('canaryRows must be a whole number of at least 0');
  }
  if (defaultCurrency !== undefined && !isCurrency(defaultCurrency)) {
    const problem = `"${defaultCurrency}" is not a currency such as BTC or USDT_TRC20`;
    throw new BursarError('FLAG_INVALID', { flag: '--currency', problem });
  }
}

/**
 * Reads accepted rows of a file again, by their numbers, because an import keeps no rows in memory.
 * It stops after the last wanted row.
 * @throws FILE_CHANGED when the file no longer has such a row, and the errors of `ingestFile`.
 */
export async function readRowsOfFile(
  source: IngestSource,
  options: TableOptions & Readonly<{ signal?: AbortSignal }>,
  numbers: readonly RowNumber[],
): Promise<Row[]> {
  const { defaultCurrency = '', signal } = options;
  const wanted = new Set(numbers);
  const rows: Row[] = [];
  if (wanted.size === 0) return rows;
  const checker = createBlockChecker({ defaultCurrency, limits: NO_LIMITS });
  await withTable(source, options, async ({ blocks }) => {
    for await (const block of blocks) {
      signal?.throwIfAborted();
      rows.push(...checker.rowsAt(block, wanted));
      if (rows.length === wanted.size) return;
    }
  });
  if (rows.length < wanted.size) throw new BursarError('FILE_CHANGED', { file: source.name });
  return rows;
}
