import { stat } from 'node:fs/promises';
import type { OperationContext } from '../context.ts';
import type { RefusedRow } from '../../domain/rows/refused-row.ts';
import { progressLine } from '../text/progress.ts';
import type { IngestProgress } from '../../ingest/index.ts';
import type { PrintSegment } from '../../domain/plan/row-print.ts';
import type { FileForm } from '../../domain/rows/file-form.ts';
import type { RowLimits } from '../../domain/plan/rules.ts';
import type { IngestSummary, StagedChunk, StagingSink } from '../../domain/rows/staging.ts';
import type { ChunkHead } from '../../store/rows/staging.ts';
import type { Source } from './source.ts';

/**
 * Reasons of refused rows that are kept for `nack.csv`. No person corrects more by hand, and memory stays flat. The
 * count covers all refused rows.
 */
export const REASONS_MAX = 100_000;

/** The result of reading a file without a store. */
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
  form?: FileForm;
  limits: RowLimits;
  /** Takes the fingerprints of the rows of each chunk: 32 bytes a row, which are not kept here. */
  keepPrints(segment: PrintSegment): Promise<void>;
}>;

/** Reads and checks a whole file as a worker will, and keeps no rows. Throws the errors of a file that is refused whole. */
export async function readFile(
  { shownName, path, followLinks }: Source,
  { chunkRows, canaryRows, currency, form, limits, keepPrints }: ReadingOptions,
  { show, clear, interrupted }: OperationContext,
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
    ...(form === undefined ? {} : { form }),
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

/** The size serves progress only: the step that reads the file reports its faults. */
const sizeOf = (path: string): Promise<number> =>
  stat(path).then(
    ({ size }) => size,
    () => 0,
  );

/** A chunk without its rows. */
function headOf(staged: StagedChunk): ChunkHead {
  const { chunk, currency, rowCount, total, firstRow, lastRow, rowsSha256 } = staged;
  return { chunk, currency, rowCount, total, firstRow, lastRow, rowsSha256 };
}
