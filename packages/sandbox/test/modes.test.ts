import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { DEFAULT_MODES, MODE_NAMES, type SomeModes } from '../src/core/modes.ts';
import { ACCOUNT, type Client, errorCodeOf, type Fields, json } from './support/client.ts';
import { create, createPayload, ledger, massPayoutOf, read, row } from './support/payouts.ts';
import { type Started, startSandbox, steps } from './support/start.ts';

const UUID = '00000000-0000-0000-0000-000000000001';

const setModes = (client: Client, modes: SomeModes) => client.admin('PUT', '/sandbox/modes', modes);

async function modesOf(client: Client): Promise<{ modes: object; overrides: object }> {
  const { text } = await client.get('/sandbox/modes');
  return JSON.parse(text) as { modes: object; overrides: object };
}

const withHeader = (client: Client, modes: string) => client.call('ACCOUNT', {}, header(modes));

const header = (modes: string): Record<string, string> => ({ 'Sandbox-Modes': modes });

describe('modes', () => {
  it('are the defaults until something else is chosen', async () => {
    const { client } = await startSandbox();
    expect(await modesOf(client)).toEqual({ modes: DEFAULT_MODES, overrides: {} });
    expect(Object.keys((await modesOf(client)).modes)).toEqual(MODE_NAMES);
  });

  it('are chosen by settings, then by the admin API, then by a header for one request', async () => {
    const { client } = await startSandbox({ settings: { EXTRA_FIELDS: 'some' } });
    const isExtended = async (headers = {}): Promise<boolean> =>
      (await client.call('ACCOUNT', {}, headers)).text.includes('addedText');
    expect(await isExtended()).toBe(true);
    await setModes(client, { extraFields: 'none' });
    expect(await isExtended()).toBe(false);
    expect(await isExtended(header('extraFields=some'))).toBe(true);
    expect(await isExtended()).toBe(false);
  });

  it('that the admin API set win over the settings after a restart, until they are given back', async () => {
    const settings = { NUMBERS: 'exponent', LOOKUP_LAG_MS: '5' };
    const { client, folder, clock, close } = await startSandbox({ settings });
    await setModes(client, { numbers: 'plain' });
    await close();
    const again = await startSandbox({ settings, folder, clock });
    expect(await modesOf(again.client)).toEqual({
      modes: { ...DEFAULT_MODES, lookupLagMs: 5 },
      overrides: { numbers: 'plain' },
    });
    await setModes(again.client, {});
    expect((await modesOf(again.client)).modes).toMatchObject({ numbers: 'exponent' });
  });

  it.each([
    [{ idempotency: 'never' }],
    [{ lookupLagMs: '5' }],
    [{ lookupLagMs: -1 }],
    [{ withdrawalsMax: 0 }],
    [{ requestsPerSecond: 0.5 }],
    [{ unknown: 1 }],
    [[]],
    [null],
  ])('refuse %j on the admin API and stay as they are', async (body) => {
    const { client } = await startSandbox();
    await setModes(client, { numbers: 'exponent' });
    const reply = await client.admin('PUT', '/sandbox/modes', body);
    expect(reply.status).toBe(400);
    expect((await modesOf(client)).overrides).toEqual({ numbers: 'exponent' });
  });

  it.each([
    'idempotency=never',
    'idempotency',
    'idempotency=',
    'unknown=1',
    '__proto__=1',
    'lookupLagMs=-1',
    'lookupLagMs=none',
    'numbers=plain,numbers=exponent',
    'numbers=plain,',
    'webhookBody=flat',
    'requestsPerSecond=1',
    `numbers=${'x'.repeat(2_000)}`,
    ' ',
  ])('refuse the header %j', async (text) => {
    const { client } = await startSandbox();
    const reply = await withHeader(client, text);
    expect([reply.status, errorCodeOf(reply)]).toEqual([400, 'MODES_INVALID']);
  });

  it('may be several in one header, which the log of requests keeps', async () => {
    const { client } = await startSandbox();
    const text = 'numbers=exponent, extraFields=some,withdrawalsMax=none';
    expect((await withHeader(client, text)).status).toBe(200);
    const { requests } = JSON.parse((await client.get('/sandbox/requests')).text) as {
      requests: object[];
    };
    expect(requests).toMatchObject([{ modes: text, status: 200 }]);
  });
});

