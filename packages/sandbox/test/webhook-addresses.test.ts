import { type AddressInfo, createServer, type Socket } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { systemClock } from '../src/clock.ts';
import {
  guardedLookup,
  isAddressAllowed,
  isUrlAllowed,
  type ResolvedAddress,
} from '../src/webhooks/addresses.ts';
import { createPoster } from '../src/webhooks/post.ts';
import { createManualClock } from './support/manual-clock.ts';
import { startReceiver } from './support/receiver.ts';
import { onCleanup } from './support/start.ts';

/** Whether an address is allowed with private networks, and without them. */
const PUBLIC = [true, true] as const;
const PRIVATE = [true, false] as const;
const NEVER = [false, false] as const;

describe('the address of a receiver', () => {
  it.each([
    ['93.184.216.34', PUBLIC],
    ['1.1.1.1', PUBLIC],
    ['172.15.255.255', PUBLIC],
    ['172.32.0.0', PUBLIC],
    ['100.63.255.255', PUBLIC],
    ['100.128.0.0', PUBLIC],
    ['223.255.255.255', PUBLIC],
    ['127.0.0.1', PRIVATE],
    ['127.255.255.255', PRIVATE],
    ['10.0.0.0', PRIVATE],
    ['10.255.255.255', PRIVATE],
    ['172.16.0.0', PRIVATE],
    ['172.31.255.255', PRIVATE],
    ['192.168.255.255', PRIVATE],
    ['100.64.0.0', PRIVATE],
    ['100.127.255.255', PRIVATE],
    ['0.0.0.0', NEVER],
    ['0.255.255.255', NEVER],
    ['169.254.0.1', NEVER],
    ['169.254.169.254', NEVER],
    ['192.0.0.8', NEVER],
    ['192.0.2.1', NEVER],
    ['192.88.99.1', NEVER],
    ['198.18.0.1', NEVER],
    ['198.19.255.255', NEVER],
    ['198.51.100.1', NEVER],
    ['203.0.113.1', NEVER],
    ['224.0.0.1', NEVER],
    ['239.255.255.255', NEVER],
    ['240.0.0.1', NEVER],
    ['255.255.255.255', NEVER],
    ['2606:4700::1111', PUBLIC],
    ['2a00:1450:4001::200e', PUBLIC],
    ['::1', PRIVATE],
    ['fc00::1', PRIVATE],
    ['fdff:ffff::1', PRIVATE],
    ['::', NEVER],
    ['::2', NEVER],
    ['::7f00:1', NEVER],
    ['fe80::1', NEVER],
    ['fe80::1%eth0', NEVER],
    ['2606:4700::1111%eth0', NEVER],
    ['febf::1', NEVER],
    ['fec0::1', NEVER],
    ['ff02::1', NEVER],
    ['100::1', NEVER],
    ['2001::1', NEVER],
    ['2001:db8::1', NEVER],
    ['3fff::1', NEVER],
    ['4000::1', NEVER],
    ['5f00::1', NEVER],
    // Mapped IPv4.
    ['::ffff:93.184.216.34', PUBLIC],
    ['::ffff:127.0.0.1', PRIVATE],
    ['::ffff:a00:1', PRIVATE],
    ['0:0:0:0:0:ffff:7f00:0001', PRIVATE],
    ['::ffff:169.254.169.254', NEVER],
    ['::ffff:0:127.0.0.1', NEVER],
    // NAT64: the well-known prefix, and a local one.
    ['64:ff9b::93.184.216.34', PUBLIC],
    ['64:ff9b::127.0.0.1', PRIVATE],
    ['64:ff9b::a9fe:a9fe', NEVER],
    ['64:ff9b:1::93.184.216.34', NEVER],
    // 6to4.
    ['2002:5db8:d822::1', PUBLIC],
    ['2002:7f00:1::', PRIVATE],
    ['2002:a9fe:a9fe::1', NEVER],
    ['', NEVER],
    ['localhost', NEVER],
    ['127.1', NEVER],
  ])('%s is allowed with and without private networks: %j', (address, allowed) => {
    expect([isAddressAllowed(address, true), isAddressAllowed(address, false)]).toEqual(allowed);
  });

  it.each([
    ['http://example.com/hook', PUBLIC],
    ['https://example.com:8443/hook?a=1', PUBLIC],
    ['http://example.com:80/', PUBLIC],
    ['http://example.com:443/', PUBLIC],
    ['http://93.184.216.34/', PUBLIC],
    ['http://127.0.0.1:8787/hooks/x', PRIVATE],
    ['http://[::1]/', PRIVATE],
    ['http://10.1.2.3/', PRIVATE],
    ['http://[::ffff:127.0.0.1]/', PRIVATE],
    ['http://2130706433/', PRIVATE],
    ['http://0x7f.1/', PRIVATE],
    ['http://0177.0.0.1/', PRIVATE],
    ['http://127.0.0.1./', PRIVATE],
    ['http://①②⑦.0.0.1/', PRIVATE],
    ['http://169.254.169.254/latest/meta-data', NEVER],
    ['http://0xa9fea9fe/', NEVER],
    ['http://[::ffff:169.254.169.254]/', NEVER],
    ['http://[64:ff9b::a9fe:a9fe]/', NEVER],
    ['http://[fe80::1]/', NEVER],
    ['http://0.0.0.0/', NEVER],
    ['http://0/', NEVER],
    ['http://[::]/', NEVER],
    ['http://224.0.0.1/', NEVER],
    ['http://example.com:22/', NEVER],
    ['http://example.com:25/', NEVER],
    ['https://example.com:0/', NEVER],
    ['http://example.com:1023/', NEVER],
    ['http://example.com:65536/', NEVER],
    ['http://user:password@example.com/', NEVER],
    ['http://user@example.com/', NEVER],
    ['ftp://example.com/', NEVER],
    ['file:///etc/passwd', NEVER],
    ['gopher://example.com/', NEVER],
    ['javascript:alert(1)', NEVER],
    ['example.com', NEVER],
    ['//example.com', NEVER],
    ['http://', NEVER],
    ['', NEVER],
  ])('%s is allowed with and without private networks: %j', (url, allowed) => {
    expect([isUrlAllowed(url, true), isUrlAllowed(url, false)]).toEqual(allowed);
  });

  it('of any embedded IPv4 address is allowed as that address is', () => {
    const octet = fc.nat({ max: 255 });
    fc.assert(
      fc.property(octet, octet, octet, octet, fc.boolean(), (a, b, c, d, allowPrivate) => {
        const v4 = `${a}.${b}.${c}.${d}`;
        const hex = [a, b, c, d].map((each) => each.toString(16).padStart(2, '0'));
        const allowed = isAddressAllowed(v4, allowPrivate);
        const [high, low] = [hex.slice(0, 2).join(''), hex.slice(2).join('')];
        const embedded = [`::ffff:${v4}`, `64:ff9b::${high}:${low}`, `2002:${high}:${low}::7`];
        for (const each of embedded) expect(isAddressAllowed(each, allowPrivate)).toBe(allowed);
      }),
    );
  });
});

