import { join } from 'node:path';
import Database from 'libsql';

/** How long another process may keep the store until a test gives up, in milliseconds. */
const BUSY_MS_MAX = 60_000;

/** Keeps everybody else from writing the store of a stack; answers with the way to let them again. */
export function lockStore(folder: string): () => void {
  const store = new Database(join(folder, 'store.db'));
  store.pragma(`busy_timeout = ${BUSY_MS_MAX}`);
  store.exec('begin immediate');
  return () => {
    store.exec('rollback');
    store.close();
  };
}

/** Whether nobody is writing the store of a stack right now. */
export function isStoreFree(folder: string): boolean {
  const store = new Database(join(folder, 'store.db'));
  try {
    store.exec('begin immediate');
    store.exec('rollback');
    return true;
  } catch {
    return false;
  } finally {
    store.close();
  }
}
