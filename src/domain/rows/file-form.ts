import type { RowColumn } from './row.ts';

/** The form of a merchant's file that its submitter states, because the file cannot show it. */
export type FileForm = Readonly<{
  /** The sheet of a workbook; null: the only one with values. */
  sheet: string | null;
  /** Whether a comma divides the decimals of amounts. */
  decimalComma: boolean;
  /** The names that columns have in the file. */
  columns: Readonly<Partial<Record<RowColumn, string>>>;
  /** The names of columns that are not read. */
  ignoreColumns: readonly string[];
}>;

/** The form of a file about which nothing was stated. */
export const PLAIN_FORM: FileForm = {
  sheet: null,
  decimalComma: false,
  columns: {},
  ignoreColumns: [],
};

/** Returns undefined for the plain form: a plan without statements keeps its digest. */
export const statedForm = (form: FileForm): FileForm | undefined =>
  form.sheet === null &&
  !form.decimalComma &&
  Object.keys(form.columns).length === 0 &&
  form.ignoreColumns.length === 0
    ? undefined
    : form;
