import type { BatchRecord } from '../../store/batches/types.ts';
import { spreadsheetSafe } from '../../domain/files/csv.ts';
import type { BatchReport, ReportRow } from '../../domain/report/report.ts';
import type { ChunkRecord } from '../../store/batches/chunks.ts';
import type { Store } from '../../store/index.ts';
import { createRecount, type Recounted, wasPlanned } from '../recount.ts';
import { ownRowPages } from '../report-rows.ts';
import type { Problems } from './problems.ts';
import type { RowProgress } from './telling.ts';
import { readSheet } from './read-sheet.ts';

export type RowsToCheck = Readonly<{
  batch: BatchRecord;
  chunks: readonly ChunkRecord[];
  /** What the chunks add up to. */
  totals: Recounted;
  /** The report.csv that must say of every row what the store says; null: none is looked at. */
  sheet: string | null;
}> &
  RowProgress;

/**
 * Counts every row of a batch that has ended once more, from its own verdict, against totals and file; and holds each against
 * its line in the report. Rows are streamed. Answers with their number.
 */
export async function checkRows(
  { staging, settlements }: Pick<Store, 'staging' | 'settlements'>,
  { batch, chunks, totals, sheet, tell }: RowsToCheck,
  problems: Problems,
): Promise<number> {
  const recount = createRecount(totals);
  const reader = sheet === null ? undefined : await createSheetReader(sheet);
  let rows = 0;
  for await (const page of wasPlanned(totals)
    ? ownRowPages({ staging, settlements }, batch, chunks)
    : []) {
    for (const row of page) {
      recount.addRow(row);
      const difference = await reader?.differenceFrom(row);
      if (difference !== undefined) {
        problems.add('REPORT_DIFFERS', { file: sheet ?? '', difference });
        return rows;
      }
      rows += 1;
    }
    tell(rows);
  }
  if (batch.ingestId !== null) {
    for await (const refused of staging.refused(batch.ingestId)) recount.addRefused(refused);
  }
  recount.check();
  if ((await reader?.isAtEnd()) === false) {
    problems.add('REPORT_DIFFERS', { file: sheet ?? '', difference: 'it has more rows' });
  }
  return rows;
}

/** Columns of report.csv that say who was paid what, and what became of it. */
const COLUMNS = ['row', 'address', 'amount', 'currency', 'outcome', 'idempotencyKey'] as const;

async function createSheetReader(path: string) {
  const lines = readSheet(path);
  const header = (await lines.next()).value ?? [];
  // Older reports have fewer columns.
  const columns = COLUMNS.filter((name) => header.includes(name)).map((name) => ({
    name,
    at: header.indexOf(name),
  }));
  return {
    async differenceFrom(row: ReportRow): Promise<string | undefined> {
      const { value: cells, done } = await lines.next();
      if (done === true) return `row ${row.row} is missing`;
      for (const { name, at } of columns) {
        const value = String(row[name]);
        const cell = cells[at] ?? '';
        if (cell === value || cell === spreadsheetSafe(value)) continue;
        return `row ${row.row} has ${name} "${cell}", and the store has "${value}"`;
      }
      return undefined;
    },
    isAtEnd: async (): Promise<boolean> => (await lines.next()).done === true,
  };
}

export const recountedOf = (
  { batchId, summary, endState }: BatchRecord,
  { rows, amounts, chunks }: Pick<BatchReport, 'rows' | 'amounts'> & { chunks: number },
): Recounted => ({
  batchId,
  rows,
  amounts,
  refusedRows: summary?.refusedRows ?? 0,
  state: endState ?? 'PARTIAL',
  chunks: { total: chunks, byState: {} },
});