describe('lookup', () => {
  const byKey = (key: string): Fields => ({
    payload: json({ idempotencyKey: JSON.stringify(key) }),
  });

  it.each(['LOOKUP', 'MASS_GET'] as const)(
    'by key finds nothing before its lag: %s',
    async (op) => {
      const { client, clock } = await startSandbox({ settings: { LOOKUP_LAG_MS: '5000' } });
      const { id, idempotencyKey } = await create(client, [row('1')]);
      expect((await read(client, id)).id).toBe(id);
      clock.advance(4_999);
      expect((await client.call(op, byKey(idempotencyKey))).status).toBe(404);
      clock.advance(1);
      expect((await client.call(op, byKey(idempotencyKey))).status).toBe(200);
    },
  );

  it.each([
    ['absent', 404, 'NOT_FOUND'],
    ['refused', 400, 'FIELD_INVALID'],
  ])('by key may be %s', async (mode, status, code) => {
    const { client } = await startSandbox({ settings: { LOOKUP_BY_KEY: mode } });
    const { id, idempotencyKey } = await create(client, [row('1')]);
    const reply = await client.call('LOOKUP', byKey(idempotencyKey));
    expect([reply.status, errorCodeOf(reply)]).toEqual([status, code]);
    expect((await read(client, id)).id).toBe(id);
  });
});

describe('errors', () => {
  it.each([
    ['by-kind', 403],
    ['all-400', 400],
    ['all-200', 200],
  ])('have statuses %s: %d', async (mode, status) => {
    const { client } = await startSandbox({ settings: { ERROR_STATUS: mode } });
    const reply = await client.call('ACCOUNT', { account: `"0x${'0'.repeat(40)}"` });
    expect([reply.status, errorCodeOf(reply)]).toEqual([status, 'ACCOUNT_FORBIDDEN']);
  });

  it('of the service itself keep their status', async () => {
    const { client } = await startSandbox({ settings: { ERROR_STATUS: 'all-400' } });
    await client.admin('POST', '/sandbox/faults', { target: 'ACCOUNT', kind: 'status-500' });
    expect((await client.call('ACCOUNT')).status).toBe(500);
  });

  it('may all have one code', async () => {
    const { client } = await startSandbox({ settings: { ERROR_CODE: 'one-for-all' } });
    const reply = await client.call('ACCOUNT', { account: '"x"' });
    expect([reply.status, errorCodeOf(reply)]).toEqual([400, 'ERROR']);
  });
});

