import { expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { freePort } from './free-port.ts';

it('gives another port each time, also before the first is used', async () => {
  const ports = [];
  for (let n = 0; n < 20; n++) ports.push(await freePort());
  expect(new Set(ports).size).toBe(20);
});

it('gives no port on which a program listens, and none that outgoing connections get', async () => {
  const next = (await freePort()) + 1;
  const server = createServer().listen(next, '127.0.0.1');
  await once(server, 'listening');
  const port = await freePort();
  server.close();
  expect(port).not.toBe(next);
  expect(port).toBeLessThan(32_768);
});

it('gives another port to each of many who want one at once', async () => {
  const ports = await Promise.all(Array.from({ length: 20 }, freePort));
  expect(new Set(ports).size).toBe(20);
});
