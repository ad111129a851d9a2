import { describe, expect, it } from '@jest/globals';
import { authenticate } from '../src/http/signature.ts';
import { ACCOUNT, errorCodeOf, json, post, sign } from './support/client.ts';
import { START_MS } from './support/manual-clock.ts';
import { startSandbox } from './support/start.ts';

const ACCOUNT_PATH = '/api/v1/account';
const WINDOW_MS = 180_000;

const envelope = (timestamp: string | undefined = String(START_MS)): string =>
  json({ timestamp, account: JSON.stringify(ACCOUNT) });

describe('the signature check', () => {
  it('agrees with a signature computed elsewhere', () => {
    // RFC 4231, test case 2, with HMAC-SHA512.
    const keys = new Map([['key', { secret: 'Jefe', accounts: [ACCOUNT] }]]);
    const body = Buffer.from('what do ya want for nothing?');
    const signature =
      '164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea250554' +
      '9758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737';
    expect(authenticate({ key: 'key', sign: signature, body }, keys).accounts).toEqual([ACCOUNT]);
  });

  it('accepts a request that is signed as it is sent', async () => {
    const { url } = await startSandbox();
    expect((await post(url + ACCOUNT_PATH, envelope())).status).toBe(200);
  });

  it('takes the bytes of the body as they are, white space and order included', async () => {
    const { url } = await startSandbox();
    const body = ` {\n "account" : "${ACCOUNT}",\t"timestamp":${START_MS}}\n`;
    expect((await post(url + ACCOUNT_PATH, body)).status).toBe(200);
  });

  it.each([
    ['another body', sign(`${envelope()} `), 'SIGNATURE_INVALID'],
    ['another secret', sign(envelope(), 'other'), 'SIGNATURE_INVALID'],
    ['upper-case digits', sign(envelope()).toUpperCase(), 'SIGNATURE_INVALID'],
    ['a cut signature', sign(envelope()).slice(2), 'SIGNATURE_INVALID'],
    ['an empty signature', '', 'SIGNATURE_INVALID'],
    ['a character of two bytes', `${sign(envelope()).slice(1)}é`, 'SIGNATURE_INVALID'],
  ])('refuses the signature of %s', async (_name, signature, code) => {
    const { url } = await startSandbox();
    const reply = await post(url + ACCOUNT_PATH, envelope(), { Sign: signature });
    expect([reply.status, errorCodeOf(reply)]).toEqual([401, code]);
  });

  it('refuses an unknown key', async () => {
    const { url } = await startSandbox();
    const reply = await post(url + ACCOUNT_PATH, envelope(), { Key: 'other' });
    expect([reply.status, errorCodeOf(reply)]).toEqual([401, 'KEY_UNKNOWN']);
  });

  it.each(['Key', 'Sign'])('refuses a request without the header %s', async (name) => {
    const { url } = await startSandbox();
    const headers = new Headers({ Key: 'sandbox-key', Sign: sign(envelope()) });
    headers.set('Content-Type', 'application/json');
    headers.delete(name);
    const response = await fetch(url + ACCOUNT_PATH, { method: 'POST', headers, body: envelope() });
    expect(response.status).toBe(401);
  });

  it('reveals nothing about a body whose signature is wrong', async () => {
    const { url } = await startSandbox();
    const reply = await post(url + ACCOUNT_PATH, 'not JSON', { Sign: sign('else') });
    expect(errorCodeOf(reply)).toBe('SIGNATURE_INVALID');
  });
});

