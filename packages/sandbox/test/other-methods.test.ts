import { METHODS, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { describe, expect, it } from '@jest/globals';
import { DEFAULT_ENDPOINTS, OPERATIONS } from '@bursar/merchant-api/spec';
import { startSandbox } from './support/start.ts';

type Reply = Readonly<{ status: number; allow: string | undefined; text: string }>;

/** Any method, which `fetch` would not send. */
function ask(url: string, method: string, headers: Record<string, string> = {}): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers }, (response) => {
      const { statusCode: status = 0 } = response;
      const { allow } = response.headers;
      buffer(response).then((bytes) => resolve({ status, allow, text: String(bytes) }), reject);
    });
    sent.on('error', reject);
    sent.end();
  });
}

const ACCOUNT_PATH = DEFAULT_ENDPOINTS.ACCOUNT;

/** CONNECT opens a tunnel and has no path. */
const OTHERS = METHODS.filter((method) => method !== 'POST' && method !== 'CONNECT');

describe('another method', () => {
  it.each(OPERATIONS)('than POST is not allowed on the path of %s', async (operation) => {
    const { url } = await startSandbox();
    const { status, allow, text } = await ask(url + DEFAULT_ENDPOINTS[operation], 'GET');
    expect([status, allow]).toEqual([405, 'POST']);
    const body: unknown = JSON.parse(text);
    expect(body).toEqual({
      traceId: expect.stringMatching(/./),
      errorCode: 'METHOD_NOT_ALLOWED',
      message: expect.stringMatching(/./),
    });
  });

  it.each(OTHERS)('is answered with 405: %s', async (method) => {
    const { url } = await startSandbox();
    const { status, allow } = await ask(`${url}${ACCOUNT_PATH}?a=1`, method);
    expect([status, allow]).toEqual([405, 'POST']);
  });

  it('is answered with 405, with any headers and body', async () => {
    const { url } = await startSandbox();
    const headers = { 'Content-Type': 'nothing at all' };
    const { status } = await fetch(url + ACCOUNT_PATH, { method: 'PUT', body: '{', headers });
    expect(status).toBe(405);
  });

  it.each([
    ['/sandbox/top-up', 'GET', 'POST'],
    ['/sandbox/faults', 'PATCH', 'DELETE, GET, HEAD, POST'],
  ])('is not allowed on %s of the admin API either', async (path, method, allowed) => {
    const { url } = await startSandbox({ settings: { ERROR_STATUS: 'all-200' } });
    const { status, allow } = await ask(url + path, method);
    expect([status, allow]).toEqual([405, allowed]);
  });

  it.each([
    ['all-400', 400],
    ['all-200', 200],
  ])('has the status of the mode errorStatus=%s', async (mode, expected) => {
    const { url } = await startSandbox({
      settings: { ERROR_STATUS: mode, ERROR_CODE: 'one-for-all' },
    });
    const { status, allow, text } = await ask(url + ACCOUNT_PATH, 'GET');
    expect([status, allow]).toEqual([expected, 'POST']);
    expect(JSON.parse(text)).toMatchObject({ errorCode: 'ERROR' });
  });
});

const errorBody = (errorCode: string) => ({
  traceId: expect.any(String),
  errorCode,
  message: expect.any(String),
});

describe('a path that nothing is served on', () => {
  it.each(['/api', '/api/v1', '/api/v1/account/', '/api/v1/other', '/:a', '/*'])(
    'gets the error body of the service for every method: %s',
    async (path) => {
      const { url } = await startSandbox();
      const { status, allow, text } = await ask(url + path, 'PUT');
      expect([status, allow, JSON.parse(text)]).toEqual([
        404,
        undefined,
        errorBody('PATH_UNKNOWN'),
      ]);
    },
  );

  it.each([
    ['text', 'text/plain', 'Not Found'],
    ['html', 'text/html', '<title>Not Found</title>'],
  ])('gets a page with the mode unknownPath=%s', async (mode, type, part) => {
    const { url } = await startSandbox({ settings: { UNKNOWN_PATH: mode } });
    const response = await fetch(`${url}/api`, { method: 'POST', body: 'x' });
    expect(response.status).toBe(404);
    expect(response.headers.get('content-type')).toContain(type);
    expect(await response.text()).toContain(part);
  });

  it('is refused in the form of the modes of errors', async () => {
    const modes = { ERROR_STATUS: 'all-400', ERROR_CODE: 'one-for-all' };
    const { url } = await startSandbox({ settings: modes });
    const { status, text } = await ask(`${url}/api`, 'POST');
    expect([status, JSON.parse(text)]).toEqual([400, errorBody('ERROR')]);
  });
});

describe('a body that is too large', () => {
  it('is refused with the status of the mode errorStatus', async () => {
    const { url } = await startSandbox({ settings: { ERROR_STATUS: 'all-400' } });
    const bytes = Buffer.alloc(64 * 1024 * 1024 + 1);
    const { status } = await fetch(url + ACCOUNT_PATH, {
      method: 'POST',
      body: bytes,
      headers: { 'Content-Type': 'application/json' },
    });
    expect(status).toBe(400);
  });
});
