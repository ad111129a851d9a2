import { describe, expect, it } from '@jest/globals';
import { type TestAddressCode, testAddress } from '../src/test-addresses.ts';
import { balance, create, ledger, lookUp, type Row, read, row } from './support/payouts.ts';
import { STEP_MS, startSandbox, steps } from './support/start.ts';

const fated = (code: TestAddressCode, amount = '10', n = 1): Row =>
  row(amount, testAddress(code, n, 'TRON'));

const TO_THE_END = 3;
const TO_THE_RESEND = TO_THE_END + 3;

describe('a withdrawal to a test address', () => {
  it.each([
    ['0001', 'Destination rejected by compliance'],
    ['0002', 'Network fee too low'],
  ] as const)('%s fails: %s', async (code, errorMessage) => {
    const { client, clock } = await startSandbox();
    const { id } = await create(client, [row('5'), fated(code)]);
    steps(clock, TO_THE_END);
    const { state, errors } = await read(client, id);
    expect(state).toBe('PARTIAL');
    expect(errors).toEqual({
      withdrawalErrors: [
        {
          withdrawalId: `${id}-2`,
          errors: [
            { id: expect.any(Number), status: 'FAILED', errorResolved: false, errorMessage },
          ],
        },
      ],
    });
  });

  it('is paid as any other in a mass payout that is made while testAddresses is paid', async () => {
    const { client, clock } = await startSandbox();
    await client.admin('PUT', '/sandbox/modes', { testAddresses: 'paid' });
    const later = await create(client, [fated('0001'), fated('0005', '7')]);
    await client.admin('PUT', '/sandbox/modes', {});
    const { id } = await create(client, [row('5'), fated('0001')]);
    steps(clock, TO_THE_END);
    expect((await read(client, later.id)).state).toBe('COMPLETED');
    expect((await read(client, id)).state).toBe('PARTIAL');
  });

  it('has a record of the failure, while the others are paid', async () => {
    const { client, clock } = await startSandbox();
    const { id } = await create(client, [row('5'), fated('0001')]);
    steps(clock, TO_THE_END);
    const [paid, failed] = await Promise.all(
      ['-1', '-2'].map(async (suffix) => JSON.parse((await lookUp(client, id + suffix)).text)),
    );
    expect(paid).toMatchObject({ state: 'COMPLETED', transactionHash: expect.any(String) });
    expect(paid).not.toHaveProperty('errors');
    expect(failed).toMatchObject({
      state: 'FAILED',
      errors: { errors: [{ errorMessage: 'Destination rejected by compliance' }] },
    });
    expect(failed).not.toHaveProperty('transactionHash');
  });

  it('is credited back with its fee when it fails, and not before', async () => {
    const { client, clock } = await startSandbox();
    const { id } = await create(client, [row('5'), fated('0001', '10')]);
    steps(clock, TO_THE_END - 1);
    expect(await balance(client)).toBe('999984.85');
    steps(clock, 1);
    expect(await balance(client)).toBe('999994.95');
    const { entries } = await ledger(client);
    expect(entries.slice(2)).toMatchObject([
      { kind: 'PAYOUT_RETURN', amount: '10', withdrawalId: `${id}-2` },
      { kind: 'FEE_RETURN', amount: '0.1', withdrawalId: `${id}-2` },
    ]);
  });

  it.each(['EVM', 'TRON', 'BITCOIN'] as const)('fails on %s', async (network) => {
    const { client, clock } = await startSandbox();
    const { id } = await create(client, [row('5'), row('1', testAddress('0001', 9, network))]);
    steps(clock, TO_THE_END);
    expect((await read(client, id)).state).toBe('PARTIAL');
  });
});