describe('the timestamp', () => {
  it.each([
    [0, 200],
    [WINDOW_MS, 200],
    [-WINDOW_MS, 200],
    [WINDOW_MS + 1, 400],
    [-WINDOW_MS - 1, 400],
  ])('%d ms from now is answered by %d', async (offsetMs, status) => {
    const { url } = await startSandbox();
    const reply = await post(url + ACCOUNT_PATH, envelope(String(START_MS + offsetMs)));
    expect(reply.status).toBe(status);
    if (status === 400) expect(errorCodeOf(reply)).toBe('TIMESTAMP_OUT_OF_WINDOW');
  });

  it('must be closer to now where the mode demands it', async () => {
    const { url } = await startSandbox({ settings: { TIMESTAMP_WINDOW_MS: '500' } });
    const statusAt = async (offsetMs: number): Promise<number> =>
      (await post(url + ACCOUNT_PATH, envelope(String(START_MS + offsetMs)))).status;
    expect([await statusAt(-500), await statusAt(-501)]).toEqual([200, 400]);
  });

  it.each(['"1"', '1.5', '1e3', '1.0', '-0.5', 'null', '{}', '[1]', 'true', '1'.repeat(19)])(
    'must be an integer, not %s',
    async (text) => {
      const { url } = await startSandbox();
      const reply = await post(url + ACCOUNT_PATH, envelope(text));
      expect([reply.status, errorCodeOf(reply)]).toEqual([400, 'FIELD_INVALID']);
    },
  );

  it('is compared with a clock that can be off, and Date has the time of that clock', async () => {
    const offsetMs = 5 * 60_000;
    const { url } = await startSandbox({ settings: { CLOCK_OFFSET_MS: String(offsetMs) } });
    const refused = await post(url + ACCOUNT_PATH, envelope());
    const accepted = await post(url + ACCOUNT_PATH, envelope(String(START_MS + offsetMs)));
    expect([refused.status, accepted.status]).toEqual([400, 200]);
    expect(Date.parse(accepted.headers.get('date') ?? '')).toBe(START_MS + offsetMs);
    expect(Date.parse(refused.headers.get('date') ?? '')).toBe(START_MS + offsetMs);
  });
});

describe('the account', () => {
  const OTHER = '0x00000000000000000000000000000000000000ff';

  it('must belong to the key', async () => {
    const keys = `sandbox-key:sandbox-secret:${ACCOUNT},other:other-secret:${OTHER}`;
    const { client } = await startSandbox({ settings: { KEYS: keys } });
    const reply = await client.call('ACCOUNT', { account: JSON.stringify(OTHER) });
    expect([reply.status, errorCodeOf(reply)]).toEqual([403, 'ACCOUNT_FORBIDDEN']);
  });

  it('may be any of several that belong to the key', async () => {
    const keys = [ACCOUNT, OTHER].map((account) => `sandbox-key:sandbox-secret:${account}`);
    const { client } = await startSandbox({ settings: { KEYS: keys.join(',') } });
    const reply = await client.call('ACCOUNT', { account: JSON.stringify(OTHER) });
    expect(JSON.parse(reply.text)).toMatchObject({ account: OTHER });
  });

  it.each(['"0x12"', '"6f9619ff-8b86-d011-b42d-00cf4fc964ff"', '1', 'null', undefined])(
    'is refused as %s',
    async (account) => {
      const { client } = await startSandbox();
      const reply = await client.call('ACCOUNT', { account });
      expect([reply.status, errorCodeOf(reply)]).toEqual([400, 'FIELD_INVALID']);
    },
  );
});

describe('error answers', () => {
  it('have exactly the documented fields', async () => {
    const { url } = await startSandbox();
    const { text, headers } = await post(url + ACCOUNT_PATH, '{}', { Key: 'other' });
    expect(JSON.parse(text)).toEqual({
      traceId: expect.any(String),
      errorCode: 'KEY_UNKNOWN',
      message: expect.any(String),
    });
    expect(headers.get('content-type')).toMatch('application/json');
  });

  it.each([
    ['text/plain', 415],
    ['application/json; charset=utf-8', 200],
    ['application/jsonx', 415],
    ['Application/JSON;charset="UTF-8"', 200],
    ['application/json; charset=utf-16', 415],
    ['application/json; charset=latin1', 415],
    ['application/json, text/plain', 415],
    ['application/json; boundary=x', 415],
    ['application/x-www-form-urlencoded', 415],
    ['text/json', 415],
  ])('a body of the type %s is answered by %d', async (type, status) => {
    const { url } = await startSandbox();
    const reply = await post(url + ACCOUNT_PATH, envelope(), { 'Content-Type': type });
    expect(reply.status).toBe(status);
  });
});
