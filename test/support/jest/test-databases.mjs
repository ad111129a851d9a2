import pg from 'pg';
import { basename } from 'node:path';

/** The server of the databases of tests, with the right to make databases; undefined: their stores are files. */
export const serverOfTests = () => process.env.BURSAR_TEST_POSTGRES;

/** The database of which those of tests are copies. Each run of tests makes its own. */
export const templateOfRun = () =>
  basename(process.env.BURSAR_TEST_FOLDERS ?? '').replaceAll(/\W/g, '_');

/** Runs `work` with a connection to the server of tests. */
export async function onServerOfTests(work) {
  const client = new pg.Client({ connectionString: serverOfTests() });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Removes databases, whatever is still connected to them. */
export async function dropDatabases(names) {
  if (names.length === 0 || serverOfTests() === undefined) return;
  await onServerOfTests(async (client) => {
    for (const name of names) await client.query(`drop database if exists "${name}" with (force)`);
  });
}
