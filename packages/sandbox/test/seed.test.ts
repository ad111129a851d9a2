import { describe, expect, it } from '@jest/globals';
import { PAYOUT_STATES } from '@bursar/merchant-api/spec';
import type { SandboxSeed } from '../src/http/admin/seeds.ts';
import { ownSandbox } from './support/own-sandbox.ts';
import { balance, ledger, PLAIN_ADDRESS, read, withdrawals } from './support/payouts.ts';

type Row = SandboxSeed['withdrawals'][number];

const paid = (amount: string, more: Partial<Row> = {}): Row => ({
  depositAddress: PLAIN_ADDRESS,
  amount,
  ...more,
});
const failed = (amount: string): Row => paid(amount, { error: 'No such address' });

const seedOf = (state: SandboxSeed['state'], rows: readonly Row[]): SandboxSeed => ({
  currency: 'USDT_TRC20',
  state,
  withdrawals: [...rows],
});

const ROWS: Readonly<Record<SandboxSeed['state'], readonly Row[]>> = {
  CREATION_IN_PROGRESS: [paid('10'), paid('5')],
  PENDING_CONFIRMATION: [paid('10'), paid('5')],
  CONFIRMED: [paid('10'), paid('5')],
  IN_PROGRESS: [paid('10'), paid('5')],
  WAITING_COMPLETION_ERRORS: [paid('10'), paid('5', { fate: 'waits-for-person' })],
  PARTIAL: [paid('10'), failed('5')],
  COMPLETED: [paid('10'), paid('5')],
  FAILED: [failed('10'), failed('5')],
  CANCELED: [paid('10'), paid('5')],
};

/** What 15 with a fee of 1 % leave of a million, and what a credit of 5 or 15 gives back. */
const LEFT: Readonly<Record<string, string>> = {
  PARTIAL: '999989.9',
  FAILED: '1000000',
  CANCELED: '1000000',
};

describe('a seeded mass payout', () => {
  it.each(PAYOUT_STATES)('in %s is read like any other, and its money ties out', async (state) => {
    const { client, seed, clock } = await ownSandbox({ clock: 'virtual' });
    const { id } = await seed(seedOf(state, ROWS[state]));
    await clock.advance('1h');
    const record = await read(client, id);
    expect(record.state).toBe(state);
    const errors = ROWS[state].filter(({ error }) => error !== undefined);
    expect(record.errors?.withdrawalErrors ?? []).toHaveLength(errors.length);
    expect(await balance(client)).toBe(LEFT[state] ?? '999984.85');
    const { balances } = await ledger(client);
    expect(balances.every(({ tiesOut }) => tiesOut)).toBe(true);
    const lines = await withdrawals(client);
    expect(lines.map((line) => line.massPayoutState)).toEqual([state, state]);
  });

  it('has errors that were resolved by a resend', async () => {
    const { client, seed } = await ownSandbox();
    const rows = [paid('10'), paid('5', { error: 'Late', errorResolved: true })];
    const { id } = await seed(seedOf('COMPLETED', rows));
    expect((await read(client, id)).errors?.withdrawalErrors).toMatchObject([
      { withdrawalId: `${id}-2`, errors: [{ errorResolved: true, errorMessage: 'Late' }] },
    ]);
    expect(await balance(client)).toBe('999984.85');
  });

  it('can be resent by a person', async () => {
    const { client, seed, admin, clock } = await ownSandbox({ clock: 'virtual' });
    const { id } = await seed(seedOf('PARTIAL', ROWS.PARTIAL));
    await admin('POST /mass-payouts/resend', { id });
    await clock.advance('1h');
    expect((await read(client, id)).state).toBe('COMPLETED');
    expect(await balance(client)).toBe('999984.85');
  });

  it('goes on and is announced only when that is wanted', async () => {
    const { client, seed, admin, clock } = await ownSandbox({ clock: 'virtual' });
    await seed(seedOf('IN_PROGRESS', ROWS.IN_PROGRESS));
    await clock.advance('1h');
    expect((await admin('GET /events')).events).toEqual([]);
    const loud = { ...seedOf('IN_PROGRESS', ROWS.IN_PROGRESS), moves: true, webhooks: true };
    const { id } = await seed(loud);
    await clock.advance('1h');
    expect((await read(client, id)).state).toBe('COMPLETED');
    const states = (await admin('GET /events')).events.map(({ data }) => data['state']);
    expect(states).toEqual(['CREATION_IN_PROGRESS', 'IN_PROGRESS', 'COMPLETED']);
  });

  it('is found by its key, and answers a create with its payload', async () => {
    const { client, seed } = await ownSandbox();
    const idempotencyKey = '47be03f5-6725-4b55-8b5e-4af4caae6702';
    const { id } = await seed({ ...seedOf('COMPLETED', ROWS.COMPLETED), idempotencyKey });
    const massAddresses = ROWS.COMPLETED.map(
      ({ depositAddress, amount }) => `{"depositAddress":"${depositAddress}","amount":${amount}}`,
    );
    const payload = `{"currency":"USDT_TRC20","idempotencyKey":"${idempotencyKey}","massAddresses":[${massAddresses.join()}]}`;
    const answer = await client.call('MASS_CREATE', { payload });
    expect(JSON.parse(answer.text)).toMatchObject({ id, state: 'COMPLETED' });
    await expect(seed({ ...seedOf('COMPLETED', [paid('1')]), idempotencyKey })).rejects.toThrow(
      'IDEMPOTENCY_KEY_USED',
    );
  });

  it.each([
    ['COMPLETED', [failed('1')]],
    ['PARTIAL', [paid('1')]],
    ['PARTIAL', [failed('1')]],
    ['FAILED', [failed('1'), paid('1')]],
    ['IN_PROGRESS', [failed('1')]],
    ['CANCELED', [failed('1')]],
  ] as const)('is refused in %s with other errors, and leaves nothing', async (state, rows) => {
    const { client, seed, admin } = await ownSandbox();
    await expect(seed(seedOf(state, rows))).rejects.toThrow(`does not fit ${state}`);
    expect((await admin('GET /mass-payouts')).massPayouts).toEqual([]);
    expect(await balance(client)).toBe('1000000');
  });

  it('needs the funds', async () => {
    const { seed } = await ownSandbox({ balances: { USDT_TRC20: '15' } });
    await expect(seed(seedOf('COMPLETED', ROWS.COMPLETED))).rejects.toThrow('INSUFFICIENT_FUNDS');
  });
});
