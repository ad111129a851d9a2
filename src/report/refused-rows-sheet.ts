import { noteOf } from '../domain/errors/bursar-error.ts';
import type { RefusedRow } from '../domain/rows/refused-row.ts';
import type { Draft, Drafts } from './drafts.ts';
import { createLineWriter, sheetHeader } from './sheet.ts';

const COLUMNS = ['row', 'column', 'code', 'value', 'what', 'why', 'fix'];
const writeLine = createLineWriter(COLUMNS.length);

const lineOf = ({ row, column, code, value, facts }: RefusedRow): string => {
  const { what, why, fix } = noteOf(code, facts);
  return writeLine([String(row), column, code, value, what, why, fix]);
};

/** Starts a nack.csv. A refused row has one line for each reason. */
export function createRefusedRowsSheet(
  drafts: Drafts,
  name: string,
): { add(refused: RefusedRow): void } {
  const draft: Draft = drafts.draft(name, sheetHeader(COLUMNS));
  return { add: (refused) => draft.add(lineOf(refused)) };
}
