import pg from 'pg';
import type { PostgresServer } from '../../bench/support/postgres-server.ts';
import type { Fault } from './fault.ts';

/** Each of them is over as soon as it has happened. */
const AT_ONCE = [0, 0] as const;

/** What a database server does wrong. */
export const serverFaults = (server: PostgresServer): Fault[] => [
  {
    name: 'store: every connection ended by the server',
    lastsMs: AT_ONCE,
    happen: () => endConnections(server),
  },
  {
    name: 'store: server ended at once, and started again',
    lastsMs: AT_ONCE,
    async happen() {
      await server.restart();
      return 1;
    },
  },
];

/** Returns how many it has ended. */
async function endConnections(server: PostgresServer): Promise<number> {
  const client = new pg.Client({ connectionString: server.urlOf('postgres') });
  await client.connect();
  try {
    const { rowCount } = await client.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()",
    );
    return rowCount ?? 0;
  } finally {
    await client.end();
  }
}
