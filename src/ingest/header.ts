import { BursarError } from '../domain/errors/bursar-error.ts';
import { unknownColumnFacts } from '../domain/errors/unknown-columns.ts';
import {
  columnNamed,
  ERROR_COLUMN,
  isTagName,
  plainName,
  suggestedColumn,
} from '../domain/rows/column-names.ts';
import type { FileForm } from '../domain/rows/file-form.ts';
import { COLUMNS, type RowColumn } from '../domain/rows/row.ts';
import { shownName } from './shown-name.ts';

/** The layout of the rows in a file. */
export type TableLayout = Readonly<{
  delimiter: string;
  /** The names in the header, as the file has them. */
  names: readonly string[];
  width: number;
  /** Position of each column in a row; -1 for a missing column. */
  positions: Readonly<Record<RowColumn, number>>;
  emptyColumns: readonly EmptyColumn[];
  /** Whether a comma divides the decimals of amounts. */
  decimalComma: boolean;
}>;

/** A column whose cells must be empty: a tag column, or one without a name. `name`: empty for none. */
export type EmptyColumn = Readonly<{ position: number; name: string }>;

/** The name of the file, the columns that it must have, and the statements of its submitter. */
export type HeaderOptions = Readonly<{
  file: string;
  required: readonly RowColumn[];
  form: FileForm;
}>;

const DELIMITERS = [',', ';', '\t'];

/** The line with which Excel names the delimiter of a file. */
const DELIMITER_LINE = /^sep=([,;\t])$/i;

/** The delimiter that a first line names; undefined for another line. */
export const namedDelimiter = (line: string): string | undefined => DELIMITER_LINE.exec(line)?.[1];

/**
 * Returns the delimiter of a file: the most frequent one in its header of comma, semicolon and tab.
 */
export function delimiterOf(header: string, file: string): string {
  const counts = DELIMITERS.map((delimiter) => header.split(delimiter).length - 1);
  const most = Math.max(...counts);
  if (most > 0 && counts.indexOf(most) === counts.lastIndexOf(most)) {
    return DELIMITERS[counts.indexOf(most)] ?? '';
  }
  throw new BursarError('DELIMITER_UNKNOWN', { file, found: shownName(header) });
}

/** The role of a column: one of Bursar's, not read, to be empty, or not known. */
type Role = RowColumn | 'ignored' | 'empty' | 'unknown';

/**
 * Reads the names of the header. Every column must have a valid name and appear once. Order and case are
 * free.
 */
export function readHeader(
  names: readonly string[],
  delimiter: string,
  { file, required, form }: HeaderOptions,
): TableLayout {
  const found = shownName(names.join(delimiter));
  const roles = names.map((name) => roleOf(plainName(name), form));
  refuseUnknown(names, roles, file);
  refuseAbsent(names, form, { file, found });
  const positions = { address: -1, amount: -1, currency: -1, comment: -1, reference: -1, name: -1 };
  const emptyColumns: EmptyColumn[] = [];
  for (const [position, role] of roles.entries()) {
    if (role === 'empty') emptyColumns.push({ position, name: shownName(names[position] ?? '') });
    if (role === 'ignored' || role === 'empty' || role === 'unknown') continue;
    if (positions[role] !== -1) {
      throw new BursarError('HEADER_DUPLICATE_COLUMN', { file, column: role });
    }
    positions[role] = position;
  }
  const missing = required.find((column) => positions[column] === -1);
  if (missing !== undefined) {
    throw new BursarError('HEADER_MISSING_COLUMN', { file, column: missing, found });
  }
  const { decimalComma } = form;
  return { delimiter, names, width: names.length, positions, emptyColumns, decimalComma };
}

function roleOf(plain: string, { columns, ignoreColumns }: FileForm): Role {
  const meant = COLUMNS.find((column) => plainName(columns[column] ?? '') === plain);
  if (plain === '') return 'empty';
  if (meant !== undefined) return meant;
  if (plain === ERROR_COLUMN || ignoreColumns.some((name) => plainName(name) === plain)) {
    return 'ignored';
  }
  return columnNamed(plain) ?? (isTagName(plain) ? 'empty' : 'unknown');
}

/** Names every unknown column at once. @throws HEADER_UNKNOWN_COLUMN */
function refuseUnknown(names: readonly string[], roles: readonly Role[], file: string): void {
  const unknown = names.filter((_, position) => roles[position] === 'unknown');
  if (unknown.length === 0) return;
  const columns = unknown.slice(0, NAMED_MAX).map((name) => {
    const suggestion = suggestedColumn(name);
    const named = { name: name.slice(0, STATED_CHARS_MAX), shown: shownName(name) };
    return { ...named, ...(suggestion === undefined ? {} : { suggestion }) };
  });
  throw new BursarError('HEADER_UNKNOWN_COLUMN', { file, ...unknownColumnFacts(columns) });
}

/** Unknown columns that an error names. A file with more has no header. */
const NAMED_MAX = 20;

/** Characters of a name that a submitter can state. */
const STATED_CHARS_MAX = 200;

/** A flag for a column that is not there is a typing mistake. @throws HEADER_COLUMN_ABSENT */
function refuseAbsent(
  names: readonly string[],
  { columns, ignoreColumns }: FileForm,
  facts: Readonly<{ file: string; found: string }>,
): void {
  const plain = new Set(names.map(plainName));
  const stated = [
    ...Object.values(columns).map((column) => ({ flag: '--column', column })),
    ...ignoreColumns.map((column) => ({ flag: '--ignore-column', column })),
  ];
  const absent = stated.find(({ column }) => !plain.has(plainName(column)));
  if (absent !== undefined) throw new BursarError('HEADER_COLUMN_ABSENT', { ...facts, ...absent });
}
