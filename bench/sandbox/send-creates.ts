/**
 * Creates mass payouts of 1,000 rows, several side by side: `node send-creates.js URL COUNT`. Prints how long it took
 * until all of them were answered.
 */
import { createHmac, randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import { Pool } from 'undici';
import { KNOWN_ENDPOINTS } from '@bursar/merchant-api/spec';
import { ACCOUNT, CURRENCY, KEY, SECRET } from './access.ts';
import { CREATE_ROWS } from './create-rows.ts';
import { measureSending } from './sent.ts';

const CONNECTIONS = 4;
/** An address that is paid; see "Test addresses" in the README of the sandbox. */
const ADDRESS = 'TWGd9ia8Q5mkXwLfvGK2YWHkMu2FPmt1DK';

const [url = '', countText = ''] = parseArgs({ allowPositionals: true }).positionals;
const count = Number(countText);
const pool = new Pool(url, { connections: CONNECTIONS });

const recipients = Array.from(
  { length: CREATE_ROWS },
  (_, at) =>
    `{"depositAddress":"${ADDRESS}","amount":${at + 1}.25,"comment":"Salary November 2026 ${at}"}`,
).join(',');

async function create(): Promise<void> {
  const payload =
    `{"currency":"${CURRENCY}","idempotencyKey":"${randomUUID()}",` +
    `"massAddresses":[${recipients}]}`;
  const body = `{"timestamp":${Date.now()},"account":"${ACCOUNT}","payload":${payload}}`;
  const sign = createHmac('sha512', SECRET).update(body).digest('hex');
  const headers = { Key: KEY, Sign: sign, 'Content-Type': 'application/json' };
  const path = KNOWN_ENDPOINTS.MASS_CREATE;
  const answer = await pool.request({ method: 'POST', path, headers, body });
  const text = await answer.body.text();
  if (answer.statusCode !== 200) throw new Error(`status ${answer.statusCode}: ${text}`);
}

let left = count;

async function createAll(): Promise<void> {
  for (; left > 0; ) {
    left -= 1;
    await create();
  }
}

const sent = await measureSending(count, async () => {
  await Promise.all(Array.from({ length: CONNECTIONS }, createAll));
});
await pool.close();
process.stdout.write(JSON.stringify(sent));
