import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { DEFAULT_ENDPOINTS, DEFAULT_SHAPES } from '@bursar/merchant-api/spec';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createTestedService, type TestedService } from '../src/service.ts';

const NOW_MS = 1_700_000_000_000;

const bodies: string[] = [];
const server = createServer((request, response) => {
  void text(request).then((body) => {
    bodies.push(body);
    response.end('{}');
  });
});
let service: TestedService;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  service = createTestedService({
    baseUrl: `http://127.0.0.1:${port}`,
    key: 'key',
    secret: 'secret',
    account: '0x1',
    endpoints: DEFAULT_ENDPOINTS,
    shapes: DEFAULT_SHAPES,
    timeoutMs: 10_000,
    nowMs: () => NOW_MS,
  });
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

const timesOfBodies = (): unknown[] => bodies.map((body) => JSON.parse(body).timestamp);

it('two requests of one millisecond carry different times, and a stated time stays', async () => {
  const payload = { reference: 'one' };
  for (const request of [{ payload }, { payload }, { payload, timestamp: 5 }, { payload }]) {
    await service.send('MASS_CREATE', request);
  }
  expect(timesOfBodies()).toEqual([NOW_MS, NOW_MS + 1, 5, NOW_MS + 3]);
});
