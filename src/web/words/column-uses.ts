import type { FileQuestion } from '../../domain/errors/file-question.ts';
import { plainName } from '../../domain/rows/column-names.ts';
import type { FileForm } from '../../domain/rows/file-form.ts';
import { COLUMNS, type RowColumn } from '../../domain/rows/row.ts';

/** The meaning of a column of a file, or that it is not read. */
export type ColumnUse = RowColumn | 'ignore';

export const isColumnUse = (text: string): text is ColumnUse =>
  text === 'ignore' || COLUMNS.some((column) => column === text);

/** Uses by the name of a column. Null: the person has not chosen yet. */
export type ColumnUses = ReadonlyMap<string, ColumnUse | null>;

/** The uses before a person has chosen: the suggestions. */
export const firstUses = (columns: NonNullable<FileQuestion['columns']>): ColumnUses =>
  new Map(columns.map(({ name, suggestion }) => [name, suggestion ?? null]));

/** The names of columns with a use that another column has, too. */
export function usedTwice(uses: ColumnUses, { columns }: FileForm): ReadonlySet<string> {
  const names = [...uses].filter(
    ([name, use]) =>
      use !== null &&
      use !== 'ignore' &&
      (columns[use] !== undefined ||
        [...uses].some(([other, its]) => other !== name && its === use)),
  );
  return new Set(names.map(([name]) => name));
}

/** The form of a file with these uses, besides those that were stated before. */
export function formWithUses(form: FileForm, uses: ColumnUses): FileForm {
  const columns = [...uses].flatMap(([name, use]) =>
    use === null || use === 'ignore' ? [] : [[use, name] as const],
  );
  const ignored = [...uses].flatMap(([name, use]) => (use === 'ignore' ? [name] : []));
  const known = new Map([...form.ignoreColumns, ...ignored].map((name) => [plainName(name), name]));
  return {
    ...form,
    columns: { ...form.columns, ...Object.fromEntries(columns) },
    ignoreColumns: [...known.values()].sort(),
  };
}
