import { describe, expect, it } from '@jest/globals';
import { type TestAddressCode, testAddress } from '../src/test-addresses.ts';
import { act, good } from './support/admin.ts';
import { errorCodeOf } from './support/client.ts';
import {
  balance,
  create,
  ledger,
  lookUp,
  type Row,
  read,
  row,
  withdrawals,
} from './support/payouts.ts';
import { startSandbox, steps } from './support/start.ts';

const TO_THE_END = 3;

const fated = (code: TestAddressCode, amount = '10', n = 1): Row =>
  row(amount, testAddress(code, n, 'TRON'));

async function startWith(rows: readonly Row[], settings: Record<string, string> = {}) {
  const { client, clock } = await startSandbox({ settings });
  const { id } = await create(client, rows);
  steps(clock, TO_THE_END);
  const states = async (): Promise<string[]> =>
    (await withdrawals(client)).map((each) => each.state);
  return { client, clock, id, states };
}

describe('a resend', () => {
  it('debits the failed withdrawals again and pays them, while the others stay paid', async () => {
    const { client, clock, id, states } = await startWith([row('5'), fated('0001'), fated('0002')]);
    expect(await balance(client)).toBe('999994.95');
    expect(good(await act(client, 'resend', { id }))).toMatchObject({ state: 'IN_PROGRESS' });
    expect(await balance(client)).toBe('999974.75');
    expect(await states()).toEqual(['COMPLETED', 'IN_PROGRESS', 'IN_PROGRESS']);
    expect((await read(client, id)).errors?.withdrawalErrors).toMatchObject([
      { errors: [{ status: 'FAILED', errorResolved: false }] },
      { errors: [{ status: 'FAILED', errorResolved: false }] },
    ]);
    steps(clock, 1);
    const { state, errors } = await read(client, id);
    expect(state).toBe('COMPLETED');
    expect(errors?.withdrawalErrors).toMatchObject([
      { withdrawalId: `${id}-2`, errors: [{ status: 'SUCCESS', errorResolved: true }] },
      { withdrawalId: `${id}-3`, errors: [{ status: 'SUCCESS', errorResolved: true }] },
    ]);
    expect(await states()).toEqual(['COMPLETED', 'COMPLETED', 'COMPLETED']);
    expect(await balance(client)).toBe('999974.75');
    steps(clock, 100);
    expect((await read(client, id)).state).toBe('COMPLETED');
  });

  it('sends those again that were chosen, and leaves the mass payout PARTIAL', async () => {
    const { client, clock, id, states } = await startWith([row('5'), fated('0001'), fated('0002')]);
    await act(client, 'resend', { id, positions: [3] });
    expect(await states()).toEqual(['COMPLETED', 'FAILED', 'IN_PROGRESS']);
    steps(clock, 1);
    expect((await read(client, id)).state).toBe('PARTIAL');
    expect(await states()).toEqual(['COMPLETED', 'FAILED', 'COMPLETED']);
    await act(client, 'resend', { id });
    steps(clock, 1);
    expect((await read(client, id)).state).toBe('COMPLETED');
  });

  it.each(['0009', '0005'] as const)(
    'brings a whole mass payout back that failed by %s',
    async (code) => {
      const { client, clock, id } = await startWith([row('1'), fated(code)]);
      expect((await read(client, id)).state).toBe('FAILED');
      await act(client, 'resend', { id, positions: [1] });
      steps(clock, 1);
      expect((await read(client, id)).state).toBe('PARTIAL');
      await act(client, 'resend', { id });
      steps(clock, 1);
      expect((await read(client, id)).state).toBe('COMPLETED');
      expect(await balance(client)).toBe('999988.89');
    },
  );

  it('without the funds is refused and changes nothing', async () => {
    const settings = { BALANCES: '{"USDT_TRC20":"20"}' };
    const { client, id } = await startWith([row('1'), fated('0001')], settings);
    await create(client, [row('18')]);
    const reply = await act(client, 'resend', { id });
    expect([reply.status, errorCodeOf(reply)]).toEqual([400, 'INSUFFICIENT_FUNDS']);
    expect((await read(client, id)).state).toBe('PARTIAL');
    expect(await balance(client)).toBe('0.81');
  });

  it.each([
    ['a withdrawal that was paid', [1]],
    ['one that is not there', [3]],
    ['one that failed and one that did not', [2, 1]],
  ])('of %s is refused', async (_name, positions) => {
    const { client, id } = await startWith([row('1'), fated('0001')]);
    const reply = await act(client, 'resend', { id, positions });
    expect([reply.status, errorCodeOf(reply)]).toEqual([400, 'FIELD_INVALID']);
    expect((await read(client, id)).state).toBe('PARTIAL');
  });

  it.each([[[]], [[0]], [['2']], [2], [null]])(
    'does not take %j as positions',
    async (positions) => {
      const { client, id } = await startWith([row('1'), fated('0001')]);
      expect((await act(client, 'resend', { id, positions })).status).toBe(400);
    },
  );

  it('of the same withdrawal twice in one list sends it once', async () => {
    const { client, clock, id } = await startWith([row('1'), fated('0001')]);
    good(await act(client, 'resend', { id, positions: [2, 2] }));
    steps(clock, 1);
    expect(await balance(client)).toBe('999988.89');
  });

  it('waits through a restart', async () => {
    const before = await startSandbox();
    const { id } = await create(before.client, [row('1'), fated('0001')]);
    steps(before.clock, TO_THE_END);
    await act(before.client, 'resend', { id });
    await before.close();
    const { client, clock } = await startSandbox(before);
    expect((await read(client, id)).state).toBe('IN_PROGRESS');
    steps(clock, 1);
    expect((await read(client, id)).state).toBe('COMPLETED');
    expect(JSON.parse((await lookUp(client, `${id}-2`)).text)).toMatchObject({
      transactionHash: expect.any(String),
    });
  });

  it('by a person and the resend of 0004 by itself go together', async () => {
    const { client, clock, id } = await startWith([fated('0004'), fated('0001')]);
    await act(client, 'resend', { id, positions: [2] });
    steps(clock, 1);
    expect((await read(client, id)).state).toBe('PARTIAL');
    steps(clock, 3);
    expect((await read(client, id)).state).toBe('COMPLETED');
    expect((await ledger(client)).entries).toHaveLength(2 + 4 + 4);
  });

  it('by a person forestalls the resend of 0004', async () => {
    const { client, clock, id } = await startWith([row('1'), fated('0004')]);
    await act(client, 'resend', { id });
    steps(clock, 100);
    expect((await read(client, id)).state).toBe('COMPLETED');
    expect(await balance(client)).toBe('999988.89');
  });
});

