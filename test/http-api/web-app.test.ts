import { afterEach, describe, expect, it } from '@jest/globals';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fastify from 'fastify';
import { serveWebApp } from '../../src/http-api/web-files.ts';
import { ROOT } from '../architecture/repository.ts';
import { fakeWorld } from '../cli/support/fake-world.ts';
import { payrollWorld } from '../cli/support/payroll-world.ts';
import { playEnd, playSettle } from '../cli/support/play.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { apiOf, tokenOf } from './support/api.ts';

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** The web app, as the build makes it. */
const WEB_FOLDER = join(ROOT, 'build/web');

async function served() {
  const server = fastify();
  closers.push(() => server.close());
  serveWebApp(server, WEB_FOLDER);
  return server;
}

async function apiServer() {
  const api = await apiOf(fakeWorld({ cwd: temporaryFolder() }));
  closers.push(api.close);
  return api.server;
}

describe('the web app', () => {
  it('is there without a token, and allows files and calls of this server alone', async () => {
    const server = await apiServer();
    const { statusCode, headers, body } = await server.inject({ url: '/' });
    expect(statusCode).toBe(200);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(String(headers['content-security-policy']).split('; ')).toEqual([
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "connect-src 'self'",
      "img-src 'self' data:",
      "frame-ancestors 'none'",
      "base-uri 'none'",
      "form-action 'self'",
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ]);
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
    });
    expect(body).not.toMatch(
      /<script(?![^>]*\bsrc=)|\bon\w+=|style=|(?:src|href)="(?:https?:|\/\/)/,
    );
  });

  it('names only files that are served, with their types', async () => {
    const server = await served();
    const { body } = await server.inject({ url: '/' });
    const paths = [...body.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path = '']) => path);
    expect(paths).toEqual(['/web.css', '/web.js']);
    const types = await Promise.all(
      paths.map(async (url) => (await server.inject({ url })).headers['content-type']),
    );
    expect(types).toEqual(['text/css; charset=utf-8', 'text/javascript; charset=utf-8']);
  });

  it('is sent again only when it changed', async () => {
    const server = await served();
    const { headers } = await server.inject({ url: '/web.js' });
    expect(headers['cache-control']).toBe('no-cache');
    const etag = String(headers.etag);
    const again = await server.inject({ url: '/web.js', headers: { 'if-none-match': etag } });
    expect([again.statusCode, again.body]).toEqual([304, '']);
  });

  it('has the example files that the command makes, without a session', async () => {
    const server = await apiServer();
    const csv = await server.inject({ url: '/example.csv' });
    const { world, run } = fakeWorld({ cwd: temporaryFolder() });
    expect(csv.body).toBe((await run('template')).out);
    expect(csv.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="example.csv"',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
    });
    const xlsx = await server.inject({ url: '/example.xlsx' });
    await run('template', '--xlsx', '--out', 'pay.xlsx');
    expect(xlsx.rawPayload).toEqual(readFileSync(join(world.cwd, 'pay.xlsx')));
    expect(xlsx.headers['content-disposition']).toBe('attachment; filename="example.xlsx"');
  });

  it.each([
    '/inputs',
    '/index.html',
    '/web.js/',
    '/../package.json',
    '/%2e%2e/package.json',
    '/__proto__',
  ])('has no file %s', async (url) => {
    const answer = await (await apiServer()).inject({ url });
    expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([
      404,
      'PATH_UNKNOWN',
    ]);
  });

  it('that is not built names the remedy', async () => {
    const server = fastify();
    closers.push(() => server.close());
    serveWebApp(server, mkdtempSync(join(tmpdir(), 'bursar-web-')));
    const { statusCode, body } = await server.inject({ url: '/' });
    expect([statusCode, body]).toEqual([503, expect.stringContaining('npm run build')]);
  });
});

describe('for a page', () => {
  it('rows are read from behind a row', async () => {
    const made = await payrollWorld(async (store) => {
      await playSettle(store, 'payroll', { outcome: 'PAID' });
      await playEnd(store, 'payroll', { state: 'COMPLETED' });
    });
    const api = await apiOf(made);
    closers.push(api.close);
    const rowsOf = async (query: string) => {
      const { value } = await api.call('read', `GET /v1/batches/payroll/rows${query}`);
      return (value as { rows: { row: number }[] }).rows.map(({ row }) => row);
    };
    const all = await rowsOf('');
    expect(all.length).toBeGreaterThan(2);
    expect(await rowsOf(`?after=${all[0]}&limit=1`)).toEqual(all.slice(1, 2));
    expect(await rowsOf(`?after=${all.at(-1)}`)).toEqual([]);
    expect(await api.call('read', 'GET /v1/batches/payroll/rows?after=-1')).toMatchObject({
      status: 400,
    });
  });

  it('a plan names the wrong cells, with what to do about them', async () => {
    const api = await apiOf(fakeWorld({ cwd: temporaryFolder() }));
    closers.push(api.close);
    const stored = await api.server.inject({
      method: 'PUT',
      url: '/v1/files?name=wrong.csv',
      headers: { authorization: `Bearer ${tokenOf('submit')}`, 'content-type': 'text/csv' },
      payload: 'address,amount,currency\nTQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE,"3,1",USDT_TRC20\n',
    });
    const { value } = await api.call('submit', 'POST /v1/plans', { body: { file: stored.json() } });
    expect(value).toMatchObject({
      digest: null,
      refused: [
        {
          row: 2,
          column: 'amount',
          code: 'AMOUNT_NOT_DECIMAL',
          what: expect.stringContaining('3,1'),
          fix: expect.any(String),
        },
      ],
    });
  });
});
