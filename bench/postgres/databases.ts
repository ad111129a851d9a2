import pg from 'pg';
import { migrate } from '../../src/store/engine/open.ts';
import type { PostgresServer } from '../support/postgres-server.ts';

/** Databases of the server of a run. */
export type Databases = Readonly<{
  /** Makes a database with the tables of a store, and returns its address. */
  make(name: string): Promise<string>;
}>;

export const databasesOf = (server: PostgresServer): Databases => ({
  async make(name) {
    const client = new pg.Client({ connectionString: server.urlOf('postgres') });
    await client.connect();
    await client.query(`create database ${name}`);
    await client.end();
    await migrate(server.urlOf(name));
    return server.urlOf(name);
  },
});
