import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import { sql } from 'kysely';
import { BursarError, isBursarError } from '../../domain/errors/bursar-error.ts';
import { appendAudit } from '../audit/append.ts';
import type { Tx } from '../database/db.ts';
import { openDatabase } from '../engine/open-database.ts';
import { migrate } from '../engine/open.ts';
import { appliedMigrations } from '../engine/version.ts';
import { wordsOf } from '../engine/words.ts';
import { raise } from '../restore/restores.ts';
import {
  type BackupHead,
  type BackupTable,
  type BackupCell,
  createLineDigest,
  isBackupEnd,
  isBackupHead,
  isBackupTable,
  linesOf,
  valueOf,
} from './format.ts';
import type { BackupSummary } from './write-backup.ts';
import { TABLES } from './tables.ts';

/** Rows that one statement writes. */
const ROWS_PER_STATEMENT = 50;

export type Restoring = Readonly<{
  path: string;
  atMs: number;
  /** As whom the audit log names the person. */
  actor: string;
}>;

/**
 * Fills an empty store from a backup, all or nothing, and declares it an older copy: no batch sends before each of its keys was
 * looked up. The store may be on another engine than the one that the backup was made of.
 * @throws BACKUP_BROKEN, BACKUP_OF_OTHER_VERSION, STORE_HAS_ROWS, STORE_UNUSABLE, STORE_UNREACHABLE
 */
export async function restoreStore(url: string, restoring: Restoring): Promise<BackupSummary> {
  await migrate(url);
  const { decide, close } = await openDatabase(url);
  try {
    return await decide(['store', 'chain'], async (tx) => {
      await refuseUnlessEmpty(tx, url);
      const summary = await load(tx, restoring.path);
      const { rows, sha256 } = summary;
      const { atMs, actor } = restoring;
      await raise(tx, { atMs, reason: `restored from a backup of ${rows} rows` });
      // It states what this program did. A statement of a person that the store is an older copy has to be signed.
      const entry = { actor, action: 'store-restored', detail: { rows, sha256 } };
      await appendAudit(tx, { ...entry, atMs, batchId: null });
      return summary;
    });
  } finally {
    await close();
  }
}

/** A new store has its identity, and nothing else. Every batch and every decision is in the audit log. */
async function refuseUnlessEmpty(tx: Tx, url: string): Promise<void> {
  for (const table of ['audit', 'batch', 'schedule'] as const) {
    const row = await tx.selectFrom(table).select(sql`1`.as('one')).limit(1).executeTakeFirst();
    if (row !== undefined) throw new BursarError('STORE_HAS_ROWS', { url, table });
  }
  for (const table of TABLES) await sql`delete from ${sql.table(table)}`.execute(tx);
}

/** Reads a backup from its beginning to its end, and writes its rows. */
async function load(tx: Tx, path: string): Promise<BackupSummary> {
  const digest = createLineDigest();
  let head: BackupHead | undefined;
  let table: TableWriter | undefined;
  let rows = 0;
  for await (const text of linesIn(path)) {
    const line = parsed(text, path);
    if (isBackupEnd(line)) {
      await table?.flush();
      if (line.rows !== rows || line.sha256 !== digest.sha256())
        throw broken(path, 'its digest differs');
      await wordsOf(tx).numbersAfterLoad(tx);
      return { storeId: head?.storeId ?? '', rows, sha256: line.sha256 };
    }
    digest.add(text);
    if (head === undefined) {
      head = await checkedHead(tx, line, path);
    } else if (Array.isArray(line) && table !== undefined) {
      await table.add(line as readonly BackupCell[]);
      rows += 1;
    } else if (isBackupTable(line)) {
      await table?.flush();
      table = writerOf(tx, line, path);
    } else {
      throw broken(path, 'a line is neither a table nor a row of one');
    }
  }
  throw broken(path, 'it has no end');
}

const broken = (path: string, reason: string) => new BursarError('BACKUP_BROKEN', { path, reason });

/** @throws BACKUP_BROKEN when the file is missing, cut or no gzip */
async function* linesIn(path: string): AsyncGenerator<string> {
  try {
    const unzipped = createGunzip();
    // A pipe brings no error of its source.
    createReadStream(path)
      .on('error', (error) => unzipped.destroy(error))
      .pipe(unzipped);
    yield* linesOf(unzipped);
  } catch (error) {
    if (isBursarError(error)) throw error;
    throw broken(path, error instanceof Error ? error.message : String(error));
  }
}

function parsed(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw broken(path, 'a line is no JSON');
  }
}

async function checkedHead(tx: Tx, line: unknown, path: string): Promise<BackupHead> {
  if (!isBackupHead(line)) throw broken(path, 'it is no backup of a store');
  const own = await appliedMigrations(tx);
  const other =
    line.migrations.find((name) => !own.includes(name)) ??
    own.find((name) => !line.migrations.includes(name));
  if (other !== undefined)
    throw new BursarError('BACKUP_OF_OTHER_VERSION', { path, change: other });
  return line;
}

type TableWriter = Readonly<{
  add(cells: readonly BackupCell[]): Promise<void>;
  flush(): Promise<void>;
}>;

function writerOf(tx: Tx, { table, columns }: BackupTable, path: string): TableWriter {
  const names = sql.join(columns.map((column) => sql.ref(column)));
  let waiting: (readonly BackupCell[])[] = [];
  const flush = async (): Promise<void> => {
    if (waiting.length === 0) return;
    const rows = waiting.map((cells) => sql`(${sql.join(cells.map(valueOf))})`);
    waiting = [];
    try {
      await sql`insert into ${sql.table(table)} (${names}) values ${sql.join(rows)}`.execute(tx);
    } catch (error) {
      if (isBursarError(error)) throw error;
      throw broken(path, error instanceof Error ? error.message : String(error));
    }
  };
  return {
    async add(cells) {
      waiting.push(cells);
      if (waiting.length >= ROWS_PER_STATEMENT) await flush();
    },
    flush,
  };
}
