/**
 * A payment service that pays at once, so that what remains is the work of its callers:
 * `node main.js [--create-delay-ms MS] [--cut-one-of N]`. It checks neither signature nor time nor balance, and forgets everything when
 * it ends. Its address stands in its first line.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { KNOWN_ENDPOINTS } from '@bursar/merchant-api/spec';
import { SAMPLE_CURRENCIES } from '../sample-file.ts';
import { createLedger } from './ledger.ts';
import { READY_LINE, SEEN_PATH } from './names.ts';

/** Longer than any pause of a bench: a connection that we close just as it is used again would be a lost answer. */
const KEEP_ALIVE_MS = 600_000;

const BALANCE = '1000000000000';

const { values } = parseArgs({
  options: {
    'create-delay-ms': { type: 'string', default: '0' },
    'cut-one-of': { type: 'string', default: 'Infinity' },
  },
});
const createDelayMs = Number(values['create-delay-ms']);
const cutOneOf = Number(values['cut-one-of']);
const ledger = createLedger();

type Answer = Readonly<{ status: number; text: string }>;

let creates = 0;

/** Whether the answer to this create is to be lost. */
const isCut = (): boolean => {
  creates += 1;
  return creates % cutOneOf === 0;
};

async function answerTo(path: string, body: string): Promise<Answer | 'cut'> {
  switch (path) {
    case KNOWN_ENDPOINTS.MASS_CREATE: {
      const text = ledger.create(body);
      if (createDelayMs > 0) await pause(createDelayMs);
      if (isCut()) return 'cut';
      return { status: 200, text };
    }
    case KNOWN_ENDPOINTS.MASS_GET: {
      const found = ledger.find(body);
      return 'record' in found ? { status: 200, text: found.record } : refusal(found.errorCode);
    }
    case KNOWN_ENDPOINTS.ACCOUNT:
      return { status: 200, text: balances(body) };
    case SEEN_PATH:
      return { status: 200, text: JSON.stringify(ledger.seen()) };
    default:
      return refusal('NO_SUCH_OPERATION');
  }
}

const refusal = (errorCode: string): Answer => ({
  status: 404,
  text: JSON.stringify({ traceId: 'bench', errorCode, message: 'This is not known here.' }),
});

function balances(body: string): string {
  const { account } = JSON.parse(body) as { account: string };
  const held = SAMPLE_CURRENCIES.map(
    (currency) => `{"currency":"${currency}","amount":${BALANCE}}`,
  );
  return `{"account":"${account}","name":"Bench","balances":[${held.join(',')}]}`;
}

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const parts: Buffer[] = [];
  for await (const part of request as AsyncIterable<Buffer>) parts.push(part);
  const answer = await answerTo(request.url ?? '', Buffer.concat(parts).toString('utf8'));
  if (answer === 'cut') return void response.destroy();
  const { status, text } = answer;
  const bytes = Buffer.from(text, 'utf8');
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': bytes.length,
  });
  response.end(bytes);
}

const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
  serve(request, response).catch((error: unknown) => {
    process.stderr.write(`${String(error)}\n`);
    response.destroy();
  });
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the service has no port');
  process.stdout.write(`${READY_LINE}http://127.0.0.1:${address.port}\n`);
});
process.once('SIGTERM', () => {
  server.close();
  server.closeAllConnections();
});
