import { plainName } from './column-names.ts';
import { COLUMNS, type RowColumn } from './row.ts';

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

/**
 * The form as plans have it: one meaning has one digest. Returns undefined for the plain form: a plan without statements has the digest
 * of older versions.
 */
export function statedForm({ columns, ignoreColumns, ...rest }: FileForm): FileForm | undefined {
  const isPlain = rest.sheet === null && !rest.decimalComma;
  if (isPlain && Object.keys(columns).length === 0 && ignoreColumns.length === 0) return undefined;
  return { ...rest, columns, ignoreColumns: [...new Set(ignoreColumns)].sort() };
}

/** Why no file can be read as a form states it; null: one can. */
export function formFault({ columns, ignoreColumns }: FileForm): string | null {
  const read = COLUMNS.flatMap((column) => columns[column] ?? []).map(plainName);
  const ignored = ignoreColumns.map(plainName);
  if ([...read, ...ignored].includes('')) return 'a column has a name of letters or digits';
  if (new Set(read).size < read.length) return 'one column of the file cannot be read as two';
  const isBoth = read.some((name) => ignored.includes(name));
  return isBoth ? 'a column cannot be read and left out' : null;
}
