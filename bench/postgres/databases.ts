import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { migrate } from '../../src/store/engine/open.ts';
import type { BenchContext } from '../support/context.ts';
import { type PostgresServer, startPostgres } from '../support/postgres-server.ts';

/** Databases of the server of a run. */
export type Databases = Readonly<{
  /** Makes a database with the tables of a store, and returns its address. */
  make(name: string): Promise<string>;
}>;

const databasesOf = (server: PostgresServer): Databases => ({
  async make(name) {
    const client = new pg.Client({ connectionString: server.urlOf('postgres') });
    await client.connect();
    await client.query(`create database ${name}`);
    await client.end();
    await migrate(server.urlOf(name));
    return server.urlOf(name);
  },
});

/** Starts a server of its own, lets `use` work with it, and stops it whatever happens. */
export async function withDatabases<Result>(
  { folder, say }: BenchContext,
  use: (databases: Databases, server: PostgresServer) => Promise<Result>,
): Promise<Result> {
  // The server runs as another user, who must get to its programs.
  chmodSync(folder, 0o711);
  say('starting a PostgreSQL server');
  const server = await startPostgres(join(folder, 'server-of-stores'));
  try {
    return await use(databasesOf(server), server);
  } finally {
    await server.stop();
  }
}
