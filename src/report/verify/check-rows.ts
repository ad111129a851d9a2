import { createReadStream } from 'node:fs';
import type { BatchRecord } from '../../store/batches/types.ts';
import { spreadsheetSafe } from '../../domain/files/csv.ts';
import type { ReportRow } from '../../domain/report/report.ts';
import type { Totals } from '../../domain/report/totals.ts';
import type { ChunkRecord } from '../../store/batches/chunks.ts';
import { createRecount, type RecountedTotals, wasPlanned } from '../recount.ts';
import { ownRowPages } from '../report-rows.ts';
import type { Problems } from './problems.ts';
import { readSheet } from '../read-sheet.ts';
import type { RowProgress } from './verification-state.ts';
import type { StoreParts } from '../../store/index.ts';

export type RowsToCheck = Readonly<{
  batch: BatchRecord;
  chunks: readonly ChunkRecord[];
  /** The totals of the chunks. */
  totals: RecountedTotals;
  /** The report.csv to compare with the store; null: none. */
  sheet: string | null;
}> &
  RowProgress;

/**
 * Counts every row of an ended batch again by its outcome, and compares the sums with the totals.
 * It also compares each row with its line in the report. Returns the number of rows.
 */
export async function checkRows(
  { staging, settlements }: StoreParts,
  { batch, chunks, totals, sheet, onRows }: RowsToCheck,
  problems: Problems,
): Promise<number> {
  const recount = createRecount(totals.batchId);
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
    onRows(rows);
  }
  if (batch.ingestId !== null) {
    for await (const refused of staging.refused(batch.ingestId)) recount.addRefused(refused);
  }
  recount.check(totals);
  if ((await reader?.isAtEnd()) === false) {
    problems.add('REPORT_DIFFERS', { file: sheet ?? '', difference: 'it has more rows' });
  }
  return rows;
}

/** The compared columns of report.csv: recipient, amount and outcome. */
const COLUMNS = ['row', 'address', 'amount', 'currency', 'outcome', 'idempotencyKey'] as const;

async function createSheetReader(path: string) {
  const lines = readSheet(createReadStream(path));
  const header = (await lines.next()).value ?? [];
  // A report of an older version has fewer columns.
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

/** Returns the figures that the rows of a batch must add up to. */
export const recountedOf = (
  { batchId, summary, endState }: BatchRecord,
  { rows, amounts, chunks }: Totals & Readonly<{ chunks: number }>,
): RecountedTotals => ({
  batchId,
  rows,
  amounts,
  refusedRows: summary?.refusedRows ?? 0,
  state: endState ?? 'PARTIAL',
  chunks: { total: chunks, byState: {} },
});
