import type { FileQuestion } from '../../domain/errors/file-question.ts';
import { hasDecimalComma } from '../../domain/rows/decimal-comma.ts';
import { ERROR_COLUMN, plainName } from '../../domain/rows/column-names.ts';
import type { FileForm } from '../../domain/rows/file-form.ts';
import { COLUMNS } from '../../domain/rows/row.ts';
import { type ColumnUse, formWithUses } from './column-uses.ts';
import { sheetRows } from './sheet.ts';

/** The answers of a person about a file, for the next file with the same columns. */
export type KeptAnswers = Readonly<{
  /** The names in the first line, in order; null: the page does not have them, as with a workbook. */
  header: string | null;
  form: FileForm;
  /** The currency of rows that name none. */
  currency: string | null;
}>;

/** The names in the first line of a CSV file, as one text to compare; null for another file. */
export function headerOf(text: string | null): string | null {
  if (text === null) return null;
  const names = (sheetRows(text)[0]?.cells ?? []).map(plainName);
  return JSON.stringify(names.filter((name) => name !== ERROR_COLUMN));
}

/** Whether two headers may be the same. One that the page does not have is judged by the questions about the file. */
export const isSameHeader = (a: string | null, b: string | null): boolean =>
  a === null || b === null || a === b;

/**
 * The form of a file whose question is answered as before; null: the person must answer. Columns are answered only where
 * the question names exactly those that the person answered for.
 */
export function answeredAsBefore(
  { sheets = [], columns = [] }: FileQuestion,
  form: FileForm,
  kept: FileForm,
): FileForm | null {
  if (sheets.length > 0) {
    const isThere = kept.sheet !== null && sheets.includes(kept.sheet);
    return isThere ? { ...form, sheet: kept.sheet } : null;
  }
  const uses = usesIn(kept);
  const isSame = columns.length === uses.size && columns.every(({ name }) => uses.has(name));
  return columns.length > 0 && isSame ? formWithUses(form, uses) : null;
}

const usesIn = ({ columns, ignoreColumns }: FileForm): ReadonlyMap<string, ColumnUse> =>
  new Map<string, ColumnUse>([
    ...COLUMNS.flatMap((column) => {
      const name = columns[column];
      return name === undefined ? [] : [[name, column] as const];
    }),
    ...ignoreColumns.map((name) => [name, 'ignore'] as const),
  ]);

type Refused = readonly Readonly<{ code: string; value: string }>[];

/** Whether cells are refused that a decimal comma would mend. */
export const needsDecimalComma = (refused: Refused): boolean =>
  refused.some(({ code, value }) => code === 'AMOUNT_NOT_DECIMAL' && hasDecimalComma(value));

/** Whether rows are refused that name no currency. */
export const needsCurrency = (refused: Refused): boolean =>
  refused.some(({ code }) => code === 'CURRENCY_MISSING');
