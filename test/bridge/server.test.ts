import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import type { ForwardingStatus } from '../../src/bridge/forwarder.ts';
import { BRIDGE_LIMITS, type BridgeLimits, createBridgeServer } from '../../src/bridge/server.ts';
import { createTokens } from '../../src/config/token-files.ts';
import { type ErrorNote, noteOf } from '../../src/domain/errors/bursar-error.ts';
import { createSpool, SPOOL_LIMITS, type Spool } from '../../src/store/webhooks/spool.ts';
import { fillDisk } from '../support/full-disk.ts';
import {
  createFakeClock,
  createFakeLog,
  openTestStore,
  START_MS,
  type TestStore,
} from './support/bridge-fakes.ts';
import { accessTo } from '../../src/store/database/decide.ts';

const TOKEN = 'canary-token-0123456789-0123456789-01234567';
const SECOND_TOKEN = 'second-token-0123456789-0123456789-01234567';
const HOOK = `/hooks/${TOKEN}`;
const FORWARDING: ForwardingStatus = {
  temporal: 'up',
  lastForwardedAtMs: START_MS - 5_000,
  forwarded: 7,
  ignored: 2,
};

let store: TestStore;
let spool: Spool;
let server: FastifyInstance;
let port: number;
let refusal: ErrorNote | null;
const clock = createFakeClock();
const log = createFakeLog();

async function listen(limits: Partial<BridgeLimits> = {}): Promise<void> {
  server = createBridgeServer({
    spool,
    tokens: createTokens([TOKEN, SECOND_TOKEN]),
    forwarding: () => FORWARDING,
    refusal: () => refusal,
    clock,
    log,
    limits: { ...BRIDGE_LIMITS, ...limits },
  });
  await server.listen({ host: '127.0.0.1', port: 0 });
  port = (server.server.address() as AddressInfo).port;
}

type Answer = Readonly<{ status: number | undefined; body: string }>;
type Call = Readonly<{ method?: string; headers?: Record<string, string>; body?: Uint8Array }>;

function call(path: string, { method = 'POST', headers = {}, body }: Call = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = httpRequest({ port, path, method, headers, agent: false });
    request.on('error', reject);
    request.on('response', (response) => {
      resolve(text(response).then((answer) => ({ status: response.statusCode, body: answer })));
    });
    request.end(body);
  });
}

/** Writes raw bytes and returns the received bytes when the server closes the connection. */
function callRaw(...parts: string[]): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let received = '';
    socket.on('data', (data) => (received += data.toString()));
    // The server may also reset the connection.
    socket.on('error', () => {});
    socket.on('close', () => resolve(received));
    for (const part of parts) socket.write(part);
  });
}

/** Tries again until `work` resolves. The time limit of the test ends it otherwise. */
async function eventually<Result>(work: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await work();
    } catch {
      // Other events run before the next try.
      await setImmediate();
    }
  }
}

const bodies = async (): Promise<string[]> =>
  (await spool.next(1_000)).map(({ body }) => body.toString());

const health = async (): Promise<{ status: number | undefined; health: unknown }> => {
  const { status, body } = await call('/health', { method: 'GET' });
  return { status, health: JSON.parse(body) };
};

beforeEach(async () => {
  store = await openTestStore();
  spool = createSpool(accessTo(store.db));
  log.lines.length = 0;
  refusal = null;
  await listen();
});

afterEach(async () => {
  await server.close();
  await store.close();
  expect(log.lines.join()).not.toMatch(/canary|second-token/);
});

