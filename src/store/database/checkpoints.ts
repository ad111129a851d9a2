import { CompiledQuery } from 'kysely';
import Database from 'libsql';

/** Time between two checkpoints of one process, in milliseconds. */
const CHECKPOINT_PAUSE_MS = 1_000;

/** A connection that is in no transaction. */
export interface StatementRunner {
  executeQuery(statement: CompiledQuery): Promise<unknown>;
}

export type Checkpoints = Readonly<{
  /** Makes a checkpoint when one is due. It never fails: what it left is done by the next one. */
  afterCommit(connection: StatementRunner): Promise<void>;
}>;

/**
 * Copies committed pages from the WAL into the database file, at most once a second in each process.
 *
 * A checkpoint runs only while its process holds the write lock. SQLite before 3.51.3, and with it every release of libsql, has
 * the WAL-reset fault (sqlite.org/wal.html): a commit of another process that resets the WAL during a checkpoint can be lost.
 * Example: a worker commits the attempt of a chunk, and its create is accepted. The commit is lost, and the chunk is sent again.
 * SQLite's own checkpoints hold no write lock, so they are off.
 */
export function createCheckpoints(
  path: string | undefined,
  nowMs: () => number = () => performance.now(),
): Checkpoints {
  if (path === undefined) return { afterCommit: () => Promise.resolve() };
  let lastMs = nowMs();
  return {
    async afterCommit(connection) {
      if (nowMs() - lastMs < CHECKPOINT_PAUSE_MS) return;
      // The transaction that led here is committed. A failure now (busy, full disk) loses nothing, and must not be taken for its failure.
      await checkpoint(connection, path).catch(() => undefined);
      lastMs = nowMs();
    },
  };
}

async function checkpoint(writer: StatementRunner, path: string): Promise<void> {
  await writer.executeQuery(CompiledQuery.raw('begin immediate'));
  try {
    // A connection within a transaction cannot make a checkpoint.
    const other = new Database(path);
    try {
      other.pragma('wal_autocheckpoint = 0');
      other.pragma('wal_checkpoint(PASSIVE)');
    } finally {
      other.close();
    }
  } finally {
    await writer.executeQuery(CompiledQuery.raw('rollback'));
  }
}
