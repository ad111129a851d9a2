import { csvLine, spreadsheetSafe } from '../domain/files/csv.ts';
import type { ReportRow } from '../domain/report/report.ts';
import { COLUMNS } from '../domain/rows/row.ts';
import {
  canBeResent,
  fixText,
  investigationText,
  needsInvestigation,
  nextStepOf,
  reasonText,
  type ReportedBatch,
} from './row-advice.ts';
import type { Drafts } from './drafts.ts';
import { createLineWriter, createTwoPartLineWriter, sheetHeader } from './sheet.ts';

/** One CSV file of rows, with the condition for a row to be in it. */
type RowSheet = Readonly<{
  name: string;
  header: string;
  takes(row: ReportRow): boolean;
  lineOf(row: ReportRow, batch: ReportedBatch): string;
}>;

type Cells = (row: ReportRow, batch: ReportedBatch) => string[];

/**
 * A file for people. Its header and lines are safe to open in a spreadsheet.
 * Its columns and cells come after those of the submitted row.
 */
type SpreadsheetFile = Readonly<{
  name: string;
  takes: RowSheet['takes'];
  columns: string[];
  cells: Cells;
}>;

function spreadsheet({ name, takes, columns, cells }: SpreadsheetFile): RowSheet {
  const wholeLine = createLineWriter(SUBMITTED.length + columns.length + 1);
  const line = createTwoPartLineWriter({ first: SUBMITTED.length, last: columns.length });
  return {
    name,
    takes,
    header: sheetHeader([...SUBMITTED, ...columns, 'name']),
    lineOf(row, batch) {
      const [first, last] = [submittedCells(row), cells(row, batch)];
      // The chunks of one currency are in file order, so its rows mostly share the last cells. Each has another name.
      const unnamed = line({ group: row.currency, first, last }).slice(0, -1);
      const nameCell = spreadsheetSafe(row.name);
      return unnamed.includes('\n') || nameCell.includes('\n')
        ? wholeLine([...first, ...last, row.name])
        : `${unnamed},${csvLine([nameCell])}\n`;
    },
  };
}

/** Programs read these columns by their place, so the name of a payee, a later column, comes last. */
const SUBMITTED = ['row', 'address', 'amount', 'currency', 'comment', 'reference'];
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

const ALL = spreadsheet({
  name: 'report.csv',
  takes: () => true,
  columns: ['outcome', 'reason', 'next', 'fee', 'feeCurrency', ...IDS],
  cells: (row) => [
    row.outcome,
    reasonText(row),
    nextStepOf(row),
    row.fee,
    row.feeCurrency,
    ...idCells(row),
  ],
});

const FAILED = spreadsheet({
  name: 'failed.csv',
  takes: ({ outcome }) => outcome === 'FAILED',
  columns: ['why', 'fix', ...IDS],
  cells: (row, batch) => [
    reasonText(row),
    row.seenPaid === undefined ? fixText(row) : investigationText(row, batch),
    ...idCells(row),
  ],
});

/**
 * The rows that may be sent again, as they were submitted. `submit` reads this file, so its cells
 * stay raw. A raw cell is never a formula, because reading a file refuses such cells.
 */
const RESEND: RowSheet = {
  name: 'resend.csv',
  header: `${csvLine(COLUMNS)}\n`,
  takes: canBeResent,
  lineOf: (row) => `${csvLine(COLUMNS.map((column) => row[column]))}\n`,
};

const INVESTIGATE = spreadsheet({
  name: 'investigate.csv',
  takes: needsInvestigation,
  columns: ['outcome', 'why', 'lookFor', ...IDS],
  cells: (row, batch) => [
    row.outcome,
    reasonText(row),
    investigationText(row, batch),
    ...idCells(row),
  ],
});

const ROW_SHEETS: readonly RowSheet[] = [ALL, FAILED, RESEND, INVESTIGATE];

/** Starts the CSV files of rows. `add` writes a row to each file that takes it. */
export function createRowSheets(
  drafts: Drafts,
  batch: ReportedBatch,
): { add(row: ReportRow): void } {
  const sheets = ROW_SHEETS.map((file) => ({
    ...file,
    draft: drafts.draft(file.name, file.header),
  }));
  return {
    add(row) {
      for (const { takes, lineOf, draft } of sheets) {
        if (takes(row)) draft.add(lineOf(row, batch));
      }
    },
  };
}
