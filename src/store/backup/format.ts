import { createHash } from 'node:crypto';
import { isObject } from '../../domain/json/is-object.ts';
import { TABLES } from './tables.ts';

/**
 * A backup is text in gzip, one JSON value a line: the head; for each table its name and columns, then its rows as arrays of
 * cells; the end. So a backup of one engine can be restored on the other.
 */
export const BACKUP_SCHEMA = 'bursar.store-backup/v1';

export type BackupHead = Readonly<{
  schema: typeof BACKUP_SCHEMA;
  storeId: string;
  atMs: number;
  /** The names of all changes of the tables. */
  migrations: readonly string[];
}>;

export type BackupTable = Readonly<{ table: string; columns: readonly string[] }>;

/** `sha256`: of all lines before it, with their line breaks. */
export type BackupEnd = Readonly<{ rows: number; sha256: string }>;

/** A value of a row. Bytes are an object, as JSON has none. */
export type BackupCell = string | number | null | Readonly<{ base64: string }>;

export type BackupLine = BackupHead | BackupTable | BackupEnd | readonly BackupCell[];

/** Adds up the digest of the lines of a backup. */
export function createLineDigest() {
  const hash = createHash('sha256');
  return {
    add(line: string): void {
      hash.update(line).update('\n');
    },
    sha256: (): string => hash.copy().digest('hex'),
  };
}

/** Splits bytes into lines. A text within JSON has no line break. */
export async function* linesOf(bytes: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let rest: Buffer[] = [];
  for await (const piece of bytes) {
    let start = 0;
    for (let end = piece.indexOf(0x0a); end !== -1; end = piece.indexOf(0x0a, start)) {
      rest.push(piece.subarray(start, end));
      yield Buffer.concat(rest).toString('utf8');
      rest = [];
      start = end + 1;
    }
    rest.push(piece.subarray(start));
  }
  if (rest.some(({ length }) => length > 0)) yield Buffer.concat(rest).toString('utf8');
}

export const cellOf = (value: unknown): BackupCell => {
  if (value === null || typeof value === 'string' || typeof value === 'number') return value;
  if (value instanceof ArrayBuffer) return { base64: Buffer.from(value).toString('base64') };
  if (value instanceof Uint8Array) return { base64: Buffer.from(value).toString('base64') };
  throw new Error(`a backup has no value of the type ${typeof value}`);
};

export const valueOf = (cell: BackupCell): string | number | null | Buffer =>
  cell !== null && typeof cell === 'object' ? Buffer.from(cell.base64, 'base64') : cell;

const areTexts = (value: unknown): boolean =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');

export const isBackupHead = (line: unknown): line is BackupHead =>
  isObject(line) &&
  line['schema'] === BACKUP_SCHEMA &&
  typeof line['storeId'] === 'string' &&
  areTexts(line['migrations']);

export const isBackupTable = (line: unknown): line is BackupTable =>
  isObject(line) && TABLES.some((table) => table === line['table']) && areTexts(line['columns']);

export const isBackupEnd = (line: unknown): line is BackupEnd =>
  isObject(line) && typeof line['rows'] === 'number' && typeof line['sha256'] === 'string';
