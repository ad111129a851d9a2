import { stat } from 'node:fs/promises';
import type { OperationContext } from '../context.ts';
import type { RefusedRow } from '../../domain/rows/refused-row.ts';
import { progressLine } from '../text/progress.ts';
import type { IngestProgress } from '../../ingest/index.ts';
import type { PrintSegment } from '../../domain/plan/row-print.ts';
import type {
  IngestSummary,
  RowLimits,
  StagedChunk,
  StagingSink,
} from '../../domain/rows/staging.ts';
import type { ChunkHead } from '../../store/rows/staging.ts';
import type { Source } from './source.ts';

/**
 * Reasons for refusing rows that are kept to be written to `nack.csv`. Nobody mends more by hand, and memory stays
 * flat; the count of refused rows is of all.
 */
export const REASONS_MAX = 100_000;

/** What reading a file without a store found. */
export type FileReading = Readonly<{
  summary: IngestSummary;
  chunks: readonly ChunkHead[];
  /** The first reasons for refusing rows, in the order of the file. */
  refused: readonly RefusedRow[];
}>;

export type ReadingOptions = Readonly<{
  chunkRows: number;
  canaryRows: number;
  currency: string | null;
  limits: RowLimits;
  /** Takes what the rows of each chunk pay to whom: 32 bytes a row, which are not kept here. */
  keepPrints(segment: PrintSegment): Promise<void>;
}>;

/** Reads and checks a whole file as a worker will, and keeps no rows. Throws the errors of a file that is refused whole. */
export async function readFile(
  { shownName, path, followLinks }: Source,
  { chunkRows, canaryRows, currency, limits, keepPrints }: ReadingOptions,
  { show, clear, interrupted }: Pick<OperationContext, 'show' | 'clear' | 'interrupted'>,
): Promise<FileReading> {
  const { ingestFile } = await import('../../ingest/index.ts');
  const sizeBytes = await sizeOf(path);
  const chunks: ChunkHead[] = [];
  const refused: RefusedRow[] = [];
  const sink: StagingSink = {
    async putChunk(chunk) {
      chunks.push(headOf(chunk));
      await keepPrints(chunk);
    },
    async putRefused(rows) {
      refused.push(...rows.slice(0, REASONS_MAX - refused.length));
    },
  };
  const options = {
    chunkRows,
    canaryRows,
    limits,
    ...(currency === null ? {} : { defaultCurrency: currency }),
    signal: interrupted,
    onProgress: ({ rows, bytes }: IngestProgress) =>
      show(progressLine(`Reading ${shownName}`, { rows, done: bytes, all: sizeBytes })),
  };
  try {
    const summary = await ingestFile({ name: shownName, path, followLinks }, options, sink);
    return { summary, chunks, refused };
  } finally {
    clear();
  }
}

/** Only to show how far reading is: a file that cannot be read is refused by whoever reads it. */
const sizeOf = (path: string): Promise<number> =>
  stat(path).then(
    ({ size }) => size,
    () => 0,
  );

/** What is kept of a chunk: everything but its rows. */
function headOf(staged: StagedChunk): ChunkHead {
  const { chunk, currency, rowCount, total, firstRow, lastRow, rowsSha256 } = staged;
  return { chunk, currency, rowCount, total, firstRow, lastRow, rowsSha256 };
}
