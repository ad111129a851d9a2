import type { TableLayout } from './header.ts';
import type { IngestSource } from './open-file.ts';
import { type TableOptions, withTable } from './open-table.ts';
import { createRowCursor, type RawRow } from './table-block.ts';

/** Takes the rows of a block as they stand in the file, without a rule applied. */
export type TakeRawRows = (rows: readonly RawRow[], layout: TableLayout) => Promise<void>;

/** Passes the rows of a file on, a block at a time. @throws the errors of `ingestFile` that refuse a whole file. */
export async function readRawRows(
  source: IngestSource,
  options: TableOptions & Readonly<{ signal?: AbortSignal }>,
  take: TakeRawRows,
): Promise<void> {
  await withTable(source, options, async ({ blocks }) => {
    for await (const block of blocks) {
      options.signal?.throwIfAborted();
      const nextRow = createRowCursor(block);
      await take(block.lines.map(nextRow), block.layout);
    }
  });
}

/**
 * Reads the first rows of a file, `count` at most, with the names of its columns. @throws the errors of `ingestFile` that
 * refuse a whole file, but not for a missing column.
 */
export const readFirstRows = (
  source: IngestSource,
  options: TableOptions,
  count: number,
): Promise<Readonly<{ names: readonly string[]; rows: readonly RawRow[] }>> =>
  withTable(source, { ...options, isAnyHeader: true }, async ({ blocks }) => {
    for await (const block of blocks) {
      const nextRow = createRowCursor(block);
      return { names: block.layout.names, rows: block.lines.slice(0, count).map(nextRow) };
    }
    return { names: [], rows: [] };
  });
