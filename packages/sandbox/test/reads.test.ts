import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { ACCOUNT, errorCodeOf, json } from './support/client.ts';
import { START_MS } from './support/manual-clock.ts';
import { create, lookUp, row } from './support/payouts.ts';
import { startSandbox, steps } from './support/start.ts';

const OPERATIONS = ['MASS_GET', 'LOOKUP'] as const;

describe.each(OPERATIONS)('%s', (operation) => {
  it('finds a mass payout by its id and by its key', async () => {
    const { client } = await startSandbox();
    const created = await create(client, [row('1')]);
    for (const field of ['id', 'idempotencyKey'] as const) {
      const payload = json({ [field]: JSON.stringify(created[field]) });
      const { status, text } = await client.call(operation, { payload });
      expect([status, JSON.parse(text)]).toEqual([200, created]);
    }
  });

  it.each([
    ['an unknown id', json({ id: JSON.stringify(randomUUID()) })],
    ['an unknown key', json({ idempotencyKey: JSON.stringify(randomUUID()) })],
    ['an id of another form', '{"id":"x"}'],
  ])('answers 404 with the documented body for %s', async (_name, payload) => {
    const { client } = await startSandbox();
    const reply = await client.call(operation, { payload });
    expect([reply.status, errorCodeOf(reply)]).toEqual([404, 'NOT_FOUND']);
  });

  it.each([
    ['neither id nor key', '{}', 'FIELD_INVALID'],
    ['both', `{"id":"x","idempotencyKey":"${randomUUID()}"}`, 'FIELD_INVALID'],
    ['a key that is no UUID', '{"idempotencyKey":"x"}', 'FIELD_INVALID'],
    ['an unknown field', '{"id":"x","extra":1}', 'FIELD_UNKNOWN'],
    ['nothing', undefined, 'FIELD_INVALID'],
  ])('refuses %s', async (_name, payload, code) => {
    const { client } = await startSandbox();
    const reply = await client.call(operation, { payload });
    expect([reply.status, errorCodeOf(reply)]).toEqual([400, code]);
  });

  it("does not show another account's mass payout", async () => {
    const other = '0x00000000000000000000000000000000000000ff';
    const keys = [ACCOUNT, other].map((account) => `sandbox-key:sandbox-secret:${account}`);
    const { client } = await startSandbox({ settings: { KEYS: keys.join(',') } });
    const { id } = await create(client, [row('1')]);
    const payload = json({ id: JSON.stringify(id) });
    const account = JSON.stringify(other);
    expect((await client.call(operation, { account, payload })).status).toBe(404);
  });
});

describe('LOOKUP', () => {
  it('finds a single withdrawal with every documented field', async () => {
    const { client, clock } = await startSandbox({ settings: { FEE_PERCENT: '0.3' } });
    const { id } = await create(client, [
      row('1'),
      { ...row('0.000000000000000007'), comment: 'b-2' },
    ]);
    steps(clock, 3);
    const { text } = await lookUp(client, `${id}-2`);
    expect(text).toContain('"amount":0.000000000000000007,');
    expect(text).toContain('"fee":0.000000000000000000021,');
    expect(JSON.parse(text)).toEqual({
      id: `${id}-2`,
      account: ACCOUNT,
      depositAddress: row('').address,
      amount: expect.any(Number),
      currency: 'USDT_TRC20',
      fee: expect.any(Number),
      feePercentage: 0.3,
      feeCurrency: 'USDT_TRC20',
      blockchainFee: expect.any(Number),
      blockchainFeeCurrency: 'USDT_TRC20',
      state: 'COMPLETED',
      createdDate: new Date(START_MS).toISOString(),
      transactionHash: expect.stringMatching(/^[0-9a-f]{64}$/),
      comment: 'b-2',
    });
  });

  it('shows no hash and no network fee before the end', async () => {
    const { client, clock } = await startSandbox();
    const { id } = await create(client, [row('1')]);
    steps(clock, 2);
    const record = JSON.parse((await lookUp(client, `${id}-1`)).text) as object;
    expect(record).toMatchObject({ state: 'IN_PROGRESS' });
    expect(record).not.toHaveProperty('transactionHash');
    expect(record).not.toHaveProperty('blockchainFee');
  });

  it.each(['-0', '-2', '-01', '-x', '-1-1'])('finds no withdrawal at %s', async (suffix) => {
    const { client } = await startSandbox();
    const { id } = await create(client, [row('1')]);
    expect((await lookUp(client, id + suffix)).status).toBe(404);
  });

  it('gives two withdrawals two hashes, and one withdrawal always the same', async () => {
    const { client, clock } = await startSandbox();
    const { id } = await create(client, [row('1'), row('1')]);
    steps(clock, 3);
    const hashes = await Promise.all(
      ['-1', '-2', '-1'].map(async (suffix) => {
        const { text } = await lookUp(client, id + suffix);
        return (JSON.parse(text) as { transactionHash: string }).transactionHash;
      }),
    );
    expect(hashes[0]).toBe(hashes[2]);
    expect(hashes[0]).not.toBe(hashes[1]);
  });
});