describe('a webhook', () => {
  it('gets status 200 without a body once it is in the spool', async () => {
    const answer = await call(HOOK, { body: Buffer.from('{"id":"canary-body"}') });
    expect(answer).toEqual({ status: 200, body: '' });
    expect(await bodies()).toEqual(['{"id":"canary-body"}']);
    expect(await spool.counts()).toMatchObject({ lastReceivedAtMs: clock.nowMs() });
  });

  it('gets no response before it is in the spool', async () => {
    await server.close();
    const realSpool = spool;
    let write = (): void => {};
    const mayBeWritten = new Promise<void>((resolve) => (write = resolve));
    spool = {
      ...realSpool,
      append: async (body, receivedAtMs) => {
        await mayBeWritten;
        return realSpool.append(body, receivedAtMs);
      },
    };
    await listen();
    let isAnswered = false;
    const answer = call(HOOK).finally(() => (isAnswered = true));
    await health();
    expect(isAnswered).toBe(false);
    write();
    expect(await answer).toMatchObject({ status: 200 });
    expect(await bodies()).toHaveLength(1);
  });

  it('is taken with any of the tokens', async () => {
    expect(await call(`/hooks/${SECOND_TOKEN}`)).toMatchObject({ status: 200 });
  });

  it.each([
    ['JSON', { 'content-type': 'application/json' }],
    ['a form', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['several parts', { 'content-type': 'multipart/form-data; boundary=x' }],
    ['no type', {}],
    ['an empty type', { 'content-type': '' }],
    ['a malformed type', { 'content-type': ';;=/,' }],
    ['an encoding', { 'content-encoding': 'gzip' }],
    ['an unknown encoding', { 'content-encoding': 'sdch, sdch' }],
    ['a signature', { Sign: 'canary', Key: 'canary' }],
    ['a charset', { 'content-type': 'text/plain; charset=utf-99' }],
  ])('is stored byte for byte with %s', async (_what, headers) => {
    const body = gzipSync('{"not":"JSON",');
    expect(await call(HOOK, { headers, body })).toEqual({ status: 200, body: '' });
    const [webhook] = await spool.next(1);
    expect(webhook?.body.equals(body)).toBe(true);
  });

  it('is taken without a body', async () => {
    expect(await call(HOOK)).toMatchObject({ status: 200 });
    expect(await bodies()).toEqual(['']);
  });

  it('is taken in chunks', async () => {
    const answer = await callRaw(
      `POST ${HOOK} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n`,
      '3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n',
    );
    expect(answer).toMatch(/^HTTP\/1.1 200 /);
    expect(await bodies()).toEqual(['abcde']);
  });

  it('is taken when it is too long, and its start is stored', async () => {
    const body = Buffer.alloc(BRIDGE_LIMITS.bodySizeBytesMax + 300_000, 'x');
    expect(await call(HOOK, { body })).toMatchObject({ status: 200 });
    const [webhook] = await spool.next(1);
    expect(webhook?.body).toHaveLength(BRIDGE_LIMITS.bodySizeBytesMax);
  });

  it('is taken with any bytes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 3_000 }), async (body) => {
        const before = (await spool.counts()).waiting;
        expect(await call(HOOK, { body })).toEqual({ status: 200, body: '' });
        const [webhook] = (await spool.next(1_000)).slice(before);
        expect(webhook?.body.equals(body)).toBe(true);
      }),
      { numRuns: 40 },
    );
  });

  it('is stored again each time it arrives again', async () => {
    await Promise.all(Array.from({ length: 20 }, () => call(HOOK, { body: Buffer.from('x') })));
    expect(await bodies()).toHaveLength(20);
  });
});

it('a webhook is answered with 503, and not spooled, while the workers have another store', async () => {
  refusal = noteOf('STORE_IS_ANOTHER', { store: 'ours', served: 'theirs', taskQueue: 'q' });
  expect(await call(HOOK, { body: Buffer.from('x') })).toEqual({ status: 503, body: '' });
  expect(await bodies()).toEqual([]);
  expect(await health()).toMatchObject({
    status: 503,
    health: { status: 'failing', refusal: 'STORE_IS_ANOTHER' },
  });
  refusal = null;
  expect(await call(HOOK, { body: Buffer.from('x') })).toMatchObject({ status: 200 });
  expect(await bodies()).toEqual(['x']);
});

