import Database from 'libsql';

/** Time between two checkpoints of one process, in milliseconds. */
const CHECKPOINT_PAUSE_MS = 1_000;

export type Checkpoints = Readonly<{
  /**
   * Makes a checkpoint when one is due, as a transaction begins that holds the write lock. It never fails: the next one copies
   * the rest. None is made after a commit: a create whose attempt is committed must leave at once.
   */
  atBegin(): void;
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
  if (path === undefined) return { atBegin: () => undefined };
  let lastMs = nowMs();
  return {
    atBegin() {
      if (nowMs() - lastMs < CHECKPOINT_PAUSE_MS) return;
      try {
        checkpoint(path);
      } catch {
        // A failure (busy, full disk) loses nothing, and must not fail the transaction.
      }
      lastMs = nowMs();
    },
  };
}

/** By a connection of its own: one within a transaction cannot make a checkpoint. */
function checkpoint(path: string): void {
  const other = new Database(path);
  try {
    other.pragma('wal_autocheckpoint = 0');
    other.pragma('wal_checkpoint(PASSIVE)');
  } finally {
    other.close();
  }
}