describe('a mass payout of which everything fails', () => {
  it('is FAILED and credited back whole', async () => {
    const { client, clock } = await startSandbox();
    const { id } = await create(client, [fated('0001'), fated('0002')]);
    steps(clock, TO_THE_END);
    const { state, errors } = await read(client, id);
    expect(state).toBe('FAILED');
    expect(errors?.withdrawalErrors).toHaveLength(2);
    expect(await balance(client)).toBe('1000000');
  });

  it('is caused by one address with the code 0009', async () => {
    const { client, clock } = await startSandbox();
    const { id } = await create(client, [row('1'), fated('0009'), fated('0003'), fated('0004')]);
    steps(clock, TO_THE_END + 3);
    const { state, errors } = await read(client, id);
    expect(state).toBe('FAILED');
    expect(errors?.withdrawalErrors.map(({ withdrawalId }) => withdrawalId)).toEqual(
      ['-1', '-2', '-3', '-4'].map((suffix) => id + suffix),
    );
    expect(await balance(client)).toBe('1000000');
    steps(clock, 100);
    expect((await read(client, id)).state).toBe('FAILED');
  });
});

describe('the code 0003', () => {
  it('holds the mass payout in WAITING_COMPLETION_ERRORS, then it completes', async () => {
    const { client, clock } = await startSandbox();
    const { id } = await create(client, [row('1'), fated('0003')]);
    steps(clock, TO_THE_END);
    expect((await read(client, id)).state).toBe('WAITING_COMPLETION_ERRORS');
    expect(JSON.parse((await lookUp(client, `${id}-1`)).text)).toMatchObject({
      state: 'IN_PROGRESS',
    });
    expect(JSON.parse((await lookUp(client, `${id}-2`)).text)).toMatchObject({
      state: 'WAITING_COMPLETION_ERRORS',
    });
    clock.advance(3 * STEP_MS - 1);
    expect((await read(client, id)).state).toBe('WAITING_COMPLETION_ERRORS');
    clock.advance(1);
    const { state, errors } = await read(client, id);
    expect([state, errors]).toEqual(['COMPLETED', undefined]);
  });

  it('does not keep other withdrawals from failing', async () => {
    const { client, clock } = await startSandbox();
    const { id } = await create(client, [fated('0003'), fated('0001')]);
    steps(clock, TO_THE_END + 3);
    expect((await read(client, id)).state).toBe('PARTIAL');
  });
});

describe('the code 0004', () => {
  it('fails first and is resent later, as a person does it in the interface', async () => {
    const { client, clock } = await startSandbox();
    const { id } = await create(client, [row('5'), fated('0004')]);
    steps(clock, TO_THE_END);
    const failed = await read(client, id);
    expect(failed.state).toBe('PARTIAL');
    expect(await balance(client)).toBe('999994.95');
    steps(clock, 3);
    const resent = await read(client, id);
    expect(resent.state).toBe('COMPLETED');
    expect(resent.errors?.withdrawalErrors).toMatchObject([
      { withdrawalId: `${id}-2`, errors: [{ status: 'SUCCESS', errorResolved: true }] },
    ]);
    expect(JSON.parse((await lookUp(client, `${id}-2`)).text)).toMatchObject({
      state: 'COMPLETED',
      transactionHash: expect.any(String),
    });
    expect(await balance(client)).toBe('999984.85');
  });

  it('leaves the mass payout PARTIAL when another withdrawal stays failed', async () => {
    const { client, clock } = await startSandbox();
    const { id } = await create(client, [row('1'), fated('0004'), fated('0001')]);
    steps(clock, TO_THE_RESEND);
    const { state, errors } = await read(client, id);
    expect(state).toBe('PARTIAL');
    expect(errors?.withdrawalErrors.map(({ errors: [error] }) => error?.errorResolved)).toEqual([
      true,
      false,
    ]);
  });

  it('turns FAILED into COMPLETED when it was the only withdrawal', async () => {
    const { client, clock } = await startSandbox();
    const { id } = await create(client, [fated('0004')]);
    steps(clock, TO_THE_END);
    expect((await read(client, id)).state).toBe('FAILED');
    steps(clock, 3);
    expect((await read(client, id)).state).toBe('COMPLETED');
  });

  it('stays failed when the money is gone, and the balance never becomes negative', async () => {
    const { client, clock } = await startSandbox({ settings: { BALANCES: '{"USDT_TRC20":"20"}' } });
    const { id } = await create(client, [row('1'), fated('0004', '10')]);
    steps(clock, TO_THE_END);
    await create(client, [row('18')]);
    steps(clock, 100);
    expect((await read(client, id)).state).toBe('PARTIAL');
    expect(await balance(client)).toBe('0.81');
  });
});
