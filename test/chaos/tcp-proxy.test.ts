import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { request } from 'undici';
import { type NetworkFault, startTcpProxy, type TcpProxy } from '../../chaos/stack/tcp-proxy.ts';
import { createRandom } from '../../sim/random.ts';
import { eventually } from '../support/eventually.ts';

const ANSWER = 'x'.repeat(1_000);

let proxy: TcpProxy;
let server: ReturnType<typeof createServer>;
/** Requests that arrived whole. */
let whole: number;

beforeEach(async () => {
  whole = 0;
  server = createServer((asked: IncomingMessage, reply) => {
    asked.resume();
    asked.on('error', () => undefined);
    asked.on('end', () => {
      whole += 1;
      reply.end(ANSWER);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  proxy = await startTcpProxy({ targetPorts: [port], random: createRandom(1), share: 1 });
});
afterEach(async () => {
  await proxy.close();
  server.closeAllConnections();
  server.close();
});

async function send(text = 'y'.repeat(1_000)): Promise<string> {
  const url = `http://127.0.0.1:${proxy.port}`;
  const { body } = await request(url, { method: 'POST', body: text });
  return body.text();
}

it('passes everything on while nothing is wrong', async () => {
  expect([await send(), whole, proxy.fired()]).toEqual([ANSWER, 1, 0]);
});

it.each<[NetworkFault, number]>([
  ['refuse', 0],
  ['cut-request', 0],
  ['cut-answer', 1],
  ['half-answer', 1],
])('%s: no request gets an answer, and each is counted', async (fault, arrived) => {
  proxy.play(fault);
  await expect(send()).rejects.toThrow();
  expect(proxy.fired()).toBeGreaterThan(0);
  expect(whole).toBe(arrived);
  proxy.play(undefined);
  expect(await send()).toBe(ANSWER);
});

it('cut-commit: a commit arrives, its answer does not, and nothing else is cut', async () => {
  proxy.play('cut-commit');
  expect(await send('begin')).toBe(ANSWER);
  await expect(send('commit')).rejects.toThrow();
  expect([whole, proxy.fired()]).toEqual([2, 1]);
});

it('connections go to each target in turn', async () => {
  const other = createServer((_asked, reply) => void reply.end('the other one'));
  other.listen(0, '127.0.0.1');
  await once(other, 'listening');
  const ports = [server, other].map((one) => (one.address() as AddressInfo).port);
  const both = await startTcpProxy({ targetPorts: ports, random: createRandom(1), share: 1 });
  const answers = new Set<string>();
  for (const _turn of ports) {
    const url = `http://127.0.0.1:${both.port}`;
    const { body } = await request(url, { method: 'POST', reset: true });
    answers.add(await body.text());
  }
  expect([...answers].toSorted()).toEqual(['the other one', ANSWER]);
  await both.close();
  other.closeAllConnections();
  other.close();
});

it('silence: no request gets an answer, and each one is cut off at its end', async () => {
  proxy.play('silence');
  const answer = send().catch(() => 'cut off');
  await eventually('the request has arrived', () => Promise.resolve(whole === 1 || undefined));
  await eventually('its answer is kept', () => Promise.resolve(proxy.fired() === 1 || undefined));
  proxy.play(undefined);
  expect(await answer).toBe('cut off');
});

it('slow: the answer comes, late', async () => {
  proxy.play('slow');
  expect(await send()).toBe(ANSWER);
  expect(proxy.fired()).toBeGreaterThan(0);
});