/** A resolver that gives these answers, one after another. */
function resolverOf(...answers: readonly (readonly string[])[]) {
  const asked: string[] = [];
  const left = [...answers];
  return {
    asked,
    resolve: (
      hostname: string,
      done: (error: Error | null, addresses: readonly ResolvedAddress[]) => void,
    ): void => {
      asked.push(hostname);
      const addresses = left.shift() ?? [];
      done(
        null,
        addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      );
    },
  };
}

describe('a name', () => {
  it.each([
    [['93.184.216.34'], null],
    [['10.0.0.1'], 'http.test is 10.0.0.1, which is not allowed'],
    [['93.184.216.34', '127.0.0.1'], 'http.test is 127.0.0.1, which is not allowed'],
    [['93.184.216.34', '::ffff:10.0.0.1'], 'http.test is ::ffff:10.0.0.1, which is not allowed'],
    [['not an address'], 'http.test is not an address, which is not allowed'],
    [[], 'http.test has no address'],
  ])('that stands for %j is answered with the error %j', (addresses, message) => {
    const { resolve } = resolverOf(addresses);
    guardedLookup(false, resolve)('http.test', { all: false }, (error, address) => {
      expect(error?.message ?? null).toBe(message);
      expect(address).toBe(message === null ? addresses[0] : '');
    });
  });

  it('is resolved once, and the connection goes to the checked address', async () => {
    const receiver = await startReceiver();
    const url = receiver.url.replace('127.0.0.1', 'rebinding.test');
    const { resolve, asked } = resolverOf(['127.0.0.1'], ['169.254.169.254']);
    const post = createPoster({ clock: systemClock, allowPrivate: true, resolve });
    const { status } = await post({ url, headers: {}, body: '{}' }).answer;
    expect([status, asked, receiver.received.length]).toEqual([200, ['rebinding.test'], 1]);
  });

  it('that is rebound to a private address after it was accepted is not connected to', async () => {
    const receiver = await startReceiver();
    const url = receiver.url.replace('127.0.0.1', 'rebinding.test');
    expect(isUrlAllowed(url, false)).toBe(true);
    const { resolve } = resolverOf(['127.0.0.1'], ['93.184.216.34', '127.0.0.1']);
    const post = createPoster({ clock: systemClock, allowPrivate: false, resolve });
    for (let attempt = 0; attempt < 2; attempt += 1) {
      expect(await post({ url, headers: {}, body: '{}' }).answer).toEqual({
        status: null,
        reason: 'rebinding.test is 127.0.0.1, which is not allowed',
      });
    }
    expect(receiver.received).toHaveLength(0);
  });

  it('that is never resolved fails when the time to connect is over', async () => {
    const clock = createManualClock();
    const post = createPoster({ clock, allowPrivate: true, resolve: () => {} });
    const { answer } = post({ url: 'http://silent.test/', headers: {}, body: '{}' });
    clock.advance(5_000);
    expect(await answer).toEqual({ status: null, reason: 'no connection in 5 s' });
  });
});

/** The address of a server that answers each request in its own way. */
async function startServer(answer: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    // The server closes connections on purpose.
    socket.on('error', () => {});
    socket.once('data', () => answer(socket));
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onCleanup(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => void server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

describe('the answer of a receiver', () => {
  it('is read no further than 64 KB, and its status counts', async () => {
    let writtenBytes = 0;
    const url = await startServer((socket) => {
      const more = (): void => {
        writtenBytes += 16_384;
        if (!socket.destroyed) socket.write('x'.repeat(16_384), more);
      };
      socket.write('HTTP/1.1 200 OK\r\n\r\n', more);
    });
    const post = createPoster({ clock: systemClock, allowPrivate: true });
    expect(await post({ url, headers: {}, body: '{}' }).answer).toEqual({
      status: 200,
      reason: null,
    });
    expect(writtenBytes).toBeGreaterThan(64 * 1024);
  });

  it.each(['nonsense\r\n\r\n', 'HTTP/1.1 101 Upgrade\r\n\r\n', 'HTTP/1.1 200 OK\r\nX'])(
    'is no 200 when it is %j',
    async (text) => {
      const url = await startServer((socket) => void socket.end(text));
      const post = createPoster({ clock: systemClock, allowPrivate: true });
      expect((await post({ url, headers: {}, body: '{}' }).answer).status).not.toBe(200);
    },
  );
});
