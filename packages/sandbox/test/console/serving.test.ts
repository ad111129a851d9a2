import { createHash } from 'node:crypto';
import { request } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { ConsoleNotBuilt, readConsole } from '../../src/http/console-files.ts';
import { errorCodeOf } from '../support/client.ts';
import { startSandbox } from '../support/start.ts';

const PATH = '/sandbox/console';

const policyOf = (headers: Headers): readonly string[] =>
  (headers.get('content-security-policy') ?? '').split('; ');

/** Sends a request with headers that fetch would not send. */
const send = (url: string, path: string, headers: Record<string, string>, method = 'GET') =>
  new Promise<{ status: number; text: string }>((resolve, reject) => {
    const sent = request(`${url}${path}`, { method, headers, setHost: false }, (response) => {
      let text = '';
      response.on('data', (chunk) => void (text += String(chunk)));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
    });
    sent.on('error', reject);
    sent.end();
  });

describe('the page of the console', () => {
  it('allows nothing but files of the sandbox, and its own import map', async () => {
    const { client } = await startSandbox();
    const { status, headers, text } = await client.get(PATH);
    const [, importMap = ''] = /<script type="importmap">(.*?)<\/script>/s.exec(text) ?? [];
    const hash = createHash('sha256').update(importMap).digest('base64');
    expect(status).toBe(200);
    expect(policyOf(headers)).toEqual(
      expect.arrayContaining([
        "default-src 'none'",
        `script-src 'self' 'sha256-${hash}'`,
        "style-src 'self'",
        "connect-src 'self'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
        "require-trusted-types-for 'script'",
      ]),
    );
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(text).not.toMatch(/(src|href)="(https?:|\/\/)/);
  });

  it('names only files that are served, with their types', async () => {
    const { client } = await startSandbox();
    const { text } = await client.get(PATH);
    const paths = [...text.matchAll(/"(\/sandbox\/console\/[^"]+)"/g)].map(([, path = '']) => path);
    expect(paths.length).toBeGreaterThan(8);
    for (const path of paths) {
      const { status, headers } = await client.get(path);
      const type = path.endsWith('.css') ? 'text/css' : 'text/javascript';
      expect([path, status, headers.get('content-type')]).toEqual([
        path,
        200,
        `${type}; charset=utf-8`,
      ]);
    }
  });

  it('is sent again only when it changed', async () => {
    const { client, url } = await startSandbox();
    const { headers } = await client.get(`${PATH}/main.js`);
    expect(headers.get('cache-control')).toBe('no-cache');
    const again = await fetch(`${url}${PATH}/main.js`, {
      headers: { 'If-None-Match': headers.get('etag') ?? '' },
    });
    expect([again.status, await again.text()]).toEqual([304, '']);
  });

  it.each(['/', '/sandbox'])('is where %s leads', async (path) => {
    const { url } = await startSandbox();
    const { status, headers } = await fetch(`${url}${path}`, { redirect: 'manual' });
    expect([status, headers.get('location')]).toEqual([302, PATH]);
  });

  it.each([
    `${PATH}/nothing.js`,
    `${PATH}/../main.js`,
    `${PATH}/..%2f..%2f..%2fpackage.json`,
    `${PATH}/%2e%2e/%2e%2e/package.json`,
    `${PATH}/..\\..\\package.json`,
    `${PATH}/tsconfig.json`,
    `${PATH}/main.tsx`,
    `${PATH}/main.d.ts`,
    `${PATH}//etc/passwd`,
    `${PATH}/__proto__`,
  ])('has no file %s', async (path) => {
    const { url } = await startSandbox();
    expect((await send(url, path, { Host: new URL(url).host })).status).toBe(404);
  });
});

it('a console that is not built names the remedy', async () => {
  expect(() => readConsole('/nowhere')).toThrow(ConsoleNotBuilt);
  expect(() => readConsole('/nowhere')).toThrow(/Run "npm run build"/);
});

describe('the admin API', () => {
  const LEDGER = '/sandbox/ledger';

  it.each([
    ['an address', '127.0.0.1:8788'],
    ['an address of IPv6', '[::1]:8788'],
    ['localhost', 'localhost:8788'],
    ['a name below localhost', 'Sandbox.localhost'],
    ['a name of a container', 'sandbox:8788'],
    ['a name of a network of ones own', 'sandbox.default.svc.cluster.local'],
  ])('answers to %s', async (_name, host) => {
    const { url } = await startSandbox();
    expect((await send(url, LEDGER, { Host: host })).status).toBe(200);
  });

  it('answers programs that send no Host', async () => {
    const { url } = await startSandbox();
    expect((await send(url, LEDGER, {})).status).toBe(200);
  });

  it.each([
    'evil.example',
    'evil.example:8788',
    '127.0.0.1.evil.example',
    'localhost.evil.example.',
  ])('refuses the name %s, which may belong to a hostile page', async (host) => {
    const { url } = await startSandbox();
    for (const path of [LEDGER, PATH, '/sandbox/events/stream', '/sandbox/payouts']) {
      const { status, text } = await send(url, path, { Host: host });
      expect([path, status]).toEqual([path, 403]);
      expect(JSON.parse(text)).toMatchObject({ errorCode: 'PAGE_FORBIDDEN' });
    }
  });

  it.each([
    ['another host', { origin: 'http://evil.example' }],
    ['another port', { origin: 'http://127.0.0.1:1' }],
    ['a page without an origin', { origin: 'null' }],
    ['another site', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }],
  ])('refuses a request with %s', async (_name, headers) => {
    const { url, client } = await startSandbox();
    await client.admin('POST', '/sandbox/faults', { target: 'ACCOUNT', kind: 'status-500' });
    const response = await fetch(`${url}/sandbox/faults`, {
      method: 'DELETE',
      headers: headers as Record<string, string>,
    });
    expect(response.status).toBe(403);
    expect(errorCodeOf({ ...response, text: await response.text() })).toBe('PAGE_FORBIDDEN');
    const { text } = await client.get('/sandbox/faults');
    expect(JSON.parse(text)).toMatchObject({ faults: [{ kind: 'status-500' }] });
  });

  it('accepts requests of its own page, and opens from a link elsewhere', async () => {
    const { url } = await startSandbox();
    const { host } = new URL(url);
    const own = { Host: host, Origin: url, 'Sec-Fetch-Site': 'same-origin' };
    expect((await send(url, '/sandbox/faults', own, 'DELETE')).status).toBe(200);
    const link = { Host: host, 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'navigate' };
    expect((await send(url, PATH, link)).status).toBe(200);
  });

  it('leaves the operations of the service alone', async () => {
    const { url } = await startSandbox();
    const { text } = await send(url, '/api/v1/account', { Host: 'evil.example' }, 'POST');
    expect(JSON.parse(text)).not.toMatchObject({ errorCode: 'PAGE_FORBIDDEN' });
  });
});
