import { gunzipSync } from 'node:zlib';

/*
 * A reader of merchants' files without code of the engine. It follows docs/payout-file.md, keeps the
 * whole file in memory, and reads it character by character. It has no limits of length, because the
 * tests use small files.
 */

export type ReadRow = Readonly<{
  line: number;
  /** Trimmed cells by column; undefined for a row with another number of cells. */
  cells: Readonly<Record<string, string>> | undefined;
}>;

/** The rows of a file with its control totals, or the code and line of its refusal. */
export type Reading =
  | Readonly<{ refusal: string }>
  | Readonly<{ rows: readonly ReadRow[]; control: Control | undefined }>;

export type Control = Readonly<{ count: number | null; totals: readonly string[] }>;

/** Thrown and caught within this file. */
class Refusal extends Error {
  constructor(code: string, line?: number) {
    super(line === undefined ? code : `${code} ${line}`);
  }
}

export function readIndependently(bytes: Uint8Array): Reading {
  try {
    return readTable(textOf(unpacked(bytes)));
  } catch (error) {
    if (error instanceof Refusal) return { refusal: error.message };
    throw error;
  }
}

const startsWith = (bytes: Uint8Array, ...start: number[]): boolean =>
  start.every((byte, i) => bytes[i] === byte);

function unpacked(bytes: Uint8Array): Uint8Array {
  if (bytes.length === 0) throw new Refusal('FILE_EMPTY');
  if (!startsWith(bytes, 0x1f, 0x8b)) return bytes;
  try {
    return gunzipSync(bytes);
  } catch {
    throw new Refusal('FILE_COMPRESSION');
  }
}

function textOf(bytes: Uint8Array): string {
  if (startsWith(bytes, 0xd0, 0xcf, 0x11, 0xe0)) throw new Refusal('FILE_FORMAT');
  // A file that begins so by chance is no archive.
  if (startsWith(bytes, 0x50, 0x4b, 3, 4) || startsWith(bytes, 0x50, 0x4b, 5, 6)) {
    throw new Refusal('WORKBOOK_UNREADABLE');
  }
  const isOther =
    startsWith(bytes, 0xff, 0xfe) ||
    startsWith(bytes, 0xfe, 0xff) ||
    startsWith(bytes, 0x1f, 0x8b) ||
    bytes[0] === 0 ||
    bytes[1] === 0;
  if (isOther) throw new Refusal('FILE_ENCODING');
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return (text.startsWith('\uFEFF') ? text.slice(1) : text).replaceAll('\r\n', '\n');
  } catch {
    throw new Refusal('FILE_ENCODING');
  }
}

const trimmed = (cell: string): string => cell.replace(/^ +/, '').replace(/ +$/, '');

function readTable(text: string): Reading {
  const { header, line, rest, control, named } = takeHead(text);
  const delimiter = named ?? delimiterOf(header);
  const [names = []] = [...rowsIn(header, delimiter, line)].map(({ cells }) => cells);
  const columns: string[] = [];
  for (const column of names.map(columnNamed)) {
    const isRead = Object.values(NAMES).includes(column);
    if (isRead && columns.includes(column)) throw new Refusal('HEADER_DUPLICATE_COLUMN');
    columns.push(column);
  }
  for (const column of ['address', 'amount', 'currency']) {
    if (!columns.includes(column)) throw new Refusal('HEADER_MISSING_COLUMN');
  }
  const rows: ReadRow[] = [];
  for (const { line: rowLine, cells } of rowsIn(rest, delimiter, line + 1)) {
    if (cells.every((cell) => trimmed(cell) === '')) continue;
    const byColumn = columns.map((column, i) => [column, trimmed(cells[i] ?? '')]);
    const isEmpty = byColumn.every(([column, cell]) => column !== MUST_BE_EMPTY || cell === '');
    const isWhole = cells.length === columns.length && isEmpty;
    rows.push({ line: rowLine, cells: isWhole ? Object.fromEntries(byColumn) : undefined });
  }
  if (isTotal(rows.at(-1)?.cells)) rows.pop();
  if (rows.length === 0) throw new Refusal('FILE_WITHOUT_ROWS');
  return { rows, control };
}

const TOTAL = /^(total|totals|grand total|total amount|sum|summe|gesamt|итого)[ :=.]*$/i;

/** Whether the last row is a total: a word for it, an amount, and no address. */
const isTotal = (cells: ReadRow['cells']): boolean =>
  cells !== undefined &&
  isDecimal(cells['amount'] ?? '') &&
  ['', TOTAL].some((word) => (cells['address'] ?? '').match(word)?.[0] === cells['address']) &&
  Object.values(cells).some((cell) => TOTAL.test(cell));

/** Reads the text before the rows: empty lines, an optional control line, and the header. */
function takeHead(text: string) {
  const lines = text.split('\n');
  let control: Control | undefined;
  let named: string | undefined;
  for (const [i, content] of lines.entries()) {
    const line = i + 1;
    if (/^[ ,;\t]*$/.test(content)) continue;
    if (content.includes('\r')) throw new Refusal('LINE_BREAK_BARE', line);
    const [, delimiter] = /^sep=([,;\t])$/i.exec(content) ?? [];
    if (delimiter !== undefined && named === undefined) {
      named = delimiter;
      continue;
    }
    if (named !== undefined || !trimmed(content).startsWith('#')) {
      return { header: content, line, rest: lines.slice(line).join('\n'), control, named };
    }
    if (control !== undefined) throw new Refusal('CONTROL_LINE_UNREADABLE', line);
    control = controlOf(trimmed(content).slice(1), line);
  }
  throw new Refusal('FILE_EMPTY');
}

