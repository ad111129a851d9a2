import { describe, expect, it } from '@jest/globals';
import type { Client } from './support/client.ts';
import { START_MS } from './support/manual-clock.ts';
import { create, read, row } from './support/payouts.ts';
import { startSandbox, steps } from './support/start.ts';

const set = (client: Client, offsetMs: unknown) =>
  client.admin('PUT', '/sandbox/clock', { offsetMs });

describe('the clock that the service shows', () => {
  it('can jump while it runs; Date and the check of timestamps follow', async () => {
    const { client } = await startSandbox();
    await set(client, 180_001);
    const refused = await client.call('ACCOUNT');
    expect(refused.status).toBe(400);
    expect(Date.parse(refused.headers.get('date') ?? '')).toBe(START_MS + 180_000);
    await set(client, -180_000);
    expect((await client.call('ACCOUNT')).status).toBe(200);
  });

  it('is returned with its offset', async () => {
    const { client } = await startSandbox({ settings: { CLOCK_OFFSET_MS: '-5' } });
    const told = async () => JSON.parse((await client.get('/sandbox/clock')).text) as object;
    const real = { isVirtual: false };
    const time = (offsetMs: number) => new Date(START_MS + offsetMs).toISOString();
    expect(await told()).toEqual({ ...real, time: time(-5), offsetMs: -5, override: null });
    await set(client, 7);
    expect(await told()).toEqual({ ...real, time: time(7), offsetMs: 7, override: 7 });
    await set(client, null);
    expect(await told()).toEqual({ ...real, time: time(-5), offsetMs: -5, override: null });
  });

  it('stays off after a restart, with any settings', async () => {
    const before = await startSandbox();
    await set(before.client, 300_000);
    await before.close();
    const settings = { CLOCK_OFFSET_MS: '0' };
    const after = await startSandbox({ folder: before.folder, clock: before.clock, settings });
    expect((await after.client.call('ACCOUNT')).status).toBe(400);
  });

  it('neither stops nor hurries a payout by its jump', async () => {
    const { client, clock } = await startSandbox();
    const { id } = await create(client, [row('1')]);
    await set(client, -170_000);
    steps(clock, 1);
    expect((await read(client, id)).state).toBe('CONFIRMED');
    await set(client, 170_000);
    expect((await read(client, id)).state).toBe('CONFIRMED');
    steps(clock, 2);
    expect((await read(client, id)).state).toBe('COMPLETED');
  });

  it.each([1.5, '1', 1e15, undefined])('is not set to %s', async (offsetMs) => {
    const { client } = await startSandbox();
    expect((await set(client, offsetMs)).status).toBe(400);
    expect((await client.call('ACCOUNT')).status).toBe(200);
  });
});