describe('WAITING_COMPLETION_ERRORS', () => {
  it('with 0007 ends only when a person ends it', async () => {
    const { client, clock, id, states } = await startWith([row('1'), fated('0007'), fated('0001')]);
    steps(clock, 1_000);
    expect((await read(client, id)).state).toBe('WAITING_COMPLETION_ERRORS');
    expect(await states()).toEqual(['IN_PROGRESS', 'WAITING_COMPLETION_ERRORS', 'IN_PROGRESS']);
    expect(good(await act(client, 'end-waiting', { id }))).toMatchObject({ state: 'PARTIAL' });
    expect(await states()).toEqual(['COMPLETED', 'COMPLETED', 'FAILED']);
  });

  it('with 0003 is ended earlier by a person, once', async () => {
    const { client, clock, id } = await startWith([row('1'), fated('0003')]);
    expect(good(await act(client, 'end-waiting', { id }))).toMatchObject({ state: 'COMPLETED' });
    steps(clock, 100);
    expect((await read(client, id)).state).toBe('COMPLETED');
    expect((await act(client, 'end-waiting', { id })).status).toBe(409);
  });
});

describe('other test addresses', () => {
  it('0005 fails the validation before the mass payout is IN_PROGRESS', async () => {
    const { client, clock } = await startSandbox();
    const { id } = await create(client, [row('1'), fated('0005')]);
    steps(clock, 1);
    expect((await read(client, id)).state).toBe('CONFIRMED');
    steps(clock, 1);
    const { state, errors } = await read(client, id);
    expect([state, errors?.withdrawalErrors.length]).toEqual(['FAILED', 2]);
    expect(errors?.withdrawalErrors[0]?.errors[0]?.errorMessage).toBe(
      'The address cannot receive this currency',
    );
    expect(await balance(client)).toBe('1000000');
  });

  it('0006 keeps the mass payout IN_PROGRESS for 3 steps more', async () => {
    const { client, clock } = await startSandbox();
    const { id } = await create(client, [row('1'), fated('0006')]);
    steps(clock, TO_THE_END + 2);
    expect((await read(client, id)).state).toBe('IN_PROGRESS');
    steps(clock, 1);
    expect((await read(client, id)).state).toBe('COMPLETED');
  });
});
