import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { FaultRule } from '../src/core/faults.ts';
import { type Client, errorCodeOf, json } from './support/client.ts';
import { createPayload, ledger, row } from './support/payouts.ts';
import { type Started, startSandbox } from './support/start.ts';
import { until } from './support/until.ts';

type FaultJson = FaultRule & Readonly<{ id: number; drawn: number; fired: number }>;

async function faults(client: Client): Promise<FaultJson[]> {
  return (JSON.parse((await client.get('/sandbox/faults')).text) as { faults: FaultJson[] }).faults;
}

const add = (client: Client, rule: FaultRule) => client.admin('POST', '/sandbox/faults', rule);

const entriesCount = async ({ client }: Started): Promise<number> =>
  (await ledger(client)).entries.length;

const firedCount = async ({ client }: Started): Promise<number> =>
  (await faults(client)).reduce((total, { fired }) => total + fired, 0);

/** Sends a create. Returns the status, or 'none' when there was no usable answer. */
const tryCreate = (client: Client, payload = createPayload([row('1')])): Promise<number | 'none'> =>
  client.call('MASS_CREATE', { payload }).then(
    ({ status }) => status,
    () => 'none' as const,
  );

describe('a fault on the create operation', () => {
  it.each([
    ['drop-before', 'none', false],
    ['status-500', 500, false],
    ['status-500-after', 500, true],
    ['accept-then-drop', 'none', true],
    ['truncate-body', 'none', true],
  ] as const)('%s is answered by %s, and the payout made: %s', async (kind, answer, made) => {
    const sandbox = await startSandbox();
    await add(sandbox.client, { target: 'MASS_CREATE', kind, next: 1 });
    expect(await tryCreate(sandbox.client)).toBe(answer);
    expect(await entriesCount(sandbox)).toBe(made ? 2 : 0);
    expect(await tryCreate(sandbox.client)).toBe(200);
  });

  it('that lost an answer leaves the payout to be found by its key', async () => {
    const { client } = await startSandbox();
    await add(client, { target: 'MASS_CREATE', kind: 'accept-then-drop', next: 1 });
    const idempotencyKey = JSON.stringify(randomUUID());
    const payload = createPayload([row('1')], { idempotencyKey });
    await tryCreate(client, payload);
    expect((await client.call('MASS_GET', { payload: json({ idempotencyKey }) })).status).toBe(200);
    expect(await tryCreate(client, payload)).toBe(200);
    expect((await ledger(client)).entries).toHaveLength(2);
  });

  it('gives the documented error body with a status of 500', async () => {
    const { client } = await startSandbox();
    await add(client, { target: 'ACCOUNT', kind: 'status-500' });
    expect(errorCodeOf(await client.call('ACCOUNT'))).toBe('FAULT_INJECTED');
  });

  it('cuts the body in the middle', async () => {
    const { client, url } = await startSandbox();
    await add(client, { target: 'ACCOUNT', kind: 'truncate-body' });
    await expect(client.call('ACCOUNT')).rejects.toThrow();
    const response = await fetch(`${url}/api/v1/account`, { method: 'POST' });
    expect(Number(response.headers.get('content-length'))).toBeGreaterThan(0);
    await expect(response.text()).rejects.toThrow('terminated');
  });

  it('delays the answer but not the work', async () => {
    const sandbox = await startSandbox();
    await add(sandbox.client, { target: 'MASS_CREATE', kind: 'delay-ms', delayMs: 5_000 });
    let answered = false;
    const reply = tryCreate(sandbox.client).finally(() => void (answered = true));
    await until(sandbox, async () => (await entriesCount(sandbox)) === 2);
    sandbox.clock.advance(4_999);
    await sandbox.client.get('/sandbox/health');
    expect(answered).toBe(false);
    sandbox.clock.advance(1);
    expect(await reply).toBe(200);
  });

  it.each([
    [180_000, 200],
    [180_001, 400],
  ])('delays the work by %d ms, and then checks the timestamp: %d', async (delayMs, status) => {
    const sandbox = await startSandbox();
    await add(sandbox.client, { target: 'MASS_CREATE', kind: 'delay-before-ms', delayMs });
    const reply = tryCreate(sandbox.client);
    await until(sandbox, async () => (await firedCount(sandbox)) === 1);
    sandbox.clock.advance(delayMs - 1);
    expect(await entriesCount(sandbox)).toBe(0);
    sandbox.clock.advance(1);
    expect(await reply).toBe(status);
    expect(await entriesCount(sandbox)).toBe(status === 200 ? 2 : 0);
  });

  it('does not keep the sandbox from closing', async () => {
    const sandbox = await startSandbox();
    await add(sandbox.client, { target: 'MASS_CREATE', kind: 'delay-ms', delayMs: 600_000 });
    const reply = tryCreate(sandbox.client);
    await until(sandbox, async () => (await firedCount(sandbox)) === 1);
    await sandbox.close();
    await reply;
  });

  it('does not touch other operations', async () => {
    const { client } = await startSandbox();
    await add(client, { target: 'MASS_CREATE', kind: 'status-500' });
    expect((await client.call('ACCOUNT')).status).toBe(200);
  });
});

