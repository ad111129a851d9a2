import { type FileForm, formFault, statedForm } from '../../domain/rows/file-form.ts';
import { plainName } from '../../domain/rows/column-names.ts';
import { COLUMNS, type RowColumn } from '../../domain/rows/row.ts';
import { flagInvalid } from './flag-error.ts';

/** The flags about the form of a file, as they were typed. */
export type FormFlags = Readonly<{
  sheet?: string;
  decimalComma?: boolean;
  /** Each as `COLUMN=NAME`. */
  column?: readonly string[];
  ignoreColumn?: readonly string[];
}>;

/** Reads the form of a file; undefined: nothing was stated. @throws FLAG_INVALID */
export function readFileForm(flags: FormFlags): FileForm | undefined {
  const form = {
    sheet: flags.sheet ?? null,
    decimalComma: flags.decimalComma ?? false,
    columns: readColumns(flags.column ?? []),
    ignoreColumns: (flags.ignoreColumn ?? []).map(readIgnored),
  };
  const fault = formFault(form);
  if (fault !== null) throw flagInvalid('--column', fault);
  return statedForm(form);
}

function readColumns(texts: readonly string[]): FileForm['columns'] {
  const columns = texts.map(readColumn);
  const names = new Set(columns.map(([column]) => column));
  if (names.size < columns.length) throw flagInvalid('--column', 'names a column twice');
  return Object.fromEntries(columns);
}

function readColumn(text: string): readonly [RowColumn, string] {
  const [, word = '', name = ''] = /^([^=]*)=(.*)$/s.exec(text) ?? [];
  const column = COLUMNS.find((each) => each === word);
  if (column !== undefined && plainName(name) !== '') return [column, name];
  const known = COLUMNS.join(', ');
  throw flagInvalid('--column', `"${text}" is not COLUMN=NAME, where COLUMN is one of ${known}`);
}

function readIgnored(name: string): string {
  if (plainName(name) !== '') return name;
  throw flagInvalid('--ignore-column', 'needs the name of a column');
}

/** The flags that state this form. */
export const formWords = (form: FileForm | undefined): string[] =>
  form === undefined
    ? []
    : [
        ...(form.sheet === null ? [] : ['--sheet', form.sheet]),
        ...(form.decimalComma ? ['--decimal-comma'] : []),
        ...COLUMNS.flatMap((column) => {
          const name = form.columns[column];
          return name === undefined ? [] : ['--column', `${column}=${name}`];
        }),
        ...form.ignoreColumns.flatMap((name) => ['--ignore-column', name]),
      ];
