import { appendFileSync } from 'node:fs';
import pg from 'pg';

/** Rows that are in memory at a time. */
const PAGE = 500;

/**
 * Appends each row of each table of a PostgreSQL database to a file, as text. In the files of the server large values are
 * compressed, so that no search would find a text there.
 */
export async function writeTables(url: string, file: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    // Bytes that are letters stay letters.
    await client.query("begin; set local bytea_output = 'escape'");
    for (const table of await tablesOf(client)) {
      await client.query(`declare rows cursor for select t::text as line from ${table} t`);
      for (let lines = await nextLines(client); lines.length > 0; lines = await nextLines(client)) {
        appendFileSync(file, `${lines.join('\n')}\n`);
      }
      await client.query('close rows');
    }
  } finally {
    await client.end();
  }
}

async function tablesOf(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    "select quote_ident(tablename) as name from pg_tables where schemaname = 'public'",
  );
  return rows.map(({ name }) => name);
}

async function nextLines(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ line: string }>(`fetch ${PAGE} from rows`);
  return rows.map(({ line }) => line);
}
