import { BursarError, isBursarError } from '../../domain/errors/bursar-error.ts';
import type { ErrorFacts } from '../../domain/errors/catalogue.ts';
import { questionIn } from '../../domain/errors/file-question.ts';
import { type FileForm, PLAIN_FORM } from '../../domain/rows/file-form.ts';
import type { Source } from './source.ts';

/** Values of a column in a question, the rows that are searched for them, and the characters of one. */
const VALUES_MAX = 3;
const ROWS_MAX = 100;
const VALUE_CHARS_MAX = 40;

/**
 * The error that asks for the meaning of columns, with the first values of each: people know a column by them. Another error,
 * and one of a file whose rows cannot be read, stays as it is.
 */
export async function withColumnValues(
  error: unknown,
  { shownName, path, followLinks }: Source,
  form: FileForm = PLAIN_FORM,
): Promise<unknown> {
  if (!isBursarError(error) || error.code !== 'HEADER_UNKNOWN_COLUMN') return error;
  const facts = error.facts as ErrorFacts<'HEADER_UNKNOWN_COLUMN'>;
  const columns = questionIn(facts)?.columns ?? [];
  const asked = columns.map(({ name }) => name);
  const readable = { ...form, ignoreColumns: [...form.ignoreColumns, ...asked] };
  const { readFirstRows } = await import('../../ingest/index.ts');
  try {
    const source = { name: shownName, path, followLinks };
    const { names, rows } = await readFirstRows(source, { form: readable }, ROWS_MAX);
    const valuesOf = (name: string): string[] =>
      rows
        .map(({ cells }) => cells[names.indexOf(name)]?.trim() ?? '')
        .filter((value) => value !== '')
        .slice(0, VALUES_MAX)
        .map(shortened);
    const shown = columns.map((column) => ({ ...column, values: valuesOf(column.name) }));
    return new BursarError('HEADER_UNKNOWN_COLUMN', { ...facts, asks: { columns: shown } });
  } catch (unread) {
    if (isBursarError(unread)) return error;
    throw unread;
  }
}

function shortened(value: string): string {
  const characters = [...value.slice(0, 2 * VALUE_CHARS_MAX)];
  if (characters.length <= VALUE_CHARS_MAX) return characters.join('');
  return `${characters.slice(0, VALUE_CHARS_MAX).join('')}…`;
}
