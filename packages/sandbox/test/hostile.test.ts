import { connect } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { DEFAULT_ENDPOINTS } from '@bursar/merchant-api/spec';
import { ACCOUNT, json, post, type Reply } from './support/client.ts';
import { START_MS } from './support/manual-clock.ts';
import { createPayload, ledger, row } from './support/payouts.ts';
import { type Started, startSandbox } from './support/start.ts';

const PATHS = Object.values(DEFAULT_ENDPOINTS);

const path = fc.constantFrom(...PATHS);
const envelope = { timestamp: String(START_MS), account: JSON.stringify(ACCOUNT) };
const validCreate = json({ ...envelope, payload: createPayload([row('1'), row('0.5')]) });

/** Expects a client's error with the documented body, or success when the input was valid. */
function expectCivil({ status, text }: Reply): void {
  expect(status).toBeGreaterThanOrEqual(200);
  expect(status).toBeLessThan(500);
  if (status === 200) return;
  const { traceId, errorCode, message, ...rest } = JSON.parse(text) as Record<string, unknown>;
  expect([typeof traceId, typeof errorCode, typeof message]).toEqual([
    'string',
    'string',
    'string',
  ]);
  expect(rest).toEqual({});
}

async function expectUntouched({ client }: Started): Promise<void> {
  const { entries, balances } = await ledger(client);
  expect(entries).toEqual([]);
  expect(balances.every(({ tiesOut }) => tiesOut)).toBe(true);
}

describe('signed bodies of any content are answered civilly and change nothing', () => {
  it('bytes', async () => {
    const sandbox = await startSandbox();
    await fc.assert(
      fc.asyncProperty(path, fc.uint8Array({ maxLength: 300 }), async (to, bytes) => {
        expectCivil(await post(sandbox.url + to, bytes));
      }),
      { numRuns: 150 },
    );
    await expectUntouched(sandbox);
  });

  it('JSON of any shape, as the body and as the payload', async () => {
    const sandbox = await startSandbox();
    await fc.assert(
      fc.asyncProperty(path, fc.json({ maxDepth: 4 }), async (to, text) => {
        expectCivil(await post(sandbox.url + to, text));
        expectCivil(await post(sandbox.url + to, json({ ...envelope, payload: text })));
      }),
      { numRuns: 150 },
    );
    await expectUntouched(sandbox);
  });

  it('JSON of any shape in each field of a create', async () => {
    const sandbox = await startSandbox();
    const fields = ['currency', 'massAddresses', 'idempotencyKey', 'executionDate', 'other'];
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...fields), fc.jsonValue(), async (field, value) => {
        fc.pre(field !== 'currency' || typeof value !== 'string');
        const payload = createPayload([row('1')], { [field]: JSON.stringify(value) });
        const body = json({ ...envelope, payload });
        expectCivil(await post(sandbox.url + DEFAULT_ENDPOINTS.MASS_CREATE, body));
      }),
      { numRuns: 150 },
    );
    await expectUntouched(sandbox);
  });
});

it('a create with bytes cut, changed or put in is answered civilly and ties out', async () => {
  const sandbox = await startSandbox();
  const bytes = Buffer.from(validCreate);
  const at = fc.nat({ max: bytes.length });
  await fc.assert(
    fc.asyncProperty(
      at,
      fc.nat({ max: 5 }),
      fc.uint8Array({ maxLength: 5 }),
      async (from, cut, put) => {
        const body = Buffer.concat([bytes.subarray(0, from), put, bytes.subarray(from + cut)]);
        expectCivil(await post(sandbox.url + DEFAULT_ENDPOINTS.MASS_CREATE, body));
      },
    ),
    { numRuns: 300 },
  );
  const { balances } = await ledger(sandbox.client);
  expect(balances.every(({ tiesOut }) => tiesOut)).toBe(true);
});

it('unsigned bodies are refused before any other check', async () => {
  const sandbox = await startSandbox();
  await fc.assert(
    fc.asyncProperty(path, fc.string({ maxLength: 200 }), async (to, sign) => {
      const headers = { Sign: Buffer.from(sign).toString('base64') };
      const reply = await post(sandbox.url + to, validCreate, headers);
      expectCivil(reply);
      expect(reply.status).toBe(401);
    }),
    { numRuns: 100 },
  );
  await expectUntouched(sandbox);
});

it.each([
  ['deep lists', '['.repeat(500_000)],
  ['deep objects', '{"a":'.repeat(200_000)],
  ['a number of a million digits', `{"timestamp":${'1'.repeat(1_000_000)}}`],
  ['a text of a million characters', `{"timestamp":1,"account":"${'a'.repeat(1_000_000)}"}`],
  [
    'a hundred thousand unknown fields',
    `{${Array.from({ length: 100_000 }, (_, at) => `"f${at}":1`).join()}}`,
  ],
  [
    'ten thousand wrong rows',
    json({ ...envelope, payload: createPayload(Array(10_000).fill(row('"x"'))) }),
  ],
])('%s are answered civilly and briefly', async (_name, body) => {
  const sandbox = await startSandbox();
  const reply = await post(sandbox.url + DEFAULT_ENDPOINTS.MASS_CREATE, body);
  expectCivil(reply);
  expect(reply.status).toBe(400);
  expect(reply.text.length).toBeLessThan(2_000);
  await expectUntouched(sandbox);
});

/** Sends bytes over a plain connection and returns everything that comes back. */
function exchange(url: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(Number(port), hostname, () => void socket.write(bytes));
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', reject);
    socket.on('close', () => resolve(Buffer.concat(chunks).toString('utf8')));
  });
}

describe('text that is not valid HTTP', () => {
  it.each([
    ['noise', 'nonsense\r\n\r\n', 400],
    ['no host', 'POST /api/v1/account HTTP/1.1\r\nConnection: close\r\n\r\n', 401],
    ['a huge header', `GET / HTTP/1.1\r\nHost: a\r\nX: ${'a'.repeat(100_000)}\r\n\r\n`, 400],
    ['a wrong path', 'POST /%zz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n', 400],
    [
      'a body too large',
      'POST /api/v1/account HTTP/1.1\r\nHost: a\r\nConnection: close\r\n' +
        'Content-Type: application/json\r\nContent-Length: 999999999\r\n\r\n',
      413,
    ],
  ])('%s is answered by an error with the documented body', async (_name, bytes, status) => {
    const sandbox = await startSandbox();
    const [head = '', body = ''] = (await exchange(sandbox.url, bytes)).split('\r\n\r\n');
    expect(head.split('\r\n')[0]).toContain(`HTTP/1.1 ${status} `);
    expect(Object.keys(JSON.parse(body) as object)).toEqual(['traceId', 'errorCode', 'message']);
    expect((await sandbox.client.call('ACCOUNT')).status).toBe(200);
  });

  it('a request that breaks off harms nothing', async () => {
    const sandbox = await startSandbox();
    const { hostname, port } = new URL(sandbox.url);
    const head = 'POST /api/v1/account HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{"half';
    await new Promise<void>((resolve) => {
      const socket = connect(Number(port), hostname, () =>
        socket.write(head, () => void socket.destroy()),
      );
      socket.on('close', () => resolve());
    });
    expect((await sandbox.client.call('ACCOUNT')).status).toBe(200);
    await expectUntouched(sandbox);
  });
});
