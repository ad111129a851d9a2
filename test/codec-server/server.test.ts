import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { FastifyInstance, InjectOptions } from 'fastify';
import { openPayloadKeys } from '../../src/codec/payload-keys.ts';
import { createPayloadCodec } from '../../src/codec/payload-codec.ts';
import { createCodecServer } from '../../src/codec-server/server.ts';
import { createTokens } from '../../src/config.ts';

const TOKEN = 'canary-token-0123456789-0123456789-01234567';
const UI = 'http://127.0.0.1:8233';
const CANARY = 'canary-of-a-payload';

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const PLAIN = {
  payloads: [{ metadata: { encoding: base64('json/plain') }, data: base64(CANARY) }],
};

const codecWith = (id: string) =>
  createPayloadCodec({
    keys: openPayloadKeys(() => [{ id, key: randomBytes(32) }]),
    file: 'ring',
    namespace: 'pay',
  });

let server: FastifyInstance;
let logged: string[];

beforeEach(() => {
  logged = [];
  const write = (facts: object, message: string): void => {
    logged.push(JSON.stringify({ ...facts, message }));
  };
  server = createCodecServer({
    codec: codecWith('k1'),
    namespace: 'pay',
    tokens: createTokens([TOKEN]),
    origins: [UI],
    log: { info: write, warn: write },
  });
});
afterEach(() => server.close());

type TestRequest = Readonly<{
  path?: string;
  method?: 'POST' | 'OPTIONS' | 'GET' | 'PUT';
  headers?: Record<string, string>;
  payload?: InjectOptions['payload'];
}>;

function call({ path = `/${TOKEN}/decode`, method = 'POST', headers = {}, payload }: TestRequest) {
  const namespace = { origin: UI, 'x-namespace': 'pay' };
  const body = payload === undefined ? {} : { payload };
  return server.inject({ method, url: path, headers: { ...namespace, ...headers }, ...body });
}

describe('the codec server', () => {
  it('encrypts, and decrypts again, for the web UI', async () => {
    const encoded = await call({ path: `/${TOKEN}/encode`, payload: PLAIN });
    expect(encoded.statusCode).toBe(200);
    expect(encoded.headers).toMatchObject({
      'access-control-allow-origin': UI,
      vary: 'origin',
    });
    expect(encoded.body).not.toContain(base64(CANARY));
    const decoded = await call({ payload: encoded.json() });
    expect(decoded.json()).toEqual(PLAIN);
  });

  it('allows the preflight request of the web UI', async () => {
    const { statusCode, headers } = await call({ method: 'OPTIONS' });
    expect(statusCode).toBe(204);
    expect(headers).toMatchObject({
      'access-control-allow-origin': UI,
      'access-control-allow-methods': 'POST',
      'access-control-allow-headers': 'content-type, x-namespace',
    });
  });

  it('serves programs without an origin when they have the token', async () => {
    const headers = { 'x-namespace': 'pay' };
    const url = `/${TOKEN}/decode`;
    const answer = await server.inject({ method: 'POST', url, headers, payload: PLAIN });
    expect([answer.statusCode, answer.headers['access-control-allow-origin']]).toEqual([
      200,
      undefined,
    ]);
  });

  it.each(['http://127.0.0.1:8234', 'http://localhost:8233', 'https://127.0.0.1:8233', 'null', ''])(
    'refuses the page %p, and its preflight request',
    async (origin) => {
      for (const method of ['POST', 'OPTIONS'] as const) {
        const answer = await call({ method, headers: { origin }, payload: PLAIN });
        expect(answer.statusCode).toBe(403);
        expect(answer.headers['access-control-allow-origin']).toBeUndefined();
        expect(answer.body).toBe('');
      }
    },
  );

  it.each([
    ['no token', '/decode'],
    ['an empty token', '//decode'],
    ['another token', `/${'a'.repeat(43)}/decode`],
    ['a part of the token', `/${TOKEN.slice(1)}/decode`],
    ['the token and more', `/${TOKEN}a/decode`],
    ['the token elsewhere', `/decode?token=${TOKEN}`],
    ['a path that is malformed', '/%E0%A4%A/decode'],
    ['another operation', `/${TOKEN}/download`],
  ])('returns 404 for a request with %s', async (_what, path) => {
    for (const method of ['POST', 'OPTIONS'] as const) {
      const answer = await call({ path, method, payload: PLAIN });
      expect([answer.statusCode, answer.body]).toEqual([404, '']);
      expect(answer.headers['access-control-allow-origin']).toBeUndefined();
    }
  });

  it.each([
    ['another namespace', 'test'],
    ['no namespace', ''],
  ])('refuses %s', async (_what, namespace) => {
    const answer = await call({ headers: { 'x-namespace': namespace }, payload: PLAIN });
    expect([answer.statusCode, answer.body]).toEqual([403, '']);
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])(
    'refuses a body of the type %s, which a page can send without a preflight request',
    async (type) => {
      const payload = JSON.stringify(PLAIN);
      const answer = await call({ headers: { 'content-type': type }, payload });
      expect([answer.statusCode, answer.body]).toEqual([415, '']);
    },
  );

  it.each([
    ['no JSON', '{'],
    ['another object', '{"payloads":{}}'],
    ['a list', '[]'],
    ['no base64', '{"payloads":[{"data":"*"}]}'],
    ['a prototype', '{"payloads":[],"__proto__":{"a":1}}'],
    ['lists in lists', `{"payloads":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
    [
      'objects in objects',
      `{"payloads":[{"metadata":${'{"a":'.repeat(100_000)}1${'}'.repeat(100_002)}]}`,
    ],
  ])('refuses a body with %s', async (_what, payload) => {
    const headers = { 'content-type': 'application/json' };
    const answer = await call({ headers, payload });
    expect([answer.statusCode, answer.body]).toEqual([400, '']);
  });

  it('refuses a body that is too large', async () => {
    const payload = JSON.stringify({ payloads: [{ data: 'A'.repeat(17 * 1024 * 1024) }] });
    const answer = await call({ headers: { 'content-type': 'application/json' }, payload });
    expect(answer.statusCode).toBe(413);
  });

  it('returns the reason and the fix when it cannot decrypt a payload', async () => {
    const encoded = await call({ path: `/${TOKEN}/encode`, payload: PLAIN });
    const [payload] = encoded.json().payloads;
    const other = { ...payload.metadata, 'encryption-key-id': base64('k0') };
    const answer = await call({ payload: { payloads: [{ ...payload, metadata: other }] } });
    expect(answer.statusCode).toBe(422);
    expect(answer.json().error).toMatchObject({
      code: 'CODEC_KEY_UNKNOWN',
      fix: expect.any(String),
    });
  });

  it('returns its health without a token', async () => {
    const answer = await server.inject({ method: 'GET', url: '/health' });
    expect([answer.statusCode, answer.json()]).toEqual([200, { status: 'ok' }]);
  });

  it('logs served and refused requests, without token, payload and path', async () => {
    await call({ payload: PLAIN });
    await call({ payload: PLAIN, headers: { origin: 'http://evil.example' } });
    await call({ payload: PLAIN, path: '/another-token/decode' });
    expect(logged).toHaveLength(3);
    expect(logged.join()).not.toMatch(/canary|another-token|evil/);
  });
});
