import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { KEY, SECRET, sign } from './support/client.ts';
import { START_MS } from './support/manual-clock.ts';
import { create, createPayload, row } from './support/payouts.ts';
import { type Started, startSandbox } from './support/start.ts';

type Logged = Readonly<{ n: number; operation: string; objectId: string | null }>;

async function log({ client }: Started, query = ''): Promise<Logged[]> {
  const { text } = await client.get(`/sandbox/requests${query}`);
  return (JSON.parse(text) as { requests: Logged[] }).requests;
}

describe('the log of requests', () => {
  it('has a replayed create with the object of its answer', async () => {
    const sandbox = await startSandbox();
    const idempotencyKey = JSON.stringify(randomUUID());
    const { id } = await create(sandbox.client, [row('1')], { idempotencyKey });
    await create(sandbox.client, [row('1')], { idempotencyKey });
    expect((await log(sandbox)).map(({ objectId }) => objectId)).toEqual([id, id]);
  });

  it('is filtered by operation, status, key and time, also together', async () => {
    const sandbox = await startSandbox();
    const { client, clock } = sandbox;
    const key = randomUUID();
    await create(client, [row('1')], { idempotencyKey: JSON.stringify(key) });
    await client.call('ACCOUNT');
    clock.advance(1_000);
    await client.call('ACCOUNT', { account: '"x"' });
    await client.call('MASS_CREATE', {
      payload: createPayload([row('0')], { idempotencyKey: JSON.stringify(key) }),
    });
    const since = encodeURIComponent(new Date(START_MS + 1_000).toISOString());
    const found = async (query: string): Promise<number[]> =>
      (await log(sandbox, query)).map(({ n }) => n);
    expect(await found('')).toEqual([1, 2, 3, 4]);
    expect(await found('?operation=ACCOUNT')).toEqual([2, 3]);
    expect(await found('?status=400')).toEqual([3, 4]);
    expect(await found(`?idempotencyKey=${key}`)).toEqual([1, 4]);
    expect(await found(`?since=${since}`)).toEqual([3, 4]);
    expect(await found(`?since=${since}&operation=MASS_CREATE&status=400`)).toEqual([4]);
    expect(await found('?operation=ACCOUNT&after=2&limit=1')).toEqual([3]);
  });

  it.each(['?operation=PAY', '?status=x', '?idempotencyKey=x', '?since=today', '?other=1'])(
    'refuses the filter %s',
    async (query) => {
      const { client } = await startSandbox();
      expect((await client.get(`/sandbox/requests${query}`)).status).toBe(400);
    },
  );

  it('has the key of a request that a fault kept from being decided', async () => {
    const sandbox = await startSandbox();
    const rule = { target: 'MASS_CREATE', kind: 'drop-before' };
    await sandbox.client.admin('POST', '/sandbox/faults', rule);
    const key = randomUUID();
    const payload = createPayload([row('1')], { idempotencyKey: JSON.stringify(key) });
    await expect(sandbox.client.call('MASS_CREATE', { payload })).rejects.toThrow();
    expect(await log(sandbox, `?idempotencyKey=${key}`)).toMatchObject([
      { status: null, answerBytes: null, fault: 'drop-before', objectId: null },
    ]);
  });

  it('keeps as many entries as the settings allow', async () => {
    const sandbox = await startSandbox({ settings: { REQUESTS_KEPT: '3' } });
    for (let call = 0; call < 5; call += 1) await sandbox.client.call('ACCOUNT');
    expect((await log(sandbox)).map(({ n }) => n)).toEqual([3, 4, 5]);
  });

  it('contains neither secrets nor signatures of any request', async () => {
    const { client } = await startSandbox();
    const canaries = ['canary-one', 'canary-two', 'canary-three'] as const;
    const [key, text, modes] = canaries;
    await client.call('ACCOUNT', { account: JSON.stringify(text) }, { Key: key });
    await client.call('MASS_CREATE', { payload: `{"idempotencyKey":"${text} ${text}"}` });
    await client.call('ACCOUNT', {}, { 'Sandbox-Modes': `${modes}<script>` });
    const { text: logged } = await client.get('/sandbox/requests');
    for (const canary of [...canaries, SECRET, KEY, sign('')]) expect(logged).not.toContain(canary);
  });
});
