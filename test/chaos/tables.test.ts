import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import pg from 'pg';
import { writeTables } from '../../chaos/evidence/tables.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { onServer, testStoreUrl } from '../support/test-database.ts';

const CANARY = 'TWGd9ia8Q5mkXwLfvGK2YWHkMu2FJLch34';
const onPostgres = onServer ? it : it.skip;

onPostgres('each row of a table is text, though the server keeps it compressed', async () => {
  const folder = temporaryFolder();
  const url = await testStoreUrl(folder);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('create table "Odd name" (n integer, data bytea)');
  const data = Buffer.from(`${'x'.repeat(100_000)}\0${CANARY}\xff`);
  for (let n = 0; n < 600; n += 1) {
    await client.query('insert into "Odd name" values ($1, $2)', [n, n === 599 ? data : null]);
  }
  await client.end();
  const file = join(folder, 'tables');
  await writeTables(url, file);
  const text = readFileSync(file, 'utf8');
  expect(text).toContain(CANARY);
  expect(text.match(/^\(\d+,/gm)?.length).toBeGreaterThanOrEqual(600);
});
