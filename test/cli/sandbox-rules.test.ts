import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ACCOUNT } from '../../packages/sandbox/test/support/client.ts';
import { create, row } from '../../packages/sandbox/test/support/payouts.ts';
import { startSandbox, steps } from '../../packages/sandbox/test/support/start.ts';
import { until } from '../../packages/sandbox/test/support/until.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { fakeWorld } from './support/fake-world.ts';
import { sandboxWorld } from './support/sandbox-world.ts';

describe('bursar sandbox accounts', () => {
  it('sets how many people must confirm, and gives it back to the settings', async () => {
    const { json, run, client, clock } = await sandboxWorld();
    expect((await json('accounts', 'set', '2')).value).toMatchObject({
      schema: 'bursar.sandbox-account/v1',
      account: ACCOUNT,
      confirmations: 2,
    });
    const { id } = await create(client, [row('1')]);
    steps(clock, 1);
    expect((await run('confirm', id)).out).toContain('PENDING_CONFIRMATION');
    expect((await run('confirm', id)).out).toContain('CONFIRMED');
    expect((await run('accounts', 'set', 'reset', '--account', ACCOUNT)).out).toBe(
      `${ACCOUNT}: no person has to confirm a mass payout.\n`,
    );
    expect((await json('accounts')).value).toMatchObject({
      schema: 'bursar.sandbox-accounts/v1',
      accounts: [{ account: ACCOUNT, confirmations: 0 }],
    });
  });

  it.each(['-1', '1.5', 'many', '99999'])('refuses %s people', async (people) => {
    const { json } = await sandboxWorld();
    expect((await json('accounts', 'set', people)).code).toBe(2);
    expect((await json('accounts')).value).toMatchObject({ accounts: [{ confirmations: 0 }] });
  });
});

describe('bursar sandbox tariffs', () => {
  it('sets the price of a currency, and resets it to the settings', async () => {
    const { json, run, client } = await sandboxWorld();
    await run('tariffs', 'set', 'USDT_TRC20', '--percent', '0.5', '--fix', '0.1');
    expect((await json('tariffs')).value).toMatchObject({
      schema: 'bursar.sandbox-tariffs/v1',
      tariffs: [{ currency: 'USDT_TRC20', percent: '0.5', fix: '0.1', min: '0' }],
    });
    await create(client, [row('10')]);
    expect((await run('payouts')).out).toMatch(/ 10 +0\.15 {2}USDT_TRC20/);
    const { out, err } = await run('tariffs', 'reset', 'USDT_TRC20');
    expect([out, err]).toEqual(['', 'There are no tariffs.\n']);
  });

  it.each([
    ['set', 'BTC'],
    ['set', 'BTC', '--percent', '1e3'],
    ['set', 'BTC', '--min', '-1'],
    ['set'],
    ['remove', 'BTC'],
  ])('refuses "tariffs %s %s %s"', async (...args) => {
    const { json } = await sandboxWorld();
    const { code, value } = await json('tariffs', ...args);
    expect([code, value['code']]).toEqual([2, 'FLAG_INVALID']);
    expect((await json('tariffs')).value['tariffs']).toEqual([]);
  });
});

describe('bursar sandbox movements', () => {
  it('lists the transactions of the network', async () => {
    const { json, run, client, clock } = await sandboxWorld();
    await run('top-up', '5', 'BTC');
    const { id } = await create(client, [row('1'), row('2')]);
    steps(clock, 3);
    expect((await json('movements')).value).toMatchObject({
      schema: 'bursar.sandbox-movements/v1',
      movements: [
        { opCode: 'SETTLEMENT_TOP_UP', amount: '5', currency: 'BTC', massPayoutId: null },
        { opCode: 'SETTLEMENT_MASS_WITHDRAWAL', transactions: 2, amount: '3', massPayoutId: id },
      ],
    });
    expect((await run('movements', '--tail', '1')).out).toMatch(
      /^ +N {2}CODE .*\n +2 {2}\S+ +2 +3 /,
    );
  });
});

describe('a subcommand that is none', () => {
  it.each(['accounts', 'tariffs', 'webhooks', 'deliveries', 'faults', 'modes', 'fates'])(
    'of "%s" is reported',
    async (group) => {
      const { json } = fakeWorld({ cwd: temporaryFolder() });
      const { code, value } = await json('sandbox', group, 'dance');
      expect(code).toBe(2);
      expect(value['what']).toContain(`"${group}" has no command "dance"; known are `);
    },
  );
});

describe('bursar sandbox openapi', () => {
  it.each(['text', 'json', 'jsonl'])('prints the document itself with -o %s', async (format) => {
    const { run } = await sandboxWorld();
    const { code, out } = await run('openapi', '-o', format);
    expect([code, JSON.parse(out)]).toEqual([0, expect.objectContaining({ openapi: '3.1.0' })]);
  });
});

describe('bursar sandbox console', () => {
  it('prints its address, and opens it on demand', async () => {
    const started = await startSandbox();
    const bin = temporaryFolder();
    const noted = join(bin, 'opened');
    for (const name of ['xdg-open', 'open']) {
      writeFileSync(join(bin, name), `#!/bin/sh\nprintf %s "$1" > "${noted}"\n`);
      chmodSync(join(bin, name), 0o755);
    }
    const env = { PATH: `${bin}${delimiter}/bin` };
    const { json } = fakeWorld({ cwd: temporaryFolder(), env });
    const url = `${started.url}/sandbox/console`;
    const shown = { schema: 'bursar.sandbox-console/v1', url };
    const args = ['sandbox', 'console', '--url', started.url];
    expect(await json(...args)).toEqual({ code: 0, value: shown });
    expect(existsSync(noted)).toBe(false);
    expect(await json(...args, '--open')).toEqual({ code: 0, value: shown });
    await until(started, async () => existsSync(noted) && readFileSync(noted, 'utf8') === url);
  });

  it('reports that no program opens addresses', async () => {
    const { url } = await startSandbox();
    const env = { PATH: temporaryFolder() };
    const { run } = fakeWorld({ cwd: temporaryFolder(), env });
    const { code, out, err } = await run('sandbox', 'console', '--open', '--url', url);
    expect([code, out]).toEqual([2, `${url}/sandbox/console\n`]);
    expect(err).toContain('cannot be run (ENOENT); open the address yourself');
  });
});
