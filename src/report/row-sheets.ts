import { csvLine } from '../domain/files/csv.ts';
import type { BatchReport, ReportRow } from '../domain/report/report.ts';
import { COLUMNS } from '../domain/rows/row.ts';
import { canBeResent, fixOf, lookForOf, mustBeInvestigated, nextOf, whyOf } from './advice.ts';
import type { Drafts } from './drafts.ts';
import { createLineWriter, sheetHeader } from './sheet.ts';

/** One CSV file of rows. */
type RowSheet = Readonly<{
  name: string;
  header: string;
  takes(row: ReportRow): boolean;
  lineOf(row: ReportRow, report: BatchReport): string;
}>;

type Cells = (row: ReportRow, report: BatchReport) => string[];

/** A file for people: its header and its lines are safe to open in a spreadsheet. */
function sheet(
  file: Pick<RowSheet, 'name' | 'takes'> & { columns: string[]; cells: Cells },
): RowSheet {
  const line = createLineWriter(file.columns.length);
  const { name, takes, columns, cells } = file;
  return {
    name,
    takes,
    header: sheetHeader(columns),
    lineOf: (row, report) => line(cells(row, report)),
  };
}

const SUBMITTED = ['row', ...COLUMNS];
const submittedCells = (row: ReportRow): string[] => [
  String(row.row),
  row.address,
  row.amount,
  row.currency,
  row.comment,
  row.reference,
];

const IDS = ['chunk', 'massPayoutId', 'idempotencyKey', 'withdrawalId', 'transactionHash'];
const idCells = (row: ReportRow): string[] => [
  row.chunk === null ? '' : String(row.chunk),
  row.massPayoutId,
  row.idempotencyKey,
  row.withdrawalId,
  row.transactionHash,
];

const ALL = sheet({
  name: 'report.csv',
  takes: () => true,
  columns: [...SUBMITTED, 'outcome', 'reason', 'next', 'fee', 'feeCurrency', ...IDS],
  cells: (row) => [
    ...submittedCells(row),
    row.outcome,
    whyOf(row),
    nextOf(row),
    row.fee,
    row.feeCurrency,
    ...idCells(row),
  ],
});

const FAILED = sheet({
  name: 'failed.csv',
  takes: ({ outcome }) => outcome === 'FAILED',
  columns: [...SUBMITTED, 'why', 'fix', ...IDS],
  cells: (row, report) => [
    ...submittedCells(row),
    whyOf(row),
    row.seenPaid === undefined ? fixOf(row) : lookForOf(row, report),
    ...idCells(row),
  ],
});

/**
 * The rows that may be sent again, as they were submitted. It is read back by `submit`, so its
 * cells stay raw; reading a file refuses cells that look like formulas, so none can be among them.
 */
const RESEND: RowSheet = {
  name: 'resend.csv',
  header: `${csvLine(COLUMNS)}\n`,
  takes: canBeResent,
  lineOf: (row) => `${csvLine(COLUMNS.map((column) => row[column]))}\n`,
};

const INVESTIGATE = sheet({
  name: 'investigate.csv',
  takes: mustBeInvestigated,
  columns: [...SUBMITTED, 'outcome', 'why', 'lookFor', ...IDS],
  cells: (row, report) => [
    ...submittedCells(row),
    row.outcome,
    whyOf(row),
    lookForOf(row, report),
    ...idCells(row),
  ],
});

const ROW_SHEETS: readonly RowSheet[] = [ALL, FAILED, RESEND, INVESTIGATE];

/** Writes a row into each file that it belongs into. */
export function createRowSheets(
  drafts: Drafts,
  report: BatchReport,
): { add(row: ReportRow): void } {
  const sheets = ROW_SHEETS.map((file) => ({
    ...file,
    draft: drafts.draft(file.name, file.header),
  }));
  return {
    add(row) {
      for (const { takes, lineOf, draft } of sheets) {
        if (takes(row)) draft.add(lineOf(row, report));
      }
    },
  };
}