describe('a request that is not a webhook', () => {
  it.each([
    ['a wrong token', '/hooks/wrong', 'POST'],
    ['an empty token', '/hooks/', 'POST'],
    ['a part of the token', HOOK.slice(0, -1), 'POST'],
    ['a token and more', `${HOOK}/more`, 'POST'],
    ['a token that is too long for a path', `/hooks/${'x'.repeat(500)}`, 'POST'],
    ['a token that cannot be decoded', '/hooks/%zz', 'POST'],
    ['another path', '/', 'POST'],
    ['another method', HOOK, 'GET'],
    ['another method with a body', HOOK, 'PUT'],
    ['the health by another method', '/health', 'POST'],
  ])('gets status 404 without a body: %s', async (_what, path, method) => {
    const body = method === 'GET' ? undefined : Buffer.from('{"id":"canary"}');
    expect(await call(path, { method, ...(body && { body }) })).toEqual({ status: 404, body: '' });
    expect(await bodies()).toEqual([]);
  });

  it('is not read further when the token is wrong', async () => {
    const answer = await callRaw(
      'POST /hooks/wrong HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 1000000\r\n\r\n',
    );
    expect(answer).toMatch(/^HTTP\/1.1 404 /);
  });

  it('is not stored when the sender closes the connection within the body', async () => {
    const gone = new Promise<void>((resolve) => {
      const socket = connect(port, '127.0.0.1');
      socket.write(`POST ${HOOK} HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nhalf`, () => {
        socket.destroy();
      });
      socket.on('close', () => resolve());
    });
    await gone;
    expect(await call(HOOK, { body: Buffer.from('whole') })).toMatchObject({ status: 200 });
    expect(await bodies()).toEqual(['whole']);
  });
});

describe('a spool that cannot be written', () => {
  it('leads to 503 and one log line without the body, and the health is failing until it works', async () => {
    await sql`alter table spool rename to away`.execute(store.db);
    for (const _again of [1, 2, 3]) {
      expect(await call(HOOK, { body: Buffer.from('canary') })).toEqual({ status: 503, body: '' });
    }
    expect(log.lines).toEqual([expect.stringContaining('could not be written')]);
    expect(await health()).toMatchObject({ status: 503, health: { status: 'failing' } });

    await sql`alter table away rename to spool`.execute(store.db);
    expect(await call(HOOK)).toMatchObject({ status: 200 });
    clock.advance(30_000);
    expect(await health()).toMatchObject({ status: 200, health: { status: 'ok' } });
  });

  it('leads to 503 while the disk is full, loses no webhook, and works again when there is room', async () => {
    const large = { body: Buffer.alloc(100_000, 'x') };
    expect(await call(HOOK, large)).toMatchObject({ status: 200 });
    const makeRoom = await fillDisk(store.db);
    expect(await call(HOOK, large)).toMatchObject({ status: 503 });
    expect(log.lines.join()).toContain('is full');
    await makeRoom();
    expect(await call(HOOK, large)).toMatchObject({ status: 200 });
    expect(await spool.counts()).toMatchObject({ waiting: 2 });
  });

  it('leads to 503 when it is full', async () => {
    await server.close();
    spool = createSpool(accessTo(store.db), { ...SPOOL_LIMITS, rowsMax: 1 });
    await listen();
    expect(await call(HOOK)).toMatchObject({ status: 200 });
    expect(await health()).toMatchObject({ status: 503, health: { status: 'failing' } });
    expect(await call(HOOK)).toMatchObject({ status: 503 });
  });

  it('sets the health to alarm when it is half full', async () => {
    await server.close();
    spool = createSpool(accessTo(store.db), { ...SPOOL_LIMITS, rowsMax: 2 });
    await listen();
    await call(HOOK);
    expect(await health()).toMatchObject({ status: 200, health: { status: 'alarm' } });
  });
});

describe('health', () => {
  it('shows an idle bridge', async () => {
    expect(await health()).toEqual({
      status: 200,
      health: {
        status: 'ok',
        refusal: null,
        spoolWaiting: 0,
        oldestWaitingMs: null,
        lastReceivedAt: null,
        lastForwardedAt: '2026-11-19T23:59:55.000Z',
        temporal: 'up',
        forwarded: 7,
        ignored: 2,
      },
    });
  });

  it('shows the number of waiting webhooks and the age of the oldest', async () => {
    const receivedAt = new Date(clock.nowMs()).toISOString();
    await call(HOOK);
    clock.advance(1_500);
    expect(await health()).toMatchObject({
      health: { spoolWaiting: 1, oldestWaitingMs: 1_500, lastReceivedAt: receivedAt },
    });
  });
});

