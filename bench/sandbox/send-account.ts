/**
 * Asks for the balances of an account again and again, over several connections side by side:
 * `node send-account.js URL COUNT`. Prints how long it took.
 */
import { createHmac } from 'node:crypto';
import { parseArgs } from 'node:util';
import { KNOWN_ENDPOINTS } from '@bursar/merchant-api/spec';
import { ACCOUNT, KEY, SECRET } from './access.ts';
import { openConnection, type RawConnection } from './raw-connection.ts';
import { measureSending } from './sent.ts';

const CONNECTIONS = 16;
/** How long one signed request is sent again; the service takes a timestamp of 3 minutes ago. */
const SIGNED_AGAIN_MS = 10_000;

/** Requests before the clock starts, as a share of all: a sender that is not warm would be the slowest of the three. */
const WARM_UP_SHARE = 0.25;

const [url = '', countText = ''] = parseArgs({ allowPositionals: true }).positionals;
const count = Number(countText);

function createRequest(nowMs: number): Buffer {
  const body = `{"timestamp":${nowMs},"account":"${ACCOUNT}"}`;
  const head = [
    `POST ${KNOWN_ENDPOINTS.ACCOUNT} HTTP/1.1`,
    `Host: ${new URL(url).host}`,
    'Content-Type: application/json',
    `Key: ${KEY}`,
    `Sign: ${createHmac('sha512', SECRET).update(body).digest('hex')}`,
    `Content-Length: ${body.length}`,
  ];
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`, 'latin1');
}

let signedMs = Date.now();
let request = createRequest(signedMs);

function freshRequest(): Buffer {
  const nowMs = Date.now();
  if (nowMs - signedMs < SIGNED_AGAIN_MS) return request;
  signedMs = nowMs;
  request = createRequest(nowMs);
  return request;
}

const connections = await Promise.all(
  Array.from({ length: CONNECTIONS }, () => openConnection(url)),
);

/** Each connection sends its next request as soon as it has an answer. */
async function sendAll(requests: number): Promise<void> {
  let left = requests;
  const sendOn = async (connection: RawConnection): Promise<void> => {
    for (; left > 0; ) {
      left -= 1;
      await connection.ask(freshRequest());
    }
  };
  await Promise.all(connections.map(sendOn));
}

await sendAll(Math.ceil(count * WARM_UP_SHARE));
const sent = await measureSending(count, () => sendAll(count));
for (const connection of connections) connection.close();
process.stdout.write(JSON.stringify(sent));