describe('how often a fault fires', () => {
  const statuses = async ({ client }: Started, count: number): Promise<number[]> => {
    const seen: number[] = [];
    for (let call = 0; call < count; call += 1) seen.push((await client.call('ACCOUNT')).status);
    return seen;
  };

  it('fires as often as its rule allows, then never again', async () => {
    const sandbox = await startSandbox();
    await add(sandbox.client, { target: 'ACCOUNT', kind: 'status-500', next: 2 });
    expect(await statuses(sandbox, 4)).toEqual([500, 500, 200, 200]);
    expect(await faults(sandbox.client)).toMatchObject([{ next: 2, fired: 2 }]);
  });

  it('follows a seeded chance that is the same each time', async () => {
    const runs = await Promise.all(
      [1, 1, 2].map(async (seed) => {
        const sandbox = await startSandbox();
        const rule = { target: 'ACCOUNT', kind: 'status-500', probability: 0.5, seed } as const;
        await add(sandbox.client, rule);
        const seen = await statuses(sandbox, 30);
        const [fault] = await faults(sandbox.client);
        expect(fault).toMatchObject({
          drawn: 30,
          fired: seen.filter((status) => status === 500).length,
        });
        return seen;
      }),
    );
    expect(runs[0]).toEqual(runs[1]);
    expect(runs[0]).not.toEqual(runs[2]);
    expect(new Set(runs[0])).toEqual(new Set([200, 500]));
  });

  it('goes on counting after a restart', async () => {
    const before = await startSandbox();
    await add(before.client, { target: 'ACCOUNT', kind: 'status-500', next: 3 });
    await statuses(before, 2);
    await before.close();
    const after = await startSandbox({ folder: before.folder, clock: before.clock });
    expect(await statuses(after, 2)).toEqual([500, 200]);
    expect(await faults(after.client)).toMatchObject([{ fired: 3 }]);
  });

  it('can be set by the settings, which a restart does not add again', async () => {
    const settings = { FAULTS: '[{"target":"ACCOUNT","kind":"status-500","next":1}]' };
    const before = await startSandbox({ settings });
    expect(await statuses(before, 2)).toEqual([500, 200]);
    await before.close();
    const { folder, clock } = before;
    const after = await startSandbox({ folder, clock, settings });
    expect(await statuses(after, 1)).toEqual([200]);
    await after.close();
    const without = await startSandbox({ folder, clock });
    expect(await faults(without.client)).toEqual([]);
  });
});

describe('the admin API for faults', () => {
  it('takes all faults away', async () => {
    const { client } = await startSandbox();
    await add(client, { target: 'ACCOUNT', kind: 'status-500' });
    await client.admin('DELETE', '/sandbox/faults');
    expect(await faults(client)).toEqual([]);
    expect((await client.call('ACCOUNT')).status).toBe(200);
  });

  it.each([
    ['no target', { kind: 'drop' }],
    ['an unknown operation', { target: 'PAY', kind: 'status-500' }],
    ['an unknown kind', { target: 'ACCOUNT', kind: 'explode' }],
    ['a fault of webhooks on an operation', { target: 'ACCOUNT', kind: 'drop' }],
    ['a fault of operations on webhooks', { target: 'WEBHOOK', kind: 'status-500' }],
    ['a delay without a length', { target: 'ACCOUNT', kind: 'delay-ms' }],
    ['a length without a delay', { target: 'ACCOUNT', kind: 'status-500', delayMs: 1 }],
    ['a chance above 1', { target: 'ACCOUNT', kind: 'status-500', probability: 2 }],
    ['a count of 0', { target: 'ACCOUNT', kind: 'status-500', next: 0 }],
    ['copies without a number', { target: 'WEBHOOK', kind: 'duplicate' }],
    ['an unknown field', { target: 'ACCOUNT', kind: 'status-500', extra: 1 }],
    ['nothing', null],
  ])('refuses %s', async (_name, rule) => {
    const { client } = await startSandbox();
    expect((await client.admin('POST', '/sandbox/faults', rule)).status).toBe(400);
    expect(await faults(client)).toEqual([]);
  });
});

describe('the delay of every create', () => {
  it('is set by the settings', async () => {
    const sandbox = await startSandbox({ settings: { DELAY_MS_CREATE: '250' } });
    const reply = tryCreate(sandbox.client);
    await until(sandbox, async () => (await entriesCount(sandbox)) === 2);
    sandbox.clock.advance(250);
    expect(await reply).toBe(200);
  });

  it('does not delay anything else', async () => {
    const { client } = await startSandbox({ settings: { DELAY_MS_CREATE: '250' } });
    expect((await client.call('ACCOUNT')).status).toBe(200);
  });
});
