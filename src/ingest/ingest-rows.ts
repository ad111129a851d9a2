import type { RowLimits } from '../domain/plan/rules.ts';
import type { Row } from '../domain/rows/row.ts';
import type { IngestSummary, StagingSink } from '../domain/rows/staging.ts';
import { createBlockChecker } from './block-checker.ts';
import type { ChunkSizes } from './chunker.ts';
import { createIntake } from './intake.ts';
import { ROWS_MAX } from './limits.ts';

/** Rows of a file that was imported before, in file order, in pages. */
export type RowsSource = Readonly<{
  name: string;
  fileSha256: string;
  sizeBytes: number;
  pages: AsyncIterable<readonly Row[]>;
}>;

export type RowsOptions = ChunkSizes & Readonly<{ limits: RowLimits; signal?: AbortSignal }>;

/**
 * Puts the rows of an earlier import into chunks again, as a resend does.
 * Every rule and finding applies again, and the same rows give the same chunks. Rows keep their
 * numbers. A newer version of Bursar may refuse a row that was accepted before.
 */
export async function ingestRows(
  { name, fileSha256, sizeBytes, pages }: RowsSource,
  { chunkRows, canaryRows, limits, signal }: RowsOptions,
  sink: StagingSink,
): Promise<IngestSummary> {
  const chunkSizes = { chunkRows, canaryRows };
  const intake = createIntake({ file: name, rowsMax: ROWS_MAX, limits, chunkSizes });
  const checker = createBlockChecker({ defaultCurrency: '', limits });
  for await (const page of pages) {
    signal?.throwIfAborted();
    const { refused, chunks } = intake.take(checker.checkRows(page), (duplicates) =>
      checker.checkRows(page, duplicates),
    );
    if (refused.length > 0) await sink.putRefused(refused);
    for (const chunk of chunks) await sink.putChunk(chunk);
  }
  for (const chunk of intake.takeRemaining()) await sink.putChunk(chunk);
  return { fileSha256, sizeBytes, ...intake.summary() };
}
