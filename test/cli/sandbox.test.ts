import { describe, expect, it } from '@jest/globals';
import { testAddress } from '../../packages/sandbox/src/test-addresses.ts';
import { ACCOUNT } from '../../packages/sandbox/test/support/client.ts';
import { create, row } from '../../packages/sandbox/test/support/payouts.ts';
import { steps } from '../../packages/sandbox/test/support/start.ts';
import { type SandboxWorld, sandboxWorld } from './support/sandbox-world.ts';

/** A mass payout with one withdrawal that is paid and one that fails. */
async function partial({ client, clock }: SandboxWorld): Promise<string> {
  const { id } = await create(client, [row('1.5'), row('2', testAddress('0001', 1))]);
  steps(clock, 3);
  return id;
}

describe('bursar sandbox status', () => {
  it('shows the addresses of the sandbox and its modes', async () => {
    const { run, json, url } = await sandboxWorld();
    const { code, out } = await run('status');
    expect(code).toBe(0);
    expect(out).toContain(`The sandbox at ${url} works.`);
    expect(out).toMatch(/MASS_CREATE +\/api\/v1\/payout\/mass\/create/);
    expect(out).toMatch(/idempotency +replay\n/);
    const { value } = await json('status');
    expect(value).toMatchObject({
      schema: 'bursar.sandbox-status/v1',
      url,
      status: 'ok',
      faults: 0,
      clock: { offsetMs: 0, override: null },
      modes: { idempotency: 'replay', withdrawalsMax: null },
      overrides: {},
    });
    expect(value['operations']).toHaveLength(17);
  });
});

describe('bursar sandbox payouts', () => {
  it('lists mass payouts, and one with its withdrawals', async () => {
    const world = await sandboxWorld();
    const id = await partial(world);
    const { value } = await world.json('payouts', '--state', 'partial', '--account', ACCOUNT);
    expect(value).toMatchObject({
      schema: 'bursar.sandbox-payouts/v1',
      massPayouts: [{ id, state: 'PARTIAL', totalAmount: '3.5', withdrawals: 2 }],
    });
    expect((await world.json('payouts', id)).value).toMatchObject({
      schema: 'bursar.sandbox-withdrawals/v1',
      massPayout: { id, state: 'PARTIAL' },
      withdrawals: [
        { position: 1, state: 'COMPLETED', amount: '1.5', errorMessage: null },
        { position: 2, state: 'FAILED', amount: '2', errorResolved: false },
      ],
    });
    const { out } = await world.run('payouts', id);
    expect(out).toContain(`Mass payout ${id}: PARTIAL`);
    expect(out).toMatch(/ 2 {2}FAILED .*compliance/);
  });

  it('shows the latest, or all', async () => {
    const world = await sandboxWorld();
    const ids: string[] = [];
    for (const amount of ['1', '2', '3']) ids.push((await create(world.client, [row(amount)])).id);
    const shown = async (...args: string[]) =>
      (await world.run('payouts', '-o', 'jsonl', ...args)).out
        .trimEnd()
        .split('\n')
        .map((line) => (JSON.parse(line) as { schema: string; id: string }).id);
    expect(await shown('--tail', '2')).toEqual(ids.slice(1));
    expect(await shown('--tail', 'all')).toEqual(ids);
  });

  it('reports that there are none', async () => {
    const { run } = await sandboxWorld();
    expect(await run('payouts')).toEqual({ code: 0, out: '', err: 'There are no mass payouts.\n' });
  });

  it('resends chosen withdrawals', async () => {
    const world = await sandboxWorld();
    const id = await partial(world);
    const { value } = await world.json('resend', id, '--positions', '2');
    expect(value).toMatchObject({ schema: 'bursar.sandbox-payout/v1', id, state: 'IN_PROGRESS' });
    steps(world.clock, 1);
    expect((await world.run('payouts', id)).out).toContain(': COMPLETED');
  });

  it.each<{ act: string; state: string }>`
    act          | state
    ${'confirm'} | ${'CONFIRMED'}
    ${'decline'} | ${'CANCELED'}
  `('does "$act", and the mass payout is $state', async ({ act, state }) => {
    const { run, client, clock } = await sandboxWorld({ settings: { CONFIRMATION: 'on' } });
    const { id } = await create(client, [row('1')]);
    steps(clock, 1);
    const { code, out } = await run(act, id);
    expect([code, out.split('\n')[0]]).toEqual([0, `Mass payout ${id}: ${state}`]);
  });

  it('ends the waiting of one that waits for a person', async () => {
    const { run, client, clock } = await sandboxWorld();
    const { id } = await create(client, [row('1', testAddress('0007', 1))]);
    steps(clock, 3);
    expect((await run('end-waiting', id)).out).toContain(`Mass payout ${id}: COMPLETED`);
  });

  it.each<{ args: (id: string) => string[]; code: number; error: string; says: string }>`
    args                                      | code | error                | says
    ${(id: string) => ['confirm', id]}        | ${2} | ${'SANDBOX_REFUSED'} | ${'STATE_CONFLICT: The state'}
    ${() => ['decline', 'x']}                 | ${5} | ${'SANDBOX_NOTHING'} | ${'NOT_FOUND: No such object.'}
    ${() => ['payouts', 'x']}                 | ${5} | ${'SANDBOX_NOTHING'} | ${'NOT_FOUND: No such object.'}
    ${() => ['resend', 'x', '--positions=a']} | ${2} | ${'FLAG_INVALID'}    | ${'--positions'}
    ${() => ['payouts', '--state', 'DONE']}   | ${2} | ${'FLAG_INVALID'}    | ${'--state'}
    ${() => ['payouts', '--tail', '0']}       | ${2} | ${'FLAG_INVALID'}    | ${'--tail'}
    ${() => ['payouts', 'x', '--state=DONE']} | ${2} | ${'FLAG_INVALID'}    | ${'--state'}
  `('ends with $code and $error where "$says"', async ({ args, code, error, says }) => {
    const world = await sandboxWorld();
    const ended = await world.json(...args(await partial(world)));
    expect([ended.code, ended.value['code']]).toEqual([code, error]);
    expect(ended.value['what']).toContain(says);
  });
});

