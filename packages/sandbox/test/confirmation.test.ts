import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { act, good, massPayoutLines, needConfirmations } from './support/admin.ts';
import { errorCodeOf } from './support/client.ts';
import { START_MS } from './support/manual-clock.ts';
import { balance, create, ledger, lookUp, read, row, withdrawals } from './support/payouts.ts';
import { startSandbox, steps } from './support/start.ts';

const settings = { CONFIRMATION: 'on' };
const dateIn = (ms: number): string => JSON.stringify(new Date(START_MS + ms).toISOString());

describe('with confirmation on', () => {
  it('a mass payout waits until a person confirms it, however long that takes', async () => {
    const { client, clock } = await startSandbox({ settings });
    const { id, state } = await create(client, [row('1')]);
    expect(state).toBe('CREATION_IN_PROGRESS');
    steps(clock, 1_000);
    expect((await read(client, id)).state).toBe('PENDING_CONFIRMATION');
    expect(good(await act(client, 'confirm', { id }))).toMatchObject({ id, state: 'CONFIRMED' });
    steps(clock, 1);
    expect((await read(client, id)).state).toBe('IN_PROGRESS');
    steps(clock, 1);
    expect((await read(client, id)).state).toBe('COMPLETED');
  });

  it('a declined mass payout is CANCELED and credited back, amount and fee', async () => {
    const { client, clock } = await startSandbox({ settings });
    const { id } = await create(client, [row('1'), row('2')]);
    steps(clock, 1);
    expect(await balance(client)).toBe('999996.97');
    expect(good(await act(client, 'decline', { id }))).toMatchObject({ state: 'CANCELED' });
    expect(await balance(client)).toBe('1000000');
    expect((await ledger(client)).entries.slice(2)).toMatchObject([
      { kind: 'PAYOUT_RETURN', amount: '3', withdrawalId: null },
      { kind: 'FEE_RETURN', amount: '0.03', withdrawalId: null },
    ]);
    steps(clock, 100);
    expect((await withdrawals(client)).map(({ state }) => state)).toEqual(['CANCELED', 'CANCELED']);
  });

  it('the withdrawals of a declined one name the person who canceled them, and the reason', async () => {
    const { client, clock } = await startSandbox({ settings });
    const { id } = await create(client, [row('1')]);
    steps(clock, 1);
    const cancellation = async (): Promise<unknown> =>
      (JSON.parse((await lookUp(client, `${id}-1`)).text) as Record<string, unknown>)[
        'cancellation'
      ];
    expect(await cancellation()).toBeUndefined();
    await act(client, 'decline', { id });
    const { text } = await client.call('USER');
    const { userFullInfo } = JSON.parse(text) as { userFullInfo: { id: string } };
    expect(await cancellation()).toEqual({
      canceledByUserId: userFullInfo.id,
      canceledByFirstname: 'Sandbox',
      canceledByLastname: 'Owner',
      cancelMessage: 'Declined by a person.',
    });
    expect(await read(client, id)).not.toHaveProperty('cancellation');
  });

  it('a confirmed one is not sent before its execution date', async () => {
    const { client, clock } = await startSandbox({ settings });
    const { id } = await create(client, [row('1')], { executionDate: dateIn(3_600_000) });
    steps(clock, 1);
    await act(client, 'confirm', { id });
    clock.advance(3_600_000 - 1_001);
    expect((await read(client, id)).state).toBe('CONFIRMED');
    clock.advance(1);
    expect((await read(client, id)).state).toBe('IN_PROGRESS');
  });

  it('an unconfirmed one stays pending when its execution date has come', async () => {
    const { client, clock } = await startSandbox({ settings });
    const { id } = await create(client, [row('1')], { executionDate: dateIn(3_600_000) });
    clock.advance(7_200_000);
    expect((await read(client, id)).state).toBe('PENDING_CONFIRMATION');
    await act(client, 'confirm', { id });
    steps(clock, 2);
    expect((await read(client, id)).state).toBe('COMPLETED');
  });

  it('an execution date as far away as dates go does no harm', async () => {
    const { client, clock } = await startSandbox();
    const { id } = await create(client, [row('1')], { executionDate: '"9999-12-31T23:59:59Z"' });
    steps(clock, 1_000);
    expect((await read(client, id)).state).toBe('CONFIRMED');
  });

  it('it waits on after a restart', async () => {
    const before = await startSandbox({ settings });
    const { id } = await create(before.client, [row('1')]);
    steps(before.clock, 1);
    await before.close();
    const { client, clock } = await startSandbox({ ...before, settings });
    steps(clock, 10);
    expect((await read(client, id)).state).toBe('PENDING_CONFIRMATION');
    await act(client, 'confirm', { id });
    steps(clock, 2);
    expect((await read(client, id)).state).toBe('COMPLETED');
  });
});