describe('slow senders', () => {
  /** Far above the time of a test, so that only the timeout under test can end it. */
  const NEVER_MS = 600_000;
  const HEAD = `POST ${HOOK} HTTP/1.1\r\nHost: x\r\n`;

  /** Sends one byte after the other until the server closes the connection. */
  function drip(head: string): Promise<string> {
    return new Promise((resolve) => {
      const socket = connect(port, '127.0.0.1');
      let received = '';
      const dripping = setInterval(() => socket.write('A'), 5);
      socket.write(head);
      socket.on('data', (data) => (received += data.toString()));
      // The server may also reset the connection.
      socket.on('error', () => {});
      socket.on('close', () => {
        clearInterval(dripping);
        resolve(received);
      });
    });
  }

  const listenWith = async (limits: Partial<BridgeLimits>): Promise<void> => {
    await server.close();
    await listen({ timeoutCheckMs: 10, keepAliveMs: NEVER_MS, ...limits });
  };

  it.each([
    ['nothing at all', ''],
    ['half a request line', 'POST /hoo'],
    ['headers without an end', `${HEAD}A: b\r\n`],
  ])('lose their connection when they send %s and then stay silent', async (_what, head) => {
    await listenWith({ headersTimeoutMs: 50, requestTimeoutMs: NEVER_MS });
    expect(await callRaw(head)).toMatch(/^(HTTP\/1.1 408 |$)/);
  });

  it('lose their connection when they send headers a byte at a time', async () => {
    await listenWith({ headersTimeoutMs: 50, requestTimeoutMs: NEVER_MS });
    expect(await drip(`${HEAD}A: `)).toMatch(/^(HTTP\/1.1 408 |$)/);
  });

  it.each([
    ['half a body', `${HEAD}Content-Length: 9\r\n\r\nhalf`],
    ['half a chunk', `${HEAD}Transfer-Encoding: chunked\r\n\r\n9\r\nhalf`],
  ])('lose their connection when they send %s and then stay silent', async (_what, head) => {
    await listenWith({ headersTimeoutMs: 50, requestTimeoutMs: 100 });
    expect(await callRaw(head)).toMatch(/^(HTTP\/1.1 408 |$)/);
    expect(await bodies()).toEqual([]);
  });

  it('lose their connection when they send a body a byte at a time', async () => {
    await listenWith({ headersTimeoutMs: 50, requestTimeoutMs: 100 });
    expect(await drip(`${HEAD}Content-Length: 99999\r\n\r\n`)).toMatch(/^(HTTP\/1.1 408 |$)/);
    expect(await bodies()).toEqual([]);
  });

  it('lose a connection that they do not use', async () => {
    await listenWith({ keepAliveMs: 50 });
    expect(await callRaw(`${HEAD}Content-Length: 0\r\n\r\n`)).toMatch(/^HTTP\/1.1 200 /);
  });
});

describe('faulty and greedy senders', () => {
  it('lose their connection when their headers are too long', async () => {
    const head = `POST ${HOOK} HTTP/1.1\r\nHost: x\r\nA: ${'a'.repeat(10_000)}\r\n\r\n`;
    expect(await callRaw(head)).toMatch(/^HTTP\/1.1 431 /);
  });

  it('lose their connection when they do not send HTTP', async () => {
    expect(await callRaw('\x16\x03\x01\x02\x00 hello\r\n\r\n')).toMatch(/^HTTP\/1.1 400 /);
  });

  it('cannot open more connections than allowed, and others can connect after them', async () => {
    await server.close();
    await listen({ connectionsMax: 3 });
    const silent = [1, 2, 3].map(() => connect(port, '127.0.0.1'));
    await Promise.all(silent.map(() => once(server.server, 'connection')));
    expect(await callRaw('GET /health HTTP/1.1\r\nHost: x\r\n\r\n')).toBe('');
    for (const socket of silent) socket.destroy();
    await Promise.all(silent.map((socket) => once(socket, 'close')));
    // The server notices the closed connections a little later.
    await expect(eventually(() => call(HOOK))).resolves.toMatchObject({ status: 200 });
  });
});

describe('closing the server', () => {
  it('waits for webhooks that have begun to arrive, and then takes no more', async () => {
    await server.close();
    const realSpool = spool;
    let write = (): void => {};
    const mayBeWritten = new Promise<void>((resolve) => (write = resolve));
    spool = {
      ...realSpool,
      append: async (body, receivedAtMs) => {
        await mayBeWritten;
        return realSpool.append(body, receivedAtMs);
      },
    };
    await listen();
    const one = `POST ${HOOK} HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nlast`;
    const answers = callRaw(one, one);
    await once(server.server, 'request');
    const closed = server.close();
    write();
    await closed;
    expect((await answers).match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200']);
    expect(await bodies()).toEqual(['last', 'last']);
    await expect(call(HOOK)).rejects.toThrow('ECONNREFUSED');
  });
});
