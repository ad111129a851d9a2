import { once } from 'node:events';
import { createServer } from 'node:http';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { request as ask } from 'undici';
import { eventually } from './eventually.ts';
import { type FaultKind, type FaultProxy, startFaultProxy } from './fault-proxy.ts';

let proxy: FaultProxy;
/** Bodies that got there whole, and how many requests were begun. */
let seen: string[];
let begun: number;
let stop: () => void;

beforeEach(async () => {
  [seen, begun] = [[], 0];
  const server = createServer((request, response) => {
    begun += 1;
    let body = '';
    request.on('data', (bytes: Buffer) => (body += bytes.toString()));
    request.on('error', () => undefined);
    request.on('end', () => {
      seen.push(body);
      response.writeHead(201, { 'x-told': 'yes' }).end(`answer to ${body}`);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  proxy = await startFaultProxy(() => `http://127.0.0.1:${port}`);
  stop = () => {
    server.closeAllConnections();
    server.close();
  };
});
afterEach(async () => {
  await proxy.close();
  stop();
});

/** Sends a body and waits for the whole answer; a short time-out stands for whoever gives up. */
async function send(body: string, bodyTimeout = 60_000) {
  const options = { method: 'POST', body, bodyTimeout, headersTimeout: bodyTimeout } as const;
  const answer = await ask(`${proxy.url}/path`, options);
  return [answer.statusCode, answer.headers['x-told'], await answer.body.text()];
}

it('without a fault, everything passes unchanged', async () => {
  expect(await send('one')).toEqual([201, 'yes', 'answer to one']);
});

it.each<[FaultKind, string[]]>([
  ['cut-request', []],
  ['cut-answer', ['one']],
  ['drip-answer', ['one']],
  ['swallow', []],
])(
  '%s: no client gets a whole answer, it is counted, and the next one passes',
  async (kind, there) => {
    proxy.set({ kind, next: 1, hits: ({ body }) => body === 'one' });
    const silent = kind === 'swallow' || kind === 'drip-answer';
    await expect(send('one', silent ? 500 : undefined)).rejects.toThrow();
    expect(await send('two')).toEqual([201, 'yes', 'answer to two']);
    expect([seen, proxy.fired(kind)]).toEqual([[...there, 'two'], 1]);
    expect(begun).toBe(kind === 'swallow' ? 1 : 2);
  },
);

it.each<[FaultKind, string[]]>([
  ['hold-request', []],
  ['hold-answer', ['one']],
])('%s: waits until it is released', async (kind, there) => {
  proxy.set({ kind });
  const answer = send('one');
  await eventually('it is held', () => (proxy.fired(kind) === 1 ? true : undefined));
  if (kind === 'hold-answer') {
    await eventually('it got there', () => (seen.length === 1 ? true : undefined));
  }
  expect(seen).toEqual(there);
  proxy.set();
  await proxy.release();
  expect(await answer).toEqual([201, 'yes', 'answer to one']);
});

it('a held connection may be dropped, and the others released', async () => {
  proxy.set({ kind: 'hold-request' });
  const [one, two] = [send('one'), send('two')];
  const lost = expect(one).rejects.toThrow();
  await eventually('both are held', () => proxy.fired('hold-request') === 2 || undefined);
  await proxy.drop(({ body }) => body === 'one');
  await lost;
  await proxy.release();
  expect(await two).toEqual([201, 'yes', 'answer to two']);
  expect(seen).toEqual(['two']);
});

it('no client can connect while it refuses', async () => {
  proxy.refuse();
  await expect(send('one')).rejects.toThrow('ECONNREFUSED');
  await proxy.accept();
  expect(await send('two')).toEqual([201, 'yes', 'answer to two']);
});
