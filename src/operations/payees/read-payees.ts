import { BursarError } from '../../domain/errors/bursar-error.ts';
import type { ImportedPayee, PayeeDecision } from '../../domain/payees/payee.ts';
import { payeeKeyOf, payeeNetworkOf } from '../../domain/payees/payee-address.ts';
import {
  payeeEmailFault,
  payeeLabelsFault,
  payeeNameFault,
  readPayeeLabels,
} from '../../domain/payees/payee-texts.ts';
import { reasonFault } from '../input/reason.ts';
import { decodeUtf8 } from '../../ingest/decode-utf8.ts';
import { READ_BYTES } from '../../ingest/limits.ts';
import { openFile } from '../../ingest/open-file.ts';
import { scanRows } from '../../ingest/scan-rows.ts';
import { splitRow } from '../../ingest/split-row.ts';

/** Bytes of a file of payees: more than a million rows. The file is held in memory. */
const FILE_BYTES_MAX = 128 * 1024 ** 2;

const COLUMNS = [
  ...(['address', 'currency', 'network', 'name', 'labels', 'status', 'reason', 'email'] as const),
];
type PayeeColumn = (typeof COLUMNS)[number];

/** Columns that an export has and an import does not need: who decided, and when. */
const IGNORED = ['decided_by', 'decided_at'];

/** Where a file of payees is. `name`: for errors. */
export type PayeeSource = Readonly<{ name: string; path: string }>;

/** A file of payees, checked. `sha256`: of the file, lowercase hex. */
export type PayeeFile = Readonly<{ sha256: string; payees: readonly ImportedPayee[] }>;

/**
 * Reads a file of payees whole. @throws FILE_* when the file cannot be read, PAYEES_FILE_INVALID with its first line that
 * cannot be used
 */
export async function readPayeeFile(source: PayeeSource): Promise<PayeeFile> {
  const { name: file } = source;
  const open = await openFile(source, { readBytes: READ_BYTES, sizeBytesMax: FILE_BYTES_MAX });
  try {
    let text = '';
    for await (const part of decodeUtf8(open.blocks, file)) text += part;
    return { sha256: open.sha256(), payees: readPayees(file, text) };
  } finally {
    await open.close();
  }
}

function readPayees(file: string, text: string): ImportedPayee[] {
  const [header = '', ...lines] = text.replaceAll('\r\n', '\n').split('\n');
  const cellsAt = readerOf(header, file);
  const seen = new Map<string, number>();
  const payees: ImportedPayee[] = [];
  const faults: Readonly<{ line: number; problem: string }>[] = [];
  for (const [index, row] of lines.entries()) {
    const line = index + 2;
    if (isBlank(row)) continue;
    const read = readPayee(cellsAt(row), line);
    const name = typeof read === 'string' ? '' : `${read.network} ${read.address}`;
    const first = seen.get(name);
    if (typeof read === 'string') faults.push({ line, problem: read });
    else if (first !== undefined) faults.push({ line, problem: `its address is in line ${first}` });
    else payees.push(read);
    if (first === undefined && name !== '') seen.set(name, line);
  }
  const [fault] = faults;
  if (fault === undefined) return payees;
  throw new BursarError('PAYEES_FILE_INVALID', { file, ...fault, others: faults.length - 1 });
}

/** Spreadsheets write empty rows at the end of a table. */
const isBlank = (row: string): boolean => /^[\s,;]*$/.test(row);

type Cells = Partial<Record<PayeeColumn, string>>;

/** Reads the header. Returns a function that reads a row; it returns a text when the row cannot be read. */
function readerOf(header: string, file: string): (row: string) => Cells | string {
  const delimiter = header.includes(';') ? ';' : ',';
  const titles = cellsOf(header, delimiter);
  const columns = typeof titles === 'string' ? [] : titles.map((title) => title.toLowerCase());
  const problem = typeof titles === 'string' ? titles : headerProblem(columns);
  if (problem !== null) {
    throw new BursarError('PAYEES_FILE_INVALID', { file, line: 1, problem, others: 0 });
  }
  return (row) => {
    const cells = cellsOf(row, delimiter);
    if (typeof cells === 'string') return cells;
    if (cells.length !== columns.length) {
      return `it has ${cells.length} cells, and the header has ${columns.length}`;
    }
    return Object.fromEntries(columns.map((column, i) => [column, cells[i] ?? '']));
  };
}

function headerProblem(columns: readonly string[]): string | null {
  const unknown = columns.find(
    (column) => !(COLUMNS as readonly string[]).includes(column) && !IGNORED.includes(column),
  );
  if (unknown !== undefined) return `there is no column "${unknown}"`;
  if (new Set(columns).size < columns.length) return 'a column stands twice';
  if (!columns.includes('address')) return 'the column "address" is missing';
  return columns.includes('currency') === columns.includes('network')
    ? 'it needs one of the columns "currency" and "network"'
    : null;
}

/** The cells of one line; a text when it is no row of CSV. */
function cellsOf(line: string, delimiter: string): string[] | string {
  const { problem, lines } = scanRows(`${line}\n`, delimiter, 1);
  if (problem !== undefined || lines.length !== 1) return 'its quotes do not close in the line';
  return splitRow(line, delimiter).map((cell) => cell.trim());
}

/** The payee of a row; a text when there is none. */
function readPayee(cells: Cells | string, row: number): ImportedPayee | string {
  if (typeof cells === 'string') return cells;
  const { address = '', currency, network: networkText, reason = '' } = cells;
  const { name = '', email = '' } = cells;
  const money = currency ?? networkText ?? '';
  const network = payeeNetworkOf(money);
  if (network === undefined) return `${JSON.stringify(money)} is no currency and no network`;
  const key = payeeKeyOf(network, address);
  if (key === undefined) return `${JSON.stringify(address)} is no address of ${money}`;
  const labels = readPayeeLabels(cells.labels ?? '');
  const status = (cells.status ?? '').toUpperCase();
  const decision = STATUSES.get(status);
  if (decision === undefined) return `the status ${JSON.stringify(status)} is unknown`;
  const problem = textProblem({ name, email, labels, reason: decision === null ? null : reason });
  return problem ?? { ...key, row, written: address, name, email, labels, decision, reason };
}

const STATUSES: ReadonlyMap<string, PayeeDecision | null> = new Map([
  ['', null],
  ['LISTED', null],
  ['ALLOWED', 'ALLOWED'],
  ['DENIED', 'DENIED'],
]);

type PayeeTexts = Readonly<{
  name: string;
  email: string;
  labels: readonly string[];
  reason: string | null;
}>;

function textProblem({ name, email, labels, reason }: PayeeTexts): string | null {
  const ofName = payeeNameFault(name);
  if (ofName !== null) return `the name ${ofName}`;
  const ofEmail = payeeEmailFault(email);
  if (ofEmail !== null) return `the e-mail ${ofEmail}`;
  const ofLabels = payeeLabelsFault(labels);
  if (ofLabels !== null) return `a label ${ofLabels}`;
  const ofReason = reason === null ? null : reasonFault(reason);
  return ofReason === null ? null : `the reason: ${ofReason}`;
}
