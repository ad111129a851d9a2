import { BursarError } from '../domain/errors/bursar-error.ts';
import { COLUMNS, type RowColumn } from '../domain/rows/row.ts';
import { parseCells } from './parse-cells.ts';
import { trimSpaces } from './trim-spaces.ts';
import { visible } from './visible.ts';

/** How the rows of a file are laid out. */
export type Layout = Readonly<{
  delimiter: string;
  width: number;
  /** Place of each column in a row; -1 for one that the file lacks. */
  places: Readonly<Record<RowColumn, number>>;
}>;

/** The facts for the reader of a header: the name of the file, and the required columns. */
export type HeaderOptions = Readonly<{ file: string; required: readonly RowColumn[] }>;

const DELIMITERS = [',', ';', '\t'];

/**
 * Other names of the columns, in small letters without spaces, `_` and `-`. Memo and tag are left out on purpose: on some
 * networks they decide who gets the money, and the service has no field for them.
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

const KNOWN = COLUMNS.join(', ');

/** The character that divides the cells of a header: the one of comma, semicolon and tab that it has most of. */
export function delimiterOf(header: string, file: string): string {
  const counts = DELIMITERS.map((delimiter) => header.split(delimiter).length - 1);
  const most = Math.max(...counts);
  if (most > 0 && counts.indexOf(most) === counts.lastIndexOf(most)) {
    return DELIMITERS[counts.indexOf(most)] ?? '';
  }
  throw new BursarError('DELIMITER_UNKNOWN', { file, found: visible(header) });
}

/** Reads the header line. Every column must be known and stand once, whatever the order and the case of its letters. */
export function readHeader(
  header: string,
  delimiter: string,
  { file, required }: HeaderOptions,
): Layout {
  const names = parseCells(`${header}\n`, delimiter)[0] ?? [];
  const places = { address: -1, amount: -1, currency: -1, comment: -1, reference: -1 };
  names.forEach((name, place) => {
    const column = COLUMN_BY_NAME.get(normalised(name));
    if (column === undefined) {
      throw new BursarError('HEADER_UNKNOWN_COLUMN', { file, column: visible(name), known: KNOWN });
    }
    if (places[column] !== -1) throw new BursarError('HEADER_DUPLICATE_COLUMN', { file, column });
    places[column] = place;
  });
  const missing = required.find((column) => places[column] === -1);
  if (missing === undefined) return { delimiter, width: names.length, places };
  throw new BursarError('HEADER_MISSING_COLUMN', { file, column: missing, found: visible(header) });
}

const normalised = (name: string): string => trimSpaces(name).toLowerCase().replace(/[ _-]/g, '');
