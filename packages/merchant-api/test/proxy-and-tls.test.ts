import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { MerchantClientOptions } from '@bursar/merchant-api';
import { failureOf, MASS_PAYOUT, openClient, openServer } from './support/fixtures.ts';
import { type Proxy, startProxy, type Tunnel } from './support/proxy.ts';
import { answerBytes, answering, startRawServer } from './support/raw-server.ts';
import { SELF_SIGNED } from './support/self-signed.ts';

const CREATED = { body: '{"id":"mp-1","state":"CREATION_IN_PROGRESS"}' };

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function openProxy(tunnel: Tunnel): Promise<Proxy> {
  const proxy = await startProxy(tunnel);
  closers.push(() => proxy.close());
  return proxy;
}

/** A service that speaks TLS with a certificate of its own. */
async function openTlsService(options: TlsOptions = {}): Promise<string> {
  const server = createTlsServer({ ...SELF_SIGNED, ...options }, (socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end(answerBytes(CREATED)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(async () => server.close());
  return `https://localhost:${(server.address() as AddressInfo).port}`;
}

const create = (baseUrl: string, options: Partial<MerchantClientOptions>) =>
  openClient(baseUrl, options).createMassPayout(MASS_PAYOUT);

describe('through a proxy', () => {
  it.each([undefined, 'fresh'] as const)(
    'a request gets its answer (connection: %p)',
    async (connection) => {
      const server = await openServer({ onRequest: answering(CREATED) });
      const proxy = await openProxy('open');
      const client = openClient(server.url, { proxyUrl: proxy.url });
      let leaves = 0;
      const onLeave = (): void => void (leaves += 1);
      const call = { onLeave, ...(connection === undefined ? {} : { connection }) };
      expect((await client.createMassPayout(MASS_PAYOUT, call)).value.id).toBe('mp-1');
      expect([proxy.heads.length, server.requests.length, leaves]).toEqual([1, 1, 1]);
      expect(proxy.heads[0]).toMatch(new RegExp(`^CONNECT 127.0.0.1:${server.port} HTTP/1.1\r\n`));
    },
  );

  it('the name of the proxy user goes to the proxy alone', async () => {
    const server = await openServer({ onRequest: answering(CREATED) });
    const proxy = await openProxy('open');
    const proxyUrl = proxy.url.replace('//', '//user:p%40ss@');
    await create(server.url, { proxyUrl });
    const basic = Buffer.from('user:p@ss').toString('base64');
    expect(proxy.heads[0]).toMatch(new RegExp(`^proxy-authorization: Basic ${basic}\r$`, 'im'));
    expect(server.requests[0]?.head).not.toMatch(/proxy/i);
  });

  it.each<Tunnel>([403, 407, 502, 'reset'])(
    'that answers %p, a create is not-sent',
    async (tunnel) => {
      const server = await openServer({ onRequest: answering(CREATED) });
      const proxy = await openProxy(tunnel);
      const error = await failureOf(create(server.url, { proxyUrl: proxy.url }));
      expect(error.kind).toBe('not-sent');
      expect([proxy.heads.length, proxy.sentBytes(), server.requests.length]).toEqual([1, 0, 0]);
    },
  );

  it('that never answers, a create is not-sent at its deadline', async () => {
    const proxy = await openProxy('silent');
    const options = { proxyUrl: proxy.url, requestTimeoutMs: 200 };
    const error = await failureOf(create('http://127.0.0.1:1', options));
    expect(error.kind).toBe('not-sent');
    expect(proxy.sentBytes()).toBe(0);
  });

  it('that is not there, a create is not-sent', async () => {
    const proxy = await startProxy('open');
    await proxy.close();
    const error = await failureOf(create('http://127.0.0.1:1', { proxyUrl: proxy.url }));
    expect(error).toMatchObject({ kind: 'not-sent', reason: 'ECONNREFUSED' });
  });

  it('to a service that is not there, a create is not-sent', async () => {
    const server = await startRawServer({});
    await server.close();
    const proxy = await openProxy('open');
    const error = await failureOf(create(server.url, { proxyUrl: proxy.url }));
    expect(error.kind).toBe('not-sent');
  });

  it('a callback that throws before the first byte stops the request', async () => {
    const server = await openServer({ onRequest: answering(CREATED) });
    const proxy = await openProxy('open');
    const onLeave = (): never => {
      throw new Error('no');
    };
    const client = openClient(server.url, { proxyUrl: proxy.url });
    const error = await failureOf(client.createMassPayout(MASS_PAYOUT, { onLeave }));
    expect(error.kind).toBe('not-sent');
    expect([proxy.sentBytes(), server.requests.length]).toEqual([0, 0]);
  });

  it('whose tunnel breaks after the request, a create is no-answer, and left once', async () => {
    const server = await openServer({ onRequest: (socket) => socket.destroy() });
    const proxy = await openProxy('open');
    const error = await failureOf(create(server.url, { proxyUrl: proxy.url }));
    expect(error.kind).toBe('no-answer');
    expect(server.requests).toHaveLength(1);
  });

  it('that serves a connection that was closed meanwhile, a create leaves once', async () => {
    let arrived = 0;
    const server = await openServer({
      onRequest: (socket) => {
        arrived += 1;
        if (arrived === 1) socket.write(answerBytes(CREATED));
        else socket.destroy();
      },
    });
    const proxy = await openProxy('open');
    const client = openClient(server.url, { proxyUrl: proxy.url });
    await client.createMassPayout(MASS_PAYOUT);
    const error = await failureOf(client.createMassPayout(MASS_PAYOUT));
    expect(error.kind).toBe('no-answer');
    expect(server.requests).toHaveLength(2);
  });

  it('a service with TLS is verified behind it', async () => {
    const [url, proxy] = [await openTlsService(), await openProxy('open')];
    const proxyUrl = proxy.url;
    expect((await failureOf(create(url, { proxyUrl }))).kind).toBe('not-sent');
    const { value } = await create(url, { proxyUrl, tls: { ca: SELF_SIGNED.cert } });
    expect(value.id).toBe('mp-1');
  });

  it('no error shows its address or its credentials', async () => {
    const proxy = await openProxy(407);
    const proxyUrl = proxy.url.replace('//', '//CANARY:CANARY@');
    const error = await failureOf(create('http://127.0.0.1:1', { proxyUrl }));
    expect(
      JSON.stringify([error, error.message, error.cause, (error.cause as Error).message]),
    ).not.toMatch(/CANARY/);
  });
});

describe('with certificates', () => {
  it.each<[string, MerchantClientOptions['tls']]>([
    ['text', { ca: SELF_SIGNED.cert }],
    ['bytes', { ca: Buffer.from(SELF_SIGNED.cert) }],
    ['a list', { ca: Object.freeze([SELF_SIGNED.cert]) }],
  ])('a service is trusted whose certificate is given as %s', async (_form, tls) => {
    const url = await openTlsService();
    expect((await create(url, { tls: tls ?? {} })).value.id).toBe('mp-1');
  });

  it('a service gets the certificate that it requires of the client', async () => {
    const url = await openTlsService({
      requestCert: true,
      rejectUnauthorized: true,
      ca: [SELF_SIGNED.cert],
    });
    const tls = { ca: SELF_SIGNED.cert };
    expect((await create(url, { tls: { ...tls, ...SELF_SIGNED } })).value.id).toBe('mp-1');
    // TLS 1.3 refuses the client only after its first bytes, so they may have arrived.
    expect((await failureOf(create(url, { tls }))).kind).toBe('no-answer');
  });
});

describe('the environment', () => {
  it('names no proxy that the client uses', async () => {
    const server = await openServer({ onRequest: answering(CREATED) });
    const proxy = await openProxy('open');
    const before = { ...process.env };
    Object.assign(process.env, {
      HTTP_PROXY: proxy.url,
      http_proxy: proxy.url,
      ALL_PROXY: proxy.url,
    });
    try {
      expect((await create(server.url, {})).value.id).toBe('mp-1');
    } finally {
      process.env = before;
    }
    expect(proxy.heads).toEqual([]);
  });
});