function controlOf(content: string, line: number): Control {
  const words = content
    .replace(/[,;\t ]+$/, '')
    .split(' ')
    .filter((word) => word !== '');
  const counts: number[] = [];
  const totals = new Map<string, string>();
  for (const word of words) {
    const [, count] = /^rows=([0-9]{1,9})$/.exec(word) ?? [];
    const [, amount, currency = ''] = /^total=([0-9.]+)(?::([A-Z0-9_]+))?$/.exec(word) ?? [];
    if (count !== undefined) counts.push(Number(count));
    else if (isDecimal(amount ?? '') && !totals.has(currency)) totals.set(currency, amount ?? '');
    else throw new Refusal('CONTROL_LINE_UNREADABLE', line);
  }
  if (words.length === 0 || counts.length > 1) throw new Refusal('CONTROL_LINE_UNREADABLE', line);
  const said = [...totals].map(([currency, amount]) =>
    currency === '' ? withoutEndZeros(amount) : `${withoutEndZeros(amount)}:${currency}`,
  );
  return { count: counts[0] ?? null, totals: said };
}

export const isDecimal = (text: string): boolean => /^(0|[1-9]\d{0,29})(\.\d{1,36})?$/.test(text);

export const withoutEndZeros = (amount: string): string =>
  amount.includes('.') ? amount.replace(/0+$/, '').replace(/\.$/, '') : amount;

function delimiterOf(header: string): string {
  const counted = [',', ';', '\t'].map((delimiter) => ({
    delimiter,
    count: [...header].filter((character) => character === delimiter).length,
  }));
  const most = Math.max(...counted.map(({ count }) => count));
  const [first, second] = counted.filter(({ count }) => count === most && count > 0);
  if (first === undefined || second !== undefined) throw new Refusal('DELIMITER_UNKNOWN');
  return first.delimiter;
}

const NAMES: Readonly<Record<string, string>> = {
  address: 'address',
  depositaddress: 'address',
  walletaddress: 'address',
  wallet: 'address',
  to: 'address',
  amount: 'amount',
  sum: 'amount',
  currency: 'currency',
  ticker: 'currency',
  coin: 'currency',
  comment: 'comment',
  note: 'comment',
  reference: 'reference',
  ref: 'reference',
  name: 'name',
};

/** A column without a name, or with tags. */
const MUST_BE_EMPTY = 'must be empty';
const TAGS = ['memo', 'tag', 'memotag', 'tagmemo', 'memo/tag', 'tag/memo', 'memoid'];
const MORE_TAGS = ['destinationtag', 'desttag', 'addresstag', 'paymentid'];

function columnNamed(name: string): string {
  const plain = trimmed(name).toLowerCase().replace(/[ _-]/g, '');
  if (plain === '' || TAGS.includes(plain) || MORE_TAGS.includes(plain)) return MUST_BE_EMPTY;
  if (plain === 'error') return 'not read';
  const column = Object.hasOwn(NAMES, plain) ? NAMES[plain] : undefined;
  if (column === undefined) throw new Refusal('HEADER_UNKNOWN_COLUMN');
  return column;
}

type Cell = { text: string; line: number; isQuoted: boolean };
type State = 'start' | 'plain' | 'quoted' | 'quote in quoted';

/** Reads the rows character by character. */
function* rowsIn(text: string, delimiter: string, firstLine: number) {
  let line = firstLine;
  let state: State = 'start';
  let cell: Cell = { text: '', line, isQuoted: false };
  let cells: Cell[] = [];
  for (const character of text.endsWith('\n') || text === '' ? text : `${text}\n`) {
    if (character === '\r') throw new Refusal('LINE_BREAK_BARE', line);
    if (state === 'quoted') {
      if (character === '"') state = 'quote in quoted';
      else cell.text += character;
    } else if (character === delimiter || character === '\n') {
      cells.push(cell);
      state = 'start';
      if (character === '\n') {
        assertOneRow(cells, delimiter);
        yield { line: cells[0]?.line ?? 0, cells: cells.map((each) => each.text) };
        cells = [];
      }
      cell = { text: '', line: character === '\n' ? line + 1 : line, isQuoted: false };
    } else if (state === 'quote in quoted') {
      if (character !== '"') {
        throw new Refusal(line > cell.line ? 'QUOTE_UNCLOSED' : 'QUOTE_MALFORMED', cell.line);
      }
      cell.text += character;
      state = 'quoted';
    } else if (character === '"') {
      if (state === 'plain') throw new Refusal('QUOTE_MALFORMED', line);
      state = 'quoted';
      cell.isQuoted = true;
    } else {
      state = 'plain';
      cell.text += character;
    }
    if (character === '\n') line += 1;
  }
  if (state !== 'start') throw new Refusal('QUOTE_UNCLOSED', cell.line);
}

/** Whether a cell of several lines has a last line that may be the start of a row. */
function assertOneRow(cells: readonly Cell[], delimiter: string): void {
  const isBlank = cells.length === 1 && trimmed(cells[0]?.text ?? '') === '';
  if (isBlank || cells.every(({ isQuoted }) => isQuoted)) return;
  cells.forEach(({ text, line }, place) => {
    const lines = text.split('\n');
    const delimiters = (lines.at(-1) ?? '').split(delimiter).length - 1;
    if (lines.length > 1 && delimiters >= Math.max(place, 1)) {
      throw new Refusal('QUOTE_OVER_ROWS', line);
    }
  });
}
