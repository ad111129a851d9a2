import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import type { FaultRule } from '../src/core/faults.ts';
import { ACCOUNT, type Client, errorCodeOf, json, type Reply, sign } from './support/client.ts';
import { createPayload, ledger, row } from './support/payouts.ts';
import { type Started, startSandbox } from './support/start.ts';
import { until } from './support/until.ts';

type FaultJson = FaultRule & Readonly<{ id: number; drawn: number; fired: number }>;
type RequestJson = Readonly<{ status: number | null; fault: string | null; durationMs: number }>;

const add = (client: Client, rule: object) => client.admin('POST', '/sandbox/faults', rule);

async function faults(client: Client): Promise<FaultJson[]> {
  return (JSON.parse((await client.get('/sandbox/faults')).text) as { faults: FaultJson[] }).faults;
}

async function requests(client: Client): Promise<RequestJson[]> {
  const { text } = await client.get('/sandbox/requests');
  return (JSON.parse(text) as { requests: RequestJson[] }).requests;
}

const isMade = async ({ client }: Started): Promise<boolean> =>
  (await ledger(client)).entries.length > 0;

/** A create over a connection of its own, and the bytes that came back until it was closed. */
function rawCreate({ url, clock }: Started): {
  close(): void;
  ended: Promise<{ text: string }>;
} {
  const { hostname, port } = new URL(url);
  const account = JSON.stringify(ACCOUNT);
  const payload = createPayload([row('1')]);
  const body = json({ timestamp: String(clock.nowMs()), account, payload });
  const head =
    `POST /api/v1/payout/mass/create HTTP/1.1\r\nHost: a\r\nKey: sandbox-key\r\n` +
    `Sign: ${sign(body)}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
  const socket = connect(Number(port), hostname, () => void socket.write(head + body));
  const ended = new Promise<{ text: string }>((resolve) => {
    let text = '';
    socket.on('data', (chunk) => void (text += chunk.toString('utf8')));
    // A reset appears as an error or as the end, depending on the bytes that were read before it.
    socket.on('error', () => {});
    socket.on('close', () => resolve({ text }));
  });
  return { ended, close: () => void socket.destroy() };
}

describe('a request that gets no answer', () => {
  it.each([
    ['hang-before', false],
    ['hang-after', true],
  ])('%s: the connection stays open, and the payout is made: %s', async (kind, made) => {
    const sandbox = await startSandbox();
    await add(sandbox.client, { target: 'MASS_CREATE', kind });
    const request = rawCreate(sandbox);
    await until(sandbox, async () => (await requests(sandbox.client)).length === 1);
    expect(await isMade(sandbox)).toBe(made);
    sandbox.clock.advance(3_600_000);
    request.close();
    expect((await request.ended).text).toBe('');
    expect(await requests(sandbox.client)).toMatchObject([
      { fault: kind, status: made ? 200 : null },
    ]);
  });

  it('does not keep the sandbox from closing', async () => {
    const sandbox = await startSandbox();
    await add(sandbox.client, { target: 'MASS_CREATE', kind: 'hang-after' });
    const { ended } = rawCreate(sandbox);
    await until(sandbox, () => isMade(sandbox));
    await sandbox.close();
    expect((await ended).text).toBe('');
  });

  it.each([
    ['drop-then-accept', 'arrival', 600_000, 200],
    ['drop-then-accept', 'acceptance', 180_000, 200],
    ['drop-then-accept', 'acceptance', 180_001, 400],
    ['hang-then-accept', 'arrival', 600_000, 200],
    ['hang-then-accept', 'acceptance', 180_001, 400],
  ])('%s, timestamp at %s, after %d ms: %d', async (kind, timestampAt, delayMs, status) => {
    const sandbox = await startSandbox();
    await add(sandbox.client, { target: 'MASS_CREATE', kind, timestampAt, delayMs, next: 1 });
    const request = rawCreate(sandbox);
    await until(sandbox, async () => (await faults(sandbox.client))[0]?.fired === 1);
    if (kind === 'drop-then-accept') expect((await request.ended).text).toBe('');
    sandbox.clock.advance(delayMs - 1);
    expect(await requests(sandbox.client)).toEqual([]);
    sandbox.clock.advance(1);
    await until(sandbox, async () => (await requests(sandbox.client)).length === 1);
    const [logged] = await requests(sandbox.client);
    expect(logged).toMatchObject({ status, fault: kind, durationMs: delayMs });
    expect(await isMade(sandbox)).toBe(status === 200);
    request.close();
    await request.ended;
  });

  it('is forgotten when the sandbox closes before it is accepted', async () => {
    const sandbox = await startSandbox();
    const rule = { kind: 'drop-then-accept', timestampAt: 'arrival', delayMs: 60_000 };
    await add(sandbox.client, { target: 'MASS_CREATE', ...rule });
    await rawCreate(sandbox).ended;
    await sandbox.close();
    const again = await startSandbox({ folder: sandbox.folder, clock: sandbox.clock });
    expect(await isMade(again)).toBe(false);
  });
});

describe('a damaged answer', () => {
  it.each(['reset-body', 'truncate-body'])('breaks off in the middle: %s', async (kind) => {
    const sandbox = await startSandbox();
    await add(sandbox.client, { target: 'MASS_CREATE', kind });
    const [head = '', body = ''] = (await rawCreate(sandbox).ended).text.split('\r\n\r\n');
    const lengthBytes = Number(/content-length: (\d+)/i.exec(head)?.[1]);
    expect(body.length).toBe(Math.floor(lengthBytes / 2));
    expect(await isMade(sandbox)).toBe(true);
  });

  const answerOf = async (rule: object): Promise<Reply & { sandbox: Started }> => {
    const sandbox = await startSandbox();
    await add(sandbox.client, { target: 'MASS_CREATE', ...rule });
    const payload = createPayload([row('1')]);
    return { ...(await sandbox.client.call('MASS_CREATE', { payload })), sandbox };
  };

  it('is whole HTTP with half of the JSON', async () => {
    const { status, text, sandbox } = await answerOf({ kind: 'cut-json' });
    expect([status, text.startsWith('{"id":')]).toEqual([200, true]);
    expect(() => JSON.parse(text) as unknown).toThrow();
    expect(await isMade(sandbox)).toBe(true);
  });

  it('has another content type', async () => {
    const { headers, text } = await answerOf({ kind: 'wrong-content-type' });
    expect(headers.get('content-type')).toContain('text/plain');
    expect(JSON.parse(text)).toMatchObject({ state: 'CREATION_IN_PROGRESS' });
  });

  it('has the ordered size, and is still valid JSON', async () => {
    const { text } = await answerOf({ kind: 'oversize-body', sizeBytes: 3_000_000 });
    expect(text.length).toBe(3_000_000);
    expect(JSON.parse(text)).toMatchObject({ state: 'CREATION_IN_PROGRESS' });
  });

  it.each([
    ['status', 429, 'json', false],
    ['status-after', 503, 'json', true],
    ['status', 502, 'html', false],
    ['status-after', 502, 'html', true],
    ['status-after', 504, 'empty', true],
  ])('is %s %d as %s', async (kind, httpStatus, page, made) => {
    const { status, headers, text, sandbox } = await answerOf({
      kind,
      httpStatus,
      page,
      retryAfterS: 7,
    });
    expect([status, headers.get('retry-after')]).toEqual([httpStatus, '7']);
    expect(await isMade(sandbox)).toBe(made);
    if (page === 'json') expect(errorCodeOf({ status, headers, text })).toBe('FAULT_INJECTED');
    if (page === 'html') expect(headers.get('content-type')).toContain('text/html');
    if (page === 'html') expect(text).toContain('<html>');
    if (page === 'empty') expect(text).toBe('');
  });

  it('is a redirect to another place', async () => {
    const location = 'http://127.0.0.1:9/elsewhere';
    const { status, headers } = await answerOf({ kind: 'status', httpStatus: 307, location });
    expect([status, headers.get('location')]).toEqual([307, location]);
  });
});

describe('which requests a fault meets', () => {
  it('can depend on the key', async () => {
    const { client } = await startSandbox();
    const key = randomUUID();
    await add(client, { target: 'MASS_CREATE', kind: 'status-500', idempotencyKey: key });
    const statusOf = async (idempotencyKey: string): Promise<number> => {
      const fields = { idempotencyKey: JSON.stringify(idempotencyKey) };
      const payload = createPayload([row('1')], fields);
      return (await client.call('MASS_CREATE', { payload })).status;
    };
    expect(await statusOf(randomUUID())).toBe(200);
    expect(await statusOf(key.toUpperCase())).toBe(500);
    expect(await faults(client)).toMatchObject([{ drawn: 1, fired: 1 }]);
  });

  it('can depend on the account', async () => {
    const { client } = await startSandbox();
    await add(client, { target: 'ACCOUNT', kind: 'status-500', account: ACCOUNT });
    expect((await client.call('ACCOUNT')).status).toBe(500);
    expect((await client.call('ACCOUNT', { account: undefined })).status).toBe(400);
  });

  it('can be the n-th one', async () => {
    const { client } = await startSandbox();
    await add(client, { target: 'ACCOUNT', kind: 'status-500', skip: 2, next: 1 });
    const seen: number[] = [];
    for (let call = 0; call < 4; call += 1) seen.push((await client.call('ACCOUNT')).status);
    expect(seen).toEqual([200, 200, 500, 200]);
  });

  it('can be taken away one by one', async () => {
    const { client } = await startSandbox();
    for (const kind of ['status-500', 'cut-json']) await add(client, { target: 'ACCOUNT', kind });
    const [first, second] = await faults(client);
    await client.admin('DELETE', `/sandbox/faults?id=${first?.id}`);
    expect(await faults(client)).toEqual([second]);
  });

  it('cannot be taken away when it is not there', async () => {
    const { client } = await startSandbox();
    await add(client, { target: 'ACCOUNT', kind: 'status-500' });
    const before = await faults(client);
    const reply = await client.admin('DELETE', '/sandbox/faults?id=77');
    expect([reply.status, errorCodeOf(reply)]).toEqual([404, 'NOT_FOUND']);
    expect(reply.text).toContain('There is no fault 77.');
    expect(await faults(client)).toEqual(before);
  });
});

describe('the admin API for faults', () => {
  it.each([
    ['a status without a number', { kind: 'status' }],
    ['a status that is no failure', { kind: 'status', httpStatus: 200 }],
    ['a page of another kind', { kind: 'cut-json', page: 'html' }],
    ['late acceptance without a time for its check', { kind: 'drop-then-accept', delayMs: 1 }],
    ['late acceptance without a delay', { kind: 'hang-then-accept', timestampAt: 'arrival' }],
    ['a size that is none', { kind: 'oversize-body', sizeBytes: -1 }],
    ['no size', { kind: 'oversize-body' }],
    ['a Location that is no address', { kind: 'status', httpStatus: 302, location: 'x\r\ny' }],
  ])('refuses %s', async (_name, rule) => {
    const { client } = await startSandbox();
    const reply = await add(client, { target: 'MASS_CREATE', ...rule });
    expect([reply.status, errorCodeOf(reply)]).toEqual([400, 'FIELD_INVALID']);
    expect(await faults(client)).toEqual([]);
  });
});

/** Ids and hashes differ in each run, but not their meaning. */
const withoutIds = (text: string): string =>
  text.replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'ID');

const SEEDED = [
  { target: 'MASS_CREATE', kind: 'status-500', probability: 0.2 },
  { target: 'MASS_CREATE', kind: 'accept-then-drop', probability: 0.2 },
  { target: 'MASS_CREATE', kind: 'cut-json', probability: 0.3 },
  { target: 'ACCOUNT', kind: 'status-after', httpStatus: 503, probability: 0.5 },
];

/** The same requests against a new sandbox; every answer and the whole log of requests. */
async function runSeeded(seed: number, keys: readonly string[]): Promise<unknown> {
  const { client, clock, close } = await startSandbox();
  for (const rule of SEEDED) await add(client, { ...rule, seed });
  const answers: string[] = [];
  for (const key of keys) {
    const payload = createPayload([row('1')], { idempotencyKey: JSON.stringify(key) });
    for (const call of [client.call('MASS_CREATE', { payload }), client.call('ACCOUNT')]) {
      const reply = await call.catch(() => ({ status: 'none', text: '' }));
      answers.push(`${reply.status} ${withoutIds(reply.text)}`);
    }
    clock.advance(10);
  }
  const log = withoutIds((await client.get('/sandbox/requests')).text);
  await close();
  return { answers, log };
}

it('a run with a seed meets the same faults and gives the same answers each time', async () => {
  const keys = Array.from({ length: 25 }, () => randomUUID());
  const [first, second, other] = [
    await runSeeded(7, keys),
    await runSeeded(7, keys),
    await runSeeded(8, keys),
  ];
  expect(second).toEqual(first);
  expect(other).not.toEqual(first);
});
