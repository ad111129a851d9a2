import type { PostgresPool, PostgresPoolClient } from 'kysely';
import pg from 'pg';
import { parseIntoClientConfig } from 'pg-connection-string';
import { readPrivateFile } from '../../../config/secret-file.ts';
import { BursarError } from '../../../domain/errors/bursar-error.ts';
import { isLost, typedError } from './errors.ts';

/** How long the server may take for a connection and for a statement, and how long a statement may wait for a lock, in milliseconds. */
const CONNECT_MS_MAX = 10_000;
const STATEMENT_MS_MAX = 30_000;
const LOCK_MS_MAX = 10_000;
/** After this time an answer is no longer waited for, in milliseconds. */
const ANSWER_MS_MAX = STATEMENT_MS_MAX + 5_000;

/**
 * What each connection has, whatever the server has by default: what is committed is on the disk, and the server frees the locks
 * of a host that is gone.
 */
const SESSION = `
  set default_transaction_isolation = 'read committed';
  set statement_timeout = ${STATEMENT_MS_MAX};
  set lock_timeout = ${LOCK_MS_MAX};
  set idle_in_transaction_session_timeout = ${STATEMENT_MS_MAX};
  set tcp_keepalives_idle = 10;
  set tcp_keepalives_interval = 5;
  set tcp_keepalives_count = 3;
  select set_config('synchronous_commit', 'on', false) where current_setting('synchronous_commit') = 'off'`;

const INT8 = 20;
const NUMERIC = 1700;

/** Counts, sums and instants fit a JavaScript number. Amounts are text in every column. */
const TYPES = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === INT8 || oid === NUMERIC ? Number : pg.types.getTypeParser(oid, format),
};

export type PoolOptions = Readonly<{
  /** Connections at most. A transaction holds one while it lasts. */
  max: number;
  /** Whether the server refuses every write. */
  isReader: boolean;
  /** Whether statements may take any time, as those of migrations do. */
  isPatient: boolean;
}>;

/** Connections to the server of a `postgres://` url. Their errors are those of the catalogue. */
export function createPool(url: string, { max, isReader, isPatient }: PoolOptions): PostgresPool {
  const pool = new pg.Pool({
    application_name: 'bursar',
    // A name in the url wins.
    ...addressOf(url),
    max,
    types: TYPES,
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_MS_MAX,
    ...(!isPatient && { query_timeout: ANSWER_MS_MAX }),
  });
  // The pool opens another connection in place of an idle one that is lost.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => {
    // The driver emits the loss of a connection as well, where it is in use. Its statement fails with the same error.
    client.on('error', () => undefined);
    const setUp = isPatient ? '' : SESSION;
    const statements = isReader ? `${setUp}; set default_transaction_read_only = on` : setUp;
    // Where this fails the connection is lost, and the next statement fails too.
    if (statements !== '') void client.query(statements).catch(() => undefined);
  });
  return {
    async connect() {
      try {
        return clientOf(await pool.connect(), url);
      } catch (error) {
        throw typedError(error, url);
      }
    },
    end: () => pool.end(),
  };
}

/** The parameter of a url that names the file with the password. */
const PASSWORD_FILE = 'password_file';

/** How a client of the driver reaches the server of a url. */
export function addressOf(url: string): pg.PoolConfig {
  const address = new URL(url);
  const file = address.searchParams.get(PASSWORD_FILE);
  address.searchParams.delete(PASSWORD_FILE);
  // With `connectionString` the driver would take the password of the address, which has none, and ignore this one.
  const config = parseIntoClientConfig(address.href);
  // It is read for each connection, so that a changed password needs no restart.
  return file === null ? config : { ...config, password: () => readPassword(file) };
}

/** Throws STORE_PASSWORD_FILE_OPEN, as `readPrivateFile` has it, and STORE_PASSWORD_FILE_UNREADABLE. */
const readPassword = (file: string): string =>
  readPrivateFile(file, {
    open: (mode) => new BursarError('STORE_PASSWORD_FILE_OPEN', { file, mode }),
    unreadable: (reason, cause) =>
      new BursarError('STORE_PASSWORD_FILE_UNREADABLE', { file, reason }, { cause }),
  }).trimEnd();

function clientOf(client: pg.PoolClient, url: string): PostgresPoolClient {
  let isBroken = false;
  const query = async (text: string, parameters: readonly unknown[]): Promise<pg.QueryResult> => {
    try {
      return await client.query(numbered(text), [...parameters]);
    } catch (error) {
      isBroken ||= isLost(error);
      throw typedError(error, url);
    }
  };
  return {
    // Kysely passes a cursor only where its dialect has one.
    query: query as unknown as PostgresPoolClient['query'],
    release: () => client.release(isBroken),
  };
}

/** The text of a statement with the marks of PostgreSQL: `$1` for the first `?`. No statement has a `?` within a text. */
export function numbered(text: string): string {
  let count = 0;
  return text.replaceAll('?', () => `$${(count += 1)}`);
}
