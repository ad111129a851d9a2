import type { Connection } from './db.ts';
import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  Migrator,
  PostgresDialect,
  type PostgresDialectConfig,
  PostgresDriver,
  type QueryResult,
  sql,
} from 'kysely';
import pg from 'pg';
import { BursarError } from '../../domain/errors/bursar-error.ts';
import { maskedUrl } from '../../domain/text/masked-url.ts';
import { migrationProvider } from './migrations.ts';
import type { Schema } from './schema.ts';

/** Connections of one process. A transaction holds one while it lasts. */
const CONNECTIONS_MAX = 10;

const INT8 = 20;
const NUMERIC = 1700;

/** Counts, sums and instants fit a JavaScript number. Amounts are text in every column. */
const TYPES = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === INT8 || oid === NUMERIC ? Number : pg.types.getTypeParser(oid, format as 'text'),
};

/** Opens the database of a `postgres://` url, with every migration applied. @throws STORE_UNUSABLE */
export async function openPostgres(url: string): Promise<Connection> {
  try {
    const pool = new pg.Pool({ connectionString: url, max: CONNECTIONS_MAX, types: TYPES });
    // An idle connection that is lost is replaced by the pool.
    pool.on('error', () => undefined);
    const db = new Kysely<Schema>({ dialect: new NumberedDialect({ pool }) });
    const { rows } = await sql<{ name: string }>`select current_schema() as name`.execute(db);
    const { error } = await new Migrator({
      db,
      // Kysely searches every schema for its tables otherwise.
      migrationTableSchema: rows[0]?.name ?? 'public',
      provider: migrationProvider('postgres'),
    }).migrateToLatest();
    if (error !== undefined) throw error instanceof Error ? error : new Error(String(error));
    return db;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new BursarError('STORE_UNUSABLE', { url: maskedUrl(url), reason }, { cause });
  }
}

/** The text of a statement with the marks of PostgreSQL: `$1` for the first `?`. No statement has a `?` within a text. */
export function numbered(text: string): string {
  let count = 0;
  return text.replaceAll('?', () => `$${(count += 1)}`);
}

class NumberedDialect extends PostgresDialect {
  readonly #config: PostgresDialectConfig;

  constructor(config: PostgresDialectConfig) {
    super(config);
    this.#config = config;
  }

  override createDriver(): Driver {
    return new NumberedDriver(this.#config);
  }
}

class NumberedDriver extends PostgresDriver {
  override async acquireConnection(): Promise<DatabaseConnection> {
    return withNumberedMarks(await super.acquireConnection());
  }
}

const wrapped = new WeakMap<DatabaseConnection, DatabaseConnection>();

function withNumberedMarks(connection: DatabaseConnection): DatabaseConnection {
  const known = wrapped.get(connection);
  if (known !== undefined) return known;
  const execute = connection.executeQuery.bind(connection);
  connection.executeQuery = <Row>(query: CompiledQuery): Promise<QueryResult<Row>> =>
    execute<Row>(
      query.query.kind === 'RawNode' && query.sql.includes('?')
        ? CompiledQuery.raw(numbered(query.sql), [...query.parameters])
        : query,
    );
  wrapped.set(connection, connection);
  return connection;
}
