import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { describe, expect, it } from '@jest/globals';
import type { MerchantApiError } from '@bursar/merchant-api';
import {
  createAgainst,
  failureOf,
  MASS_PAYOUT,
  openClient,
  openServer,
} from './support/fixtures.ts';
import { answerBytes, startRawServer } from './support/raw-server.ts';
import { SELF_SIGNED } from './support/self-signed.ts';

const DATE = 'Fri, 20 Nov 2026 10:00:00 GMT';
const HEAD = `HTTP/1.1 200 OK\r\nDate: ${DATE}\r\nContent-Length: 1000\r\n\r\n`;
/** Long enough that a busy machine has sent the request by then. */
const SHORT = { requestTimeoutMs: 1_000 };

/** Writes a byte now and then until the other side gives up. */
function drip(socket: Socket, byte: string): void {
  const timer = setInterval(() => socket.write(byte), 5);
  socket.on('close', () => clearInterval(timer));
}

describe('when nothing can have been sent', () => {
  it('a refused connection is not-sent', async () => {
    const server = await startRawServer({});
    await server.close();
    const error = await failureOf(openClient(server.url).createMassPayout(MASS_PAYOUT));
    expect(error).toMatchObject({
      kind: 'not-sent',
      operation: 'MASS_CREATE',
      reason: 'ECONNREFUSED',
      bodySha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      message: 'MASS_CREATE was not sent: ECONNREFUSED.',
      cause: expect.objectContaining({ code: 'ECONNREFUSED' }),
    });
  });

  it('a callback that throws is not-sent: it comes before the first byte, and no byte leaves', async () => {
    let arrived = 0;
    const server = await openServer({ onBytes: () => (arrived += 1) });
    const calledWith: number[] = [];
    const onLeave = (): void => {
      calledWith.push(arrived);
      throw new Error('no');
    };
    const error = await failureOf(
      openClient(server.url).createMassPayout(MASS_PAYOUT, { onLeave }),
    );
    expect(error.kind).toBe('not-sent');
    expect([calledWith, arrived]).toEqual([[0], 0]);
  });

  it('a callback that returns lets the request leave', async () => {
    const server = await openServer({ onRequest: (socket) => socket.end(answerBytes({})) });
    let calls = 0;
    const onLeave = () => (calls += 1);
    await failureOf(openClient(server.url).createMassPayout(MASS_PAYOUT, { onLeave }));
    expect([calls, server.requests.length]).toEqual([1, 1]);
  });

  it('a host without an address is not-sent', async () => {
    // A label of 64 characters is refused by the resolver itself, without a network.
    const client = openClient(`http://${'x'.repeat(64)}.invalid`);
    const error = await failureOf(client.createMassPayout(MASS_PAYOUT));
    expect(error.kind).toBe('not-sent');
  });

  it('a server that speaks no TLS is not-sent', async () => {
    const server = await openServer({
      onBytes: (socket) => socket.end('HTTP/1.1 400 Bad\r\n\r\n'),
    });
    const client = openClient(server.url.replace('http:', 'https:'));
    const error = await failureOf(client.createMassPayout(MASS_PAYOUT));
    expect(error).toMatchObject({ kind: 'not-sent', cause: expect.any(Error) });
    expect(server.requests).toEqual([]);
  });

  it('a certificate that nobody trusts is not-sent', async () => {
    let bytesRead = 0;
    const server = createTlsServer(SELF_SIGNED, (socket) => {
      socket.on('data', (bytes: Buffer) => (bytesRead += bytes.length));
      socket.on('error', () => undefined);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const client = openClient(`https://localhost:${port}`);
    const error = await failureOf(client.createMassPayout(MASS_PAYOUT));
    server.close();
    await once(server, 'close');
    expect(error).toMatchObject({ kind: 'not-sent', reason: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
    expect(bytesRead).toBe(0);
  });

  it('a call that was aborted before it began is not-sent', async () => {
    const server = await openServer({});
    const client = openClient(server.url);
    const call = client.createMassPayout(MASS_PAYOUT, { signal: AbortSignal.abort() });
    expect(await failureOf(call)).toMatchObject({ kind: 'not-sent', reason: 'aborted' });
    expect(server.connectionCount()).toBe(0);
  });

  it('a call aborted before it has a connection is not-sent, and never sent later', async () => {
    const server = await openServer({ onRequest: () => undefined });
    const client = openClient(server.url, { connectionsMax: 1, ...SHORT });
    const abort = new AbortController();
    const first = client.createMassPayout(MASS_PAYOUT, { timestampMs: 1 });
    const second = client.createMassPayout(MASS_PAYOUT, { timestampMs: 2, signal: abort.signal });
    abort.abort();
    expect(await failureOf(second)).toMatchObject({ kind: 'not-sent', reason: 'aborted' });
    expect(await failureOf(first)).toMatchObject({ kind: 'no-answer', reason: 'time-out' });
    await client.close();
    expect(server.requests.map(({ body }) => body.includes('"timestamp":1,'))).toEqual([true]);
  });

  it('a call after close is not-sent', async () => {
    const server = await openServer({});
    const client = openClient(server.url);
    await client.close();
    const error = await failureOf(client.createMassPayout(MASS_PAYOUT));
    expect(error).toMatchObject({ kind: 'not-sent', reason: 'UND_ERR_DESTROYED' });
    expect(server.connectionCount()).toBe(0);
  });
});

describe('when the request may have been read', () => {
  it('a reset in the middle of the request is no-answer', async () => {
    const server = await openServer({ onBytes: (socket) => socket.resetAndDestroy() });
    const client = openClient(server.url);
    const large = { ...MASS_PAYOUT, comment: 'x'.repeat(16 * 1024 * 1024) };
    const error = await failureOf(client.createMassPayout(large));
    expect(error).toMatchObject({ kind: 'no-answer', cause: expect.any(Error) });
    expect(error.httpStatus).toBeUndefined();
    expect(server.requests).toEqual([]);
    expect(server.connectionCount()).toBe(1);
  });

  it.each<[string, (socket: Socket) => void]>([
    ['a reset before the answer', (socket) => socket.resetAndDestroy()],
    ['an end before the answer', (socket) => socket.end()],
    ['an answer that is not HTTP', (socket) => socket.end('SSH-2.0-OpenSSH_9.9\r\n')],
    [
      'an unrequested upgrade',
      (socket) => socket.write('HTTP/1.1 101 X\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n'),
    ],
    [
      'headers without end',
      (socket) => socket.write(`HTTP/1.1 200 OK\r\nX: ${'x'.repeat(100_000)}`),
    ],
  ])('%s is no-answer, and the request was seen once', async (_what, act) => {
    const { error, requestCount } = await createAgainst({ onRequest: act });
    expect(error).toMatchObject({ kind: 'no-answer', reason: expect.stringMatching(/^\w+$/) });
    expect(error.httpStatus).toBeUndefined();
    expect(requestCount).toBe(1);
  });

  it('a reset in the middle of the body is no-answer', async () => {
    const { error, requestCount } = await createAgainst({
      onRequest: (socket) => {
        socket.write(`${HEAD}{"id":"mp-1",`);
        setImmediate(() => socket.resetAndDestroy());
      },
    });
    expect(error.kind).toBe('no-answer');
    expect(requestCount).toBe(1);
  });

  it('an end in the middle of the body is no-answer, with status and date', async () => {
    const { error } = await createAgainst({
      onRequest: (socket) => socket.end(`${HEAD}{"id":"mp-1",`),
    });
    expect(error).toMatchObject({
      kind: 'no-answer',
      httpStatus: 200,
      serverDateMs: Date.UTC(2026, 10, 20, 10),
    });
  });

  it('an end in the middle of a chunked body is no-answer', async () => {
    const head = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n';
    const record = '{"id":"mp-1","state":"CONFIRMED"}';
    const { error } = await createAgainst({
      onRequest: (socket) => socket.end(`${head}${record.length.toString(16)}\r\n${record}\r\n`),
    });
    expect(error).toMatchObject({ kind: 'no-answer', httpStatus: 200 });
  });

  it('silence until the deadline is no-answer', async () => {
    const { error, requestCount } = await createAgainst({ onRequest: () => undefined }, SHORT);
    expect(error).toMatchObject({ kind: 'no-answer', reason: 'time-out' });
    expect(requestCount).toBe(1);
  });

  it.each([
    ['the headers', 'HTTP/1.1 200 OK\r\nX-Slow: ', undefined],
    ['the body', HEAD, 200],
  ])('a byte at a time in %s does not outlast the deadline', async (_what, start, httpStatus) => {
    const { error } = await createAgainst(
      {
        onRequest: (socket) => {
          socket.write(start);
          drip(socket, 'x');
        },
      },
      SHORT,
    );
    expect(error).toMatchObject({ kind: 'no-answer', reason: 'time-out' });
    expect(error.httpStatus).toBe(httpStatus);
  });

  it('announcements without end do not outlast the deadline', async () => {
    const { error } = await createAgainst(
      { onRequest: (socket) => drip(socket, 'HTTP/1.1 102 Processing\r\n\r\n') },
      SHORT,
    );
    expect(error).toMatchObject({ kind: 'no-answer', reason: 'time-out' });
    expect(error.httpStatus).toBeUndefined();
  });

  it('an abort after the request was read is no-answer, and closes the connection', async () => {
    const abort = new AbortController();
    const sockets: Socket[] = [];
    const server = await openServer({
      onRequest: (socket) => {
        sockets.push(socket);
        abort.abort();
      },
    });
    const call = openClient(server.url).createMassPayout(MASS_PAYOUT, { signal: abort.signal });
    expect(await failureOf(call)).toMatchObject({ kind: 'no-answer', reason: 'aborted' });
    for (const socket of sockets) if (!socket.destroyed) await once(socket, 'close');
    expect(sockets).toHaveLength(1);
  });
});

describe('when the service closes idle connections', () => {
  it('every request is seen at most once, and one that is not-sent never', async () => {
    const calls = Array.from({ length: 80 }, (_, index) => index + 1);
    const server = await openServer({
      onRequest: (socket) => {
        socket.write(answerBytes({ body: '{"id":"mp-1","state":"CONFIRMED"}' }));
        setImmediate(() => socket.end());
      },
    });
    const client = openClient(server.url, { connectionsMax: 2 });
    const kinds = new Map<string, string>();
    for (const timestampMs of calls) {
      const kind = await client.createMassPayout(MASS_PAYOUT, { timestampMs }).then(
        () => 'answered',
        (error: MerchantApiError) => error.kind,
      );
      kinds.set(String(timestampMs), kind);
    }
    const seen = server.requests.map(({ body }) => /"timestamp":(\d+)/.exec(body)?.[1] ?? 'none');
    expect(new Set(seen).size).toBe(seen.length);
    for (const [timestamp, kind] of kinds) {
      if (kind === 'answered') expect(seen).toContain(timestamp);
      if (kind === 'not-sent') expect(seen).not.toContain(timestamp);
      expect(['answered', 'not-sent', 'no-answer']).toContain(kind);
    }
    expect([...kinds.values()]).toContain('answered');
  });
});
