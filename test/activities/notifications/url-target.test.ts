import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import type { Message } from '../../../src/activities/notifications/target.ts';
import {
  createUrlTarget,
  type UrlTargetOptions,
} from '../../../src/activities/notifications/url-target.ts';
import { BursarError } from '../../../src/domain/errors/bursar-error.ts';
import { freePort } from '../../support/free-port.ts';
import { fakeReceiver, rawReceiver } from '../support/fake-receiver.ts';

const KEY = randomBytes(32);
const secretOf = (key: Uint8Array): string => `whsec_${Buffer.from(key).toString('base64')}`;

const MESSAGE: Message = {
  id: 'msg_0123',
  event: 'batch.failed',
  body: '{"type":"batch.failed","data":{"reason":"das Konto – ist leer €"}}',
};

const targetAt = (url: string, more: Partial<UrlTargetOptions> = {}) =>
  createUrlTarget({
    name: 'ops',
    events: [],
    url,
    readKeys: () => [KEY],
    nowMs: Date.now,
    ...more,
  });

const deliver = (url: string, more: Partial<UrlTargetOptions> = {}) =>
  targetAt(url, more).deliver(MESSAGE);

describe('a signed webhook', () => {
  it('is accepted by the verifier of the reference library, byte for byte', async () => {
    const { url, got } = await fakeReceiver();
    expect(await deliver(url)).toEqual({ kind: 'delivered' });
    const [one] = got;
    expect(got).toHaveLength(1);
    expect(one).toMatchObject({ method: 'POST', path: '/in', body: MESSAGE.body });
    expect(one?.headers).toMatchObject({
      'content-type': 'application/json',
      'webhook-id': MESSAGE.id,
    });
    expect(new Webhook(secretOf(KEY)).verify(one?.body ?? '', one?.headers ?? {})).toEqual(
      JSON.parse(MESSAGE.body),
    );
  });

  it('is refused by that verifier under another key, with another body, and when it is old', async () => {
    const { url, got } = await fakeReceiver();
    await deliver(url);
    await deliver(url, { nowMs: () => Date.now() - 301_000 });
    const verify = (key: Uint8Array, body: string, headers = got[0]?.headers ?? {}) =>
      new Webhook(secretOf(key)).verify(body, headers);
    expect(() => verify(randomBytes(32), MESSAGE.body)).toThrow(WebhookVerificationError);
    expect(() => verify(KEY, `${MESSAGE.body} `)).toThrow(WebhookVerificationError);
    expect(() => verify(KEY, MESSAGE.body, got[1]?.headers)).toThrow('too old');
  });

  it('is signed with each of two keys, while receivers change from one to the other', async () => {
    const { url, got } = await fakeReceiver();
    const next = randomBytes(24);
    await deliver(url, { readKeys: () => [KEY, next] });
    for (const key of [KEY, next]) {
      expect(
        new Webhook(secretOf(key)).verify(got[0]?.body ?? '', got[0]?.headers ?? {}),
      ).toBeDefined();
    }
  });

  it('is signed as the specification shows it', async () => {
    const { url, got } = await fakeReceiver();
    const key = Buffer.from('MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'base64');
    await targetAt(url, { readKeys: () => [key], nowMs: () => 1_614_265_330_000 }).deliver({
      id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      event: 'x',
      body: '{"test": 2432232314}',
    });
    expect(got[0]?.headers).toMatchObject({
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    });
  });

  it('is not sent without a key that can be read', async () => {
    const { url, got } = await fakeReceiver();
    const readKeys = () => {
      throw new BursarError('SECRET_FILE_OPEN', { file: '/s', mode: '0644' });
    };
    expect(await deliver(url, { readKeys })).toMatchObject({
      kind: 'failed',
      why: expect.stringContaining('can be read by others'),
    });
    expect(got).toEqual([]);
  });
});

describe('an answer', () => {
  it.each([200, 201, 202, 204, 299])('of %i means delivered', async (status) => {
    const { url } = await fakeReceiver((response) => void response.writeHead(status).end());
    expect(await deliver(url)).toEqual({ kind: 'delivered' });
  });

  it.each([300, 304, 400, 401, 404, 429, 500, 502, 503, 504])(
    'of %i means that it is tried again',
    async (status) => {
      const { url } = await fakeReceiver((response) => void response.writeHead(status).end());
      expect(await deliver(url)).toEqual({ kind: 'failed', why: `status ${status}` });
    },
  );

  it('of 410 ends all notifications', async () => {
    const { url } = await fakeReceiver((response) => void response.writeHead(410).end());
    expect(await deliver(url)).toEqual({ kind: 'failed', why: 'status 410', gone: true });
  });

  it.each([301, 302, 303, 307, 308])('of %i is no redirect', async (status) => {
    const elsewhere = await fakeReceiver();
    const { url } = await fakeReceiver(
      (response) => void response.writeHead(status, { location: elsewhere.url }).end(),
    );
    expect(await deliver(url)).toEqual({ kind: 'failed', why: `status ${status}` });
    expect(elsewhere.got).toEqual([]);
  });

  it.each([
    ['120', 120_000],
    ['0', 0],
    ['soon', undefined],
    ['-5', undefined],
    ['99999999999999999999', undefined],
    ['Fri, 31 Dec 1999 23:59:59 GMT', undefined],
  ])('may demand a wait: "%s"', async (text, askedDelayMs) => {
    const { url } = await fakeReceiver(
      (response) => void response.writeHead(503, { 'retry-after': text }).end(),
    );
    const outcome = await deliver(url);
    expect(outcome).toEqual({
      kind: 'failed',
      why: 'status 503',
      ...(askedDelayMs === undefined ? {} : { askedDelayMs }),
    });
  });
});

describe('a hostile receiver', () => {
  const tryMsMax = 200;
  const SLOW = { kind: 'failed', why: 'no answer in time' };

  it('and never answers is given up in time', async () => {
    const { url } = await fakeReceiver(() => undefined);
    expect(await deliver(url, { tryMsMax })).toEqual(SLOW);
  });

  it('and takes the connection and nothing more is given up in time', async () => {
    expect(await deliver(await rawReceiver(() => undefined), { tryMsMax })).toEqual(SLOW);
  });

  it('and sends its head letter by letter is given up in time', async () => {
    const url = await rawReceiver((socket) => {
      const timer = setInterval(() => socket.write('H'), 20);
      socket.on('close', () => clearInterval(timer));
    });
    expect((await deliver(url, { tryMsMax })).kind).toBe('failed');
  });

  it('and sends a body without end is not read', async () => {
    let sentBytes = 0;
    const { url } = await fakeReceiver((response) => {
      const part = Buffer.alloc(1024 * 1024, 'x');
      const write = (): void => {
        while (!response.destroyed && sentBytes < 1e9) {
          sentBytes += part.length;
          if (!response.write(part)) break;
        }
      };
      response.on('drain', write);
      write();
    });
    expect(await deliver(url)).toEqual({ kind: 'delivered' });
    expect(sentBytes).toBeLessThan(50e6);
  });

  it('and sends a head without end is cut off', async () => {
    const url = await rawReceiver((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      const line = `x: ${'y'.repeat(1_000)}\r\n`;
      for (let n = 0; n < 100; n += 1) socket.write(line);
    });
    expect(await deliver(url)).toEqual({ kind: 'failed', why: 'HPE_HEADER_OVERFLOW' });
  });

  it('and does not answer in HTTP has failed', async () => {
    const url = await rawReceiver((socket) => void socket.end('220 mail.example ESMTP\r\n'));
    expect(await deliver(url)).toMatchObject({
      kind: 'failed',
      why: expect.stringMatching(/^HPE_/),
    });
  });

  it('that closes the connection fails', async () => {
    const url = await rawReceiver((socket) => void socket.resetAndDestroy());
    expect(await deliver(url)).toEqual({ kind: 'failed', why: 'ECONNRESET' });
  });

  it('that does not exist fails, and the error hides its address', async () => {
    const url = `http://127.0.0.1:${await freePort()}/hush`;
    const outcome = await deliver(url);
    expect(outcome).toEqual({ kind: 'failed', why: 'ECONNREFUSED' });
    expect(JSON.stringify(await deliver('https://hush.invalid/hush'))).not.toContain('hush');
  });

  it('and sends interim answers gets the whole time limit', async () => {
    const url = await rawReceiver((socket) => {
      socket.write('HTTP/1.1 102 Processing\r\n\r\n');
      socket.end('HTTP/1.1 204 No Content\r\n\r\n');
    });
    expect(await deliver(url)).toEqual({ kind: 'delivered' });
  });
});
