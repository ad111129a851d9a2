import { csvLine, startsLikeFormula } from '../../domain/files/csv.ts';
import { noteOf } from '../../domain/errors/bursar-error.ts';
import { ERROR_COLUMN, plainName } from '../../domain/rows/column-names.ts';
import type { RefusedRow } from '../../domain/rows/refused-row.ts';
import type { RowNumber } from '../../domain/rows/row.ts';
import type { TableLayout } from '../../ingest/header.ts';
import type { RawRow } from '../../ingest/table-block.ts';
import type { OperationContext } from '../context.ts';
import type { CheckedFile } from './plan-of.ts';

/** Where the file is written. */
export type CorrectablePlace = Readonly<{ dir: string; name: string }>;

/** With this mark, spreadsheets read a file as UTF-8. */
const BYTE_ORDER_MARK = '\uFEFF';

/**
 * Stands before a cell that is refused as it is stored, and would be accepted or run as plain text. Every column refuses
 * this character, so a person corrects the cell before it is paid.
 */
const MARK = '\uFFFD';

const HOW_TO_UNMARK = `Where the sign ${MARK} stands before a value: delete it when the value is right.`;

/**
 * Writes the rows of a file in their order, with the reasons of refused rows in a column `error`. A person corrects them
 * there and submits the file: the column is not read.
 */
export async function writeCorrectable(
  { source, options, reading }: CheckedFile,
  { dir, name }: CorrectablePlace,
  { interrupted }: OperationContext,
): Promise<void> {
  const { nodeDisk } = await import('../../report/disk.ts');
  const { startDrafts } = await import('../../report/drafts.ts');
  const { readRawRows } = await import('../../ingest/index.ts');
  const reasons = reasonsByRow(reading.refused);
  const drafts = await startDrafts(nodeDisk, dir, [name]);
  try {
    const draft = drafts.draft(name);
    const how = {
      defaultCurrency: options.currency ?? '',
      ...(options.form === undefined ? {} : { form: options.form }),
      signal: interrupted,
    };
    let isBegun = false;
    const { path, shownName, followLinks } = source;
    await readRawRows({ name: shownName, path, followLinks }, how, async (rows, layout) => {
      if (!isBegun) draft.add(`${BYTE_ORDER_MARK}${headerLine(layout)}\n`);
      isBegun = true;
      for (const row of rows) {
        const isTotal = reading.summary.totalRow?.row === row.line;
        draft.add(`${lineOf(row, { layout, reason: reasons.get(row.line), isTotal })}\n`);
      }
      if (drafts.isFull()) await drafts.flush();
    });
    await drafts.publish([name]);
  } catch (error) {
    await drafts.discard();
    throw error;
  }
}

/** The reasons of each refused row, in words. */
function reasonsByRow(refused: readonly RefusedRow[]): ReadonlyMap<RowNumber, string> {
  const reasons = new Map<RowNumber, string>();
  for (const { row, column, code, facts } of refused) {
    const { what, fix } = noteOf(code, facts);
    const before = reasons.get(row);
    const reason = `${column}: ${what} ${fix}`;
    reasons.set(row, before === undefined ? reason : `${before} ${reason}`);
  }
  return reasons;
}

/** Reasons of an earlier try are left out. */
const isErrorColumn = (name: string): boolean => plainName(name) === ERROR_COLUMN;

const headerLine = ({ names, delimiter }: TableLayout): string =>
  csvLine([...names.filter((name) => !isErrorColumn(name)), ERROR_COLUMN], delimiter);

type Told = Readonly<{ layout: TableLayout; reason: string | undefined; isTotal: boolean }>;

function lineOf({ cells, doubts }: RawRow, { layout, reason = '', isTotal }: Told): string {
  const { names, delimiter } = layout;
  if (cells.every((cell) => cell.trim() === '')) return '';
  const kept = cells.flatMap((cell, position) => {
    if (isErrorColumn(names[position] ?? '')) return [];
    const isRefused = startsLikeFormula(cell) || (doubts?.has(position) === true && !isTotal);
    return [isRefused && cell !== '' ? `${MARK}${cell}` : cell];
  });
  const isMarked = kept.some((cell) => cell.startsWith(MARK));
  return csvLine([...kept, isMarked ? `${reason} ${HOW_TO_UNMARK}`.trim() : reason], delimiter);
}
