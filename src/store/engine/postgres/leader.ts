import pg from 'pg';
import { addressOf } from './pool.ts';

/** Whether this process does a duty that one process does at a time. */
export type Leadership = Readonly<{
  /** Two processes may lead for a moment after a lost connection, so the duty must bear that. */
  leads(): Promise<boolean>;
  close(): Promise<void>;
}>;

/** How long the server may take to answer, in milliseconds. */
const ANSWER_MS_MAX = 5_000;

/** The process that holds a lock of its connection leads. The server frees the lock of a connection that ends. */
export function createPostgresLeadership(url: string, duty: string): Leadership {
  // Stores may lie in several schemas of one database, and each has its leader.
  const text = `select pg_try_advisory_lock(hashtextextended(current_schema() || $1, 0)) as leads`;
  let held: pg.Client | undefined;

  async function tryToLead(): Promise<boolean> {
    const client = new pg.Client({
      ...addressOf(url),
      connectionTimeoutMillis: ANSWER_MS_MAX,
      query_timeout: ANSWER_MS_MAX,
      keepAlive: true,
    });
    // An error of a connection that nothing waits for shows at its next statement.
    client.on('error', () => undefined);
    try {
      await client.connect();
      const { rows } = await client.query<{ leads: boolean }>(text, [` leader of ${duty}`]);
      if (rows[0]?.leads === true) {
        held = client;
        return true;
      }
    } catch {
      // A server that cannot be reached has no leader.
    }
    await client.end().catch(() => undefined);
    return false;
  }

  async function stillLeads(client: pg.Client): Promise<boolean> {
    try {
      await client.query('select 1');
      return true;
    } catch {
      held = undefined;
      await client.end().catch(() => undefined);
      return false;
    }
  }

  return {
    leads: () => (held === undefined ? tryToLead() : stillLeads(held)),
    async close() {
      await held?.end().catch(() => undefined);
      held = undefined;
    },
  };
}
