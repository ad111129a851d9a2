import { csvLine, spreadsheetSafe } from '../../../src/domain/files/csv.ts';
import type { BatchReport, ReportRow } from '../../../src/domain/report/report.ts';
import {
  canBeResent,
  fixText,
  investigationText,
  needsInvestigation,
  nextStepOf,
  reasonText,
} from '../../../src/report/row-advice.ts';

const SUBMITTED = ['address', 'amount', 'currency', 'comment', 'reference'] as const;
const RESENT = [...SUBMITTED, 'name'] as const;
const IDS = ['chunk', 'massPayoutId', 'idempotencyKey', 'withdrawalId', 'transactionHash'] as const;

/** The CSV files of rows as the plainest writer writes them: it tests every cell of every line. */
export function plainSheets(
  rows: readonly ReportRow[],
  report: BatchReport,
): ReadonlyMap<string, string> {
  const failed = rows.filter(({ outcome }) => outcome === 'FAILED');
  const files = {
    'report.csv': sheet(['outcome', 'reason', 'next', 'fee', 'feeCurrency'], rows, (row) => [
      ...[row.outcome, reasonText(row), nextStepOf(row), row.fee, row.feeCurrency],
    ]),
    'failed.csv': sheet(['why', 'fix'], failed, (row) => [
      reasonText(row),
      row.seenPaid === undefined ? fixText(row) : investigationText(row, report),
    ]),
    'investigate.csv': sheet(
      ['outcome', 'why', 'lookFor'],
      rows.filter(needsInvestigation),
      (row) => [row.outcome, reasonText(row), investigationText(row, report)],
    ),
    'resend.csv': text(
      csvLine(RESENT),
      rows.filter(canBeResent).map((row) => csvLine(RESENT.map((column) => row[column]))),
    ),
  };
  return new Map(Object.entries(files).filter(([, content]) => content !== ''));
}

function sheet(
  columns: readonly string[],
  rows: readonly ReportRow[],
  cells: (row: ReportRow) => string[],
): string {
  return text(
    `\uFEFF${safe(['row', ...SUBMITTED, ...columns, ...IDS, 'name'])}`,
    rows.map((row) =>
      safe([
        ...[String(row.row), ...SUBMITTED.map((column) => row[column])],
        ...[...cells(row), ...IDS.map((column) => String(row[column] ?? '')), row.name],
      ]),
    ),
  );
}

const safe = (cells: readonly string[]): string => csvLine(cells.map(spreadsheetSafe));

/** A file without lines is not written. */
const text = (header: string, lines: readonly string[]): string =>
  lines.length === 0 ? '' : [header, ...lines].map((line) => `${line}\n`).join('');