describe('the fields that a create needs', () => {
  const full = {
    name: '"n"',
    comment: '"c"',
    externalId: '"e"',
    executionDate: '"2026-12-01T00:00:00Z"',
  };
  const rows = [{ ...row('1'), comment: 'c' }];

  it('may be all of them', async () => {
    const { client } = await startSandbox({ settings: { CREATE_REQUIRES: 'all' } });
    expect((await create(client, rows, full)).state).toBe('CREATION_IN_PROGRESS');
    for (const field of Object.keys(full)) {
      const payload = createPayload(rows, { ...full, [field]: undefined });
      expect((await client.call('MASS_CREATE', { payload })).status).toBe(400);
    }
    const payload = createPayload([row('1')], full);
    expect((await client.call('MASS_CREATE', { payload })).status).toBe(400);
  });

  it('may leave out the key, and then one is made', async () => {
    const { client } = await startSandbox({ settings: { CREATE_REQUIRES: 'key-not' } });
    const made = await Promise.all(
      [1, 2].map(() => create(client, [row('1')], { idempotencyKey: undefined })),
    );
    const keys = made.map(({ idempotencyKey }) => idempotencyKey);
    expect(new Set(keys).size).toBe(2);
    for (const key of keys) expect(key).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe('the body of MASS_GET', () => {
  const id = (fields: { id: string }) => ({ payload: json({ id: JSON.stringify(fields.id) }) });
  const key = (fields: { idempotencyKey: string }) => ({
    payload: json({ idempotencyKey: JSON.stringify(fields.idempotencyKey) }),
  });
  const flatId = (fields: { id: string }) => ({ id: JSON.stringify(fields.id) });
  const flatKey = (fields: { idempotencyKey: string }) => ({
    idempotencyKey: JSON.stringify(fields.idempotencyKey),
  });

  it.each([
    ['reference', [id, key], [flatId, flatKey]],
    ['id-only', [id], [key, flatId, flatKey]],
    ['key-only', [key], [id, flatId, flatKey]],
    ['flat', [flatId, flatKey], [id, key]],
    ['flat-id-only', [flatId], [flatKey, id, key]],
    ['flat-key-only', [flatKey], [flatId, id, key]],
  ])('in the mode %s', async (mode, taken, refused) => {
    const { client } = await startSandbox({ settings: { MASS_GET_ACCEPTS: mode } });
    const made = await create(client, [row('1')]);
    for (const fields of taken) {
      const reply = await client.call('MASS_GET', fields(made));
      expect([reply.status, massPayoutOf(reply).id]).toEqual([200, made.id]);
    }
    for (const fields of refused) {
      expect((await client.call('MASS_GET', fields(made))).status).toBe(400);
    }
  });
});

describe('account ids', () => {
  it('are UUIDs in requests and answers where the service wants it so', async () => {
    const { client } = await startSandbox({ settings: { ACCOUNT_ID: 'uuid' } });
    const account = JSON.stringify(UUID);
    const { status, text } = await client.call('ACCOUNT', { account });
    expect([status, JSON.parse(text)]).toEqual([200, expect.objectContaining({ account: UUID })]);
    const payload = createPayload([row('1')]);
    const created = await client.call('MASS_CREATE', { account, payload });
    expect(JSON.parse(created.text)).toMatchObject({ account: UUID });
    const { id } = massPayoutOf(created);
    const found = await client.call('LOOKUP', {
      account,
      payload: json({ id: JSON.stringify(id) }),
    });
    expect(JSON.parse(found.text)).toMatchObject({ id, account: UUID });
    expect((await ledger(client)).balances[0]).toMatchObject({ account: ACCOUNT, tiesOut: true });
  });

  it('are refused in the other form', async () => {
    const { client } = await startSandbox();
    const hex = await client.call('ACCOUNT', {}, header('accountId=uuid'));
    const uuid = await client.call('ACCOUNT', { account: JSON.stringify(UUID) });
    expect([hex.status, errorCodeOf(hex)]).toEqual([400, 'FIELD_INVALID']);
    expect([uuid.status, errorCodeOf(uuid)]).toEqual([400, 'FIELD_INVALID']);
  });

  it('may have either form, and answers have the form of the request', async () => {
    const { client } = await startSandbox({ settings: { ACCOUNT_ID: 'either' } });
    for (const account of [ACCOUNT, UUID]) {
      const reply = await client.call('ACCOUNT', { account: JSON.stringify(account) });
      expect(JSON.parse(reply.text)).toMatchObject({ account });
    }
  });

  it('of others are forbidden as UUIDs too', async () => {
    const { client } = await startSandbox({ settings: { ACCOUNT_ID: 'either' } });
    const reply = await client.call('ACCOUNT', { account: JSON.stringify(randomUUID()) });
    expect([reply.status, errorCodeOf(reply)]).toEqual([403, 'ACCOUNT_FORBIDDEN']);
  });
});

describe('answers', () => {
  it('may have numbers with exponents', async () => {
    const { client } = await startSandbox({ settings: { NUMBERS: 'exponent' } });
    const reply = await client.call('MASS_CREATE', { payload: createPayload([row('0.00000001')]) });
    expect(reply.text).toContain('"totalWithdrawalAmount":1E-8,');
    expect((await client.call('ACCOUNT')).text).toContain('"amount":1E+6}');
  });

  it('may have fields that no document names, at every depth and in errors', async () => {
    const { client } = await startSandbox({ settings: { EXTRA_FIELDS: 'some' } });
    const { addedText, balances } = JSON.parse((await client.call('ACCOUNT')).text) as {
      addedText: string;
      balances: { addedText: string }[];
    };
    expect(addedText).toBe('not documented');
    expect(balances.every((each) => each.addedText === 'not documented')).toBe(true);
    const refused = await client.call('ACCOUNT', { account: '"x"' });
    expect(JSON.parse(refused.text)).toMatchObject({ errorCode: 'FIELD_INVALID', addedText });
  });
});

describe('idempotency', () => {
  const key = JSON.stringify(randomUUID());

  /** Sends the same payload again and returns a short form of the answer. */
  async function again({ client }: Started, amount = '1', headers = {}): Promise<string> {
    const payload = createPayload([row(amount)], { idempotencyKey: key });
    const reply = await client.call('MASS_CREATE', { payload }, headers);
    return reply.status === 200 ? massPayoutOf(reply).id : `${reply.status} ${errorCodeOf(reply)}`;
  }

  it('replays the bytes of before only where the timestamp is the same too', async () => {
    const sandbox = await startSandbox({ settings: { IDEMPOTENCY: 'raw-bytes-fingerprint' } });
    const first = await again(sandbox);
    expect(await again(sandbox)).toBe(first);
    sandbox.clock.advance(1);
    expect(await again(sandbox)).toBe('409 IDEMPOTENCY_KEY_CONFLICT');
  });

  it.each(['status-500', 'status-500-after'])('never takes a key again after %s', async (kind) => {
    const sandbox = await startSandbox({ settings: { IDEMPOTENCY: 'poisoned-after-500' } });
    await sandbox.client.admin('POST', '/sandbox/faults', { target: 'MASS_CREATE', kind, next: 1 });
    expect(await again(sandbox)).toBe('500 FAULT_INJECTED');
    expect(await again(sandbox)).toBe('400 IDEMPOTENCY_KEY_POISONED');
    await sandbox.close();
    const { folder, clock } = sandbox;
    const settings = { IDEMPOTENCY: 'poisoned-after-500' };
    const restarted = await startSandbox({ folder, clock, settings });
    expect(await again(restarted)).toBe('400 IDEMPOTENCY_KEY_POISONED');
    const made = kind === 'status-500' ? 0 : 2;
    expect((await ledger(restarted.client)).entries).toHaveLength(made);
  });

  it('is not poisoned by an unsigned request', async () => {
    const sandbox = await startSandbox({ settings: { IDEMPOTENCY: 'poisoned-after-500' } });
    const rule = { target: 'MASS_CREATE', kind: 'status-500', next: 1 };
    await sandbox.client.admin('POST', '/sandbox/faults', rule);
    expect(await again(sandbox, '1', { Sign: 'forged' })).toBe('500 FAULT_INJECTED');
    expect(await again(sandbox)).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('forgets a key when its time is over', async () => {
    const settings = { IDEMPOTENCY: 'key-ttl', KEY_TTL_MS: '60000' };
    const sandbox = await startSandbox({ settings });
    const first = await again(sandbox);
    sandbox.clock.advance(59_999);
    expect(await again(sandbox)).toBe(first);
    sandbox.clock.advance(1);
    const second = await again(sandbox);
    expect(second).toMatch(/^[0-9a-f-]{36}$/);
    expect(second).not.toBe(first);
  });

  it('refuses while the first is being created, and replays then', async () => {
    const sandbox = await startSandbox({ settings: { IDEMPOTENCY: 'in-flight-409' } });
    const first = await again(sandbox);
    expect(await again(sandbox)).toBe('409 IDEMPOTENCY_KEY_IN_FLIGHT');
    steps(sandbox.clock, 1);
    expect(await again(sandbox)).toBe(first);
  });

  it('may be ignored, and then the latest is found by the key', async () => {
    const sandbox = await startSandbox({ settings: { IDEMPOTENCY: 'ignores-key' } });
    const first = await again(sandbox);
    const second = await again(sandbox);
    expect(second).not.toBe(first);
    const payload = json({ idempotencyKey: key });
    expect(massPayoutOf(await sandbox.client.call('MASS_GET', { payload })).id).toBe(second);
  });

  it('may be chosen for one request', async () => {
    const sandbox = await startSandbox();
    const first = await again(sandbox);
    const refused = await again(sandbox, '1', header('idempotency=reject-400'));
    expect(refused).toBe('400 IDEMPOTENCY_KEY_EXISTS');
    expect(await again(sandbox)).toBe(first);
  });
});