describe('the number of people who must confirm', () => {
  it('is set for an account while the sandbox runs, and survives a restart', async () => {
    const before = await startSandbox();
    expect(good(await needConfirmations(before.client, 2))).toMatchObject({ confirmations: 2 });
    await before.close();
    const { client, clock } = await startSandbox(before);
    const { id } = await create(client, [row('1')]);
    steps(clock, 1);
    expect(good(await act(client, 'confirm', { id }))).toMatchObject({
      state: 'PENDING_CONFIRMATION',
      confirmations: 1,
    });
    expect(good(await act(client, 'confirm', { id }))).toMatchObject({
      state: 'CONFIRMED',
      confirmations: 2,
    });
  });

  it('is given back to the settings by null', async () => {
    const { client, clock } = await startSandbox();
    await needConfirmations(client, 1);
    expect(good(await needConfirmations(client, null))).toMatchObject({ confirmations: 0 });
    const { id } = await create(client, [row('1')]);
    steps(clock, 1);
    expect((await read(client, id)).state).toBe('CONFIRMED');
  });

  it('does not free those that wait already, which one person then confirms', async () => {
    const { client, clock } = await startSandbox({ settings });
    const { id } = await create(client, [row('1')]);
    steps(clock, 1);
    await needConfirmations(client, 0);
    steps(clock, 10);
    expect((await read(client, id)).state).toBe('PENDING_CONFIRMATION');
    expect(good(await act(client, 'confirm', { id }))).toMatchObject({ state: 'CONFIRMED' });
  });

  it.each([[-1], [11], [0.5], ['1'], [undefined]])('cannot be %p', async (confirmations) => {
    const { client } = await startSandbox();
    const reply = await client.admin('POST', '/sandbox/accounts', { confirmations });
    expect([reply.status, errorCodeOf(reply)]).toEqual([400, 'FIELD_INVALID']);
  });
});

describe('an act that the state does not allow is refused and changes nothing', () => {
  const acts = ['confirm', 'decline', 'end-waiting', 'resend'];

  it.each(acts)('%s in CREATION_IN_PROGRESS and in COMPLETED', async (kind) => {
    const { client, clock } = await startSandbox();
    const { id } = await create(client, [row('1')]);
    for (const wait of [0, 3]) {
      steps(clock, wait);
      const [before] = await massPayoutLines(client);
      const reply = await act(client, kind, { id });
      expect([reply.status, errorCodeOf(reply)]).toEqual([409, 'STATE_CONFLICT']);
      expect(await massPayoutLines(client)).toEqual([before]);
    }
    expect((await ledger(client)).entries).toHaveLength(2);
  });

  it.each(acts)('%s of nothing', async (kind) => {
    const { client } = await startSandbox();
    const reply = await act(client, kind, { id: randomUUID() });
    expect([reply.status, errorCodeOf(reply)]).toEqual([404, 'NOT_FOUND']);
  });

  it.each(acts)('%s twice', async (kind) => {
    const { client, clock } = await startSandbox({ settings });
    const { id } = await create(client, [row('1')]);
    steps(clock, 1);
    await act(client, 'decline', { id });
    expect((await act(client, kind, { id })).status).toBe(409);
    expect(await balance(client)).toBe('1000000');
  });
});
