import { BursarError } from '../domain/errors/bursar-error.ts';
import type { Row, RowNumber } from '../domain/rows/row.ts';
import type { IngestSource } from './open-file.ts';
import { type TableOptions, withTable } from './open-table.ts';
import { createRowReader } from './read-row.ts';
import { rowAt } from './read-table.ts';

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
  const readRow = createRowReader({ file: source.name, defaultCurrency });
  await withTable(source, options, async ({ blocks }) => {
    for await (const block of blocks) {
      signal?.throwIfAborted();
      block.lines.forEach((line, index) => {
        if (!wanted.has(line)) return;
        const result = readRow(rowAt(block, index), block.layout);
        if (result?.ok) rows.push(result.row);
      });
      if (rows.length === wanted.size) return;
    }
  });
  if (rows.length < wanted.size) throw new BursarError('FILE_CHANGED', { file: source.name });
  return rows;
}
