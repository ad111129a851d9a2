import { describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { BALANCES, fakeService } from './support/fake-service.ts';
import { fakeWorld } from './support/fake-world.ts';
import { address, csv, withFiles } from './support/files.ts';

const FILES = {
  'usdt.csv': csv(`${address(1)},10,USDT`, `${address(2)},20,USDT_TRC20`),
  'zzz.csv': csv(`${address(1)},10,ZZZ`),
};
const API = {
  BURSAR_API_BASE_URL: 'https://service.test',
  BURSAR_API_KEY: 'key',
  BURSAR_API_SECRET: 'secret',
};
const MEANT = 'Did you mean USDT_TRC20 or USDT_ERC20 or USDT_BEP20?';
const READY = '--accept UNKNOWN_NETWORK';

/** A service that lists a balance of USDT_TRC20, and of these currencies. */
const worldWith = (...currencies: string[]) => {
  const more = currencies.map((currency) => ({ currency, amount: '500' }));
  const value = { ...BALANCES, balances: [...BALANCES.balances, ...more] };
  const readBalance = async () => ({ value, httpStatus: 200, timestampMs: 1, bodySha256: 'b' });
  return fakeWorld({
    cwd: withFiles(temporaryFolder(), FILES),
    env: API,
    service: fakeService({ readBalance }),
  });
};

const SUBMIT = ['submit', 'usdt.csv', ...READY.split(' '), '--detach'];
const CONFIRM = ['--confirm', '10:USDT,20:USDT_TRC20'];

describe('bursar plan of a currency without a network', () => {
  it('refuses it where the service does not list it, and names what may be meant', async () => {
    const { json, run } = worldWith();
    const { code, value } = await json('plan', 'usdt.csv', '--online', ...READY.split(' '));
    expect(code).toBe(13);
    expect(value['problems']).toMatchObject([
      { code: 'CURRENCY_NOT_LISTED', fix: expect.stringContaining(MEANT) },
    ]);
    expect(value['findings']).toContainEqual(
      expect.objectContaining({
        code: 'UNKNOWN_NETWORK',
        severity: 'block',
        fix: expect.stringContaining(MEANT),
      }),
    );
    expect((await run('plan', 'usdt.csv', '--online')).out).not.toContain(READY);
  });

  it('can be accepted where the service lists exactly this code', async () => {
    const { json, run } = worldWith('USDT');
    expect((await run('plan', 'usdt.csv', '--online')).out).toContain(READY);
    const { code } = await json('plan', 'usdt.csv', '--online', ...READY.split(' '));
    expect(code).toBe(0);
  });

  it('can be accepted where the service is not asked, but no line to copy is printed', async () => {
    const { json, run } = worldWith();
    const { out } = await run('plan', 'usdt.csv');
    expect(out).toContain('UNKNOWN_NETWORK (must be accepted)');
    expect(out).not.toContain(READY);
    expect((await json('plan', 'usdt.csv', ...READY.split(' '))).code).toBe(0);
  });

  it('suggests nothing for a ticker that is not known at all', async () => {
    const { value } = await worldWith().json('plan', 'zzz.csv', '--online');
    expect(value['problems']).toMatchObject([
      { code: 'CURRENCY_NOT_LISTED', fix: expect.stringMatching(/^Correct the currency/) },
    ]);
  });
});

describe('bursar submit of a currency without a network', () => {
  it('refuses it where the service does not list it, although it is accepted', async () => {
    const { json, engine } = worldWith();
    const { code, value } = await json(...SUBMIT, ...CONFIRM);
    expect([code, value['code']]).toEqual([13, 'CURRENCY_NOT_LISTED']);
    expect(engine.started).toEqual([]);
  });

  it.each([
    ['the service lists exactly this code', ['USDT'], []],
    ['the service is not asked', [], ['--no-preflight']],
  ])('starts it where %s and it is accepted', async (_where, currencies, flags) => {
    const { run, engine } = worldWith(...currencies);
    expect((await run(...SUBMIT, ...CONFIRM, ...flags)).code).toBe(8);
    expect(engine.started).toHaveLength(1);
  });
});
