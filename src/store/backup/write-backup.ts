import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { sql } from 'kysely';
import { PRIVATE_FILE_MODE } from '../../domain/files/private-modes.ts';
import { existsSync } from 'node:fs';
import { BursarError } from '../../domain/errors/bursar-error.ts';
import type { Connection } from '../database/db.ts';
import { openReader } from '../engine/open.ts';
import { withSnapshot } from '../engine/snapshot.ts';
import { appliedMigrations } from '../engine/version.ts';
import { BACKUP_SCHEMA, type BackupLine, cellOf, createLineDigest } from './format.ts';
import { TABLE_KEYS } from './tables.ts';

/** Rows that are read at once. A row may hold the rows of a whole chunk. */
const PAGE = 200;

export type BackupSummary = Readonly<{ storeId: string; rows: number; sha256: string }>;

/**
 * Writes all rows of a store, as of one moment, into a new file, while programs go on. Nothing stays behind when it fails.
 * @throws BACKUP_EXISTS, BACKUP_UNWRITABLE, STORE_UNUSABLE, STORE_UNREACHABLE, STORE_TOO_OLD, STORE_TOO_NEW
 */
export async function backUpStore(
  url: string,
  { path, atMs }: Readonly<{ path: string; atMs: number }>,
): Promise<BackupSummary> {
  if (existsSync(path)) throw new BursarError('BACKUP_EXISTS', { path });
  const db = await openReader(url);
  const unfinished = `${path}.part`;
  try {
    return await withSnapshot(db, async (moment) => {
      const { lines, summary } = await backupOf(moment, atMs);
      const file = createWriteStream(unfinished, { mode: PRIVATE_FILE_MODE, flush: true });
      await pipeline(Readable.from(lines), createGzip(), file);
      await rename(unfinished, path);
      return summary();
    });
  } catch (error) {
    await rm(unfinished, { force: true });
    const reason = reasonOfFile(error);
    if (reason === undefined) throw error;
    throw new BursarError('BACKUP_UNWRITABLE', { path, reason }, { cause: error });
  } finally {
    await db.destroy();
  }
}

/** The code of an error of the file system; undefined for other errors, which name no path. */
function reasonOfFile(error: unknown): string | undefined {
  const { code, path } = error as NodeJS.ErrnoException;
  return path === undefined ? undefined : code;
}

async function backupOf(db: Connection, atMs: number) {
  const { id: storeId } = await db
    .selectFrom('store_identity')
    .select('id')
    .executeTakeFirstOrThrow();
  const migrations = await appliedMigrations(db);
  const digest = createLineDigest();
  const written = (line: BackupLine): string => {
    const text = JSON.stringify(line);
    digest.add(text);
    return `${text}\n`;
  };
  let rows = 0;
  let sha256 = '';

  async function* lines(): AsyncGenerator<string> {
    yield written({ schema: BACKUP_SCHEMA, storeId, atMs, migrations });
    for (const [table, keys] of Object.entries(TABLE_KEYS)) {
      for await (const line of linesOfTable(db, table, keys)) {
        if (Array.isArray(line)) rows += 1;
        yield written(line);
      }
    }
    sha256 = digest.sha256();
    yield written({ rows, sha256 });
  }

  return { lines: lines(), summary: (): BackupSummary => ({ storeId, rows, sha256 }) };
}

async function* linesOfTable(
  db: Connection,
  table: string,
  keys: readonly string[],
): AsyncGenerator<BackupLine> {
  const order = sql.join(keys.map((key) => sql.ref(key)));
  let columns: readonly string[] | undefined;
  let after: readonly unknown[] | undefined;
  for (;;) {
    const later = after === undefined ? sql`true` : sql`(${order}) > (${sql.join(after)})`;
    const page = await sql<Record<string, unknown>>`
      select * from ${sql.table(table)} where ${later} order by ${order} limit ${sql.lit(PAGE)}`.execute(
      db,
    );
    for (const row of page.rows) {
      if (columns === undefined) {
        columns = Object.keys(row);
        yield { table, columns };
      }
      yield columns.map((column) => cellOf(row[column]));
      after = keys.map((key) => row[key]);
    }
    if (page.rows.length < PAGE) return;
  }
}