describe('bursar sandbox top-up and ledger', () => {
  it('adds money, exactly, and the ledger ties out', async () => {
    const { json, run } = await sandboxWorld({ settings: { BALANCES: '{"BTC":"0.1"}' } });
    const { code, value } = await json('top-up', '0.20000000000000000001', 'BTC');
    expect([code, value]).toEqual([
      0,
      {
        schema: 'bursar.sandbox-top-up/v1',
        account: ACCOUNT,
        currency: 'BTC',
        balance: '0.30000000000000000001',
      },
    ]);
    expect((await run('ledger')).out).toMatch(
      /BTC +0\.1 +0\.20000000000000000001 +0\.30000000000000000001 {2}yes\n/,
    );
    expect((await json('ledger', '--entries', '--currency', 'BTC')).value).toMatchObject({
      schema: 'bursar.sandbox-entries/v1',
      entries: [{ kind: 'TOP_UP', amount: '0.20000000000000000001', massPayoutId: null }],
    });
    expect((await run('wallets')).out).toMatch(/BITCOIN .* 0\.30000000000000000001 BTC\n/);
  });

  it.each([
    ['top-up', '1e5', 'BTC'],
    ['top-up', '-1', 'BTC'],
    ['top-up', '0', 'BTC'],
    ['top-up', '1', 'BTC', '--opcode', 'GIFT'],
    ['top-up', '1', 'BTC', '--account', '0x1'],
    ['ledger', '--tail', '3'],
  ])('refuses "%s %s %s"', async (...args) => {
    const { json, run } = await sandboxWorld();
    const before = (await run('ledger')).out;
    expect((await json(...args)).code).toBe(2);
    expect((await run('ledger')).out).toBe(before);
  });
});

describe('bursar sandbox log', () => {
  it('lists the requests, filtered', async () => {
    const { json, client, run } = await sandboxWorld();
    const { id, idempotencyKey } = await create(client, [row('1')]);
    await client.call('ACCOUNT');
    const { value } = await json('log', '--operation', 'mass_create', '--status', '200');
    expect(value).toMatchObject({
      schema: 'bursar.sandbox-log/v1',
      requests: [{ operation: 'MASS_CREATE', objectId: id, idempotencyKey, fault: null }],
    });
    expect(value['requests']).toHaveLength(1);
    expect((await run('log')).out.trimEnd().split('\n')).toHaveLength(3);
    expect((await run('log', '--key', idempotencyKey)).out).toContain(id);
    expect((await run('log', '--since', '2100-01-01T00:00:00Z')).err).toContain('no requests');
  });

  it('goes on with the requests that come, until Ctrl-C', async () => {
    const { begin, client } = await sandboxWorld({
      onPause: () => new Promise((resolve) => void setImmediate(resolve)),
    });
    await client.call('ACCOUNT');
    const running = begin('log', '--follow', '-o', 'jsonl');
    await running.wrote('"n":1,');
    await client.call('OPCODES');
    await running.wrote('"n":2,');
    const { code, out } = await running.interrupt();
    expect(code).toBe(130);
    expect(
      out
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toMatchObject([
      { schema: 'bursar.sandbox-request/v1', operation: 'ACCOUNT' },
      { schema: 'bursar.sandbox-request/v1', operation: 'OPCODES' },
    ]);
  });

  it('refuses one JSON object without an end', async () => {
    const { json } = await sandboxWorld();
    expect((await json('log', '--follow')).code).toBe(2);
  });
});
