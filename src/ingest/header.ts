import { BursarError } from '../domain/errors/bursar-error.ts';
import { COLUMNS, type RowColumn } from '../domain/rows/row.ts';
import { splitRow } from './split-row.ts';
import { trimSpaces } from './trim-spaces.ts';

/** The layout of the rows in a file. */
export type TableLayout = Readonly<{
  delimiter: string;
  width: number;
  /** Position of each column in a row; -1 for a missing column. */
  positions: Readonly<Record<RowColumn, number>>;
}>;

/** The name of the file, and the columns that it must have. */
export type HeaderOptions = Readonly<{ file: string; required: readonly RowColumn[] }>;

const DELIMITERS = [',', ';', '\t'];

/**
 * Other names of the columns, in lower case without spaces, `_` and `-`.
 * Memo and tag are missing on purpose: on some networks they decide who gets the money, and the
 * service has no field for them.
 */
export const ALIASES: Readonly<Record<RowColumn, readonly string[]>> = {
  address: ['depositaddress', 'walletaddress', 'wallet', 'to'],
  amount: ['sum'],
  currency: ['ticker', 'coin'],
  comment: ['note'],
  reference: ['ref'],
};

const COLUMN_BY_NAME: ReadonlyMap<string, RowColumn> = new Map(
  COLUMNS.flatMap((column) => [column, ...ALIASES[column]].map((name) => [name, column] as const)),
);

const COLUMN_NAMES = COLUMNS.join(', ');

/**
 * Returns the delimiter of a file: the most frequent one in its header of comma, semicolon and tab.
 */
export function delimiterOf(header: string, file: string): string {
  const counts = DELIMITERS.map((delimiter) => header.split(delimiter).length - 1);
  const most = Math.max(...counts);
  if (most > 0 && counts.indexOf(most) === counts.lastIndexOf(most)) {
    return DELIMITERS[counts.indexOf(most)] ?? '';
  }
  throw new BursarError('DELIMITER_UNKNOWN', { file, found: visible(header) });
}

/**
 * Reads the header line. Every column must have a valid name and appear once. Order and case are
 * free.
 */
export function readHeader(
  header: string,
  delimiter: string,
  { file, required }: HeaderOptions,
): TableLayout {
  const names = splitRow(header, delimiter);
  const positions = { address: -1, amount: -1, currency: -1, comment: -1, reference: -1 };
  names.forEach((name, position) => {
    const column = COLUMN_BY_NAME.get(normalised(name));
    if (column === undefined) {
      throw new BursarError('HEADER_UNKNOWN_COLUMN', {
        file,
        column: visible(name),
        known: COLUMN_NAMES,
      });
    }
    if (positions[column] !== -1)
      throw new BursarError('HEADER_DUPLICATE_COLUMN', { file, column });
    positions[column] = position;
  });
  const missing = required.find((column) => positions[column] === -1);
  if (missing === undefined) return { delimiter, width: names.length, positions };
  throw new BursarError('HEADER_MISSING_COLUMN', { file, column: missing, found: visible(header) });
}

const normalised = (name: string): string => trimSpaces(name).toLowerCase().replace(/[ _-]/g, '');

const CHARS_MAX = 200;

/**
 * Returns a text of the file for a message: short, with codes instead of characters beyond ASCII.
 */
const visible = (text: string): string =>
  text
    .slice(0, CHARS_MAX)
    .replace(/[^ -~]/gu, (character) => `<U+${hex(character.codePointAt(0) ?? 0)}>`);

const hex = (codePoint: number): string => codePoint.toString(16).toUpperCase().padStart(4, '0');
