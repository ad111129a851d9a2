import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type Decimal, formatDecimal, sum } from '../src/core/decimal.ts';
import { feeOf, totalFeeOf } from '../src/core/tariff.ts';
import { good } from './support/admin.ts';
import { type Client, json } from './support/client.ts';
import { balance, create, lookUp, row, withdrawals } from './support/payouts.ts';
import { startSandbox, steps } from './support/start.ts';

const change = (client: Client, currency: string, tariff: object | null) =>
  client.admin('POST', '/sandbox/tariffs', { currency, tariff });

async function quotedFee(client: Client, currency: string, feeType = 'SERVICE'): Promise<number> {
  const items = `[${json({
    baseAmount: '100',
    currency: JSON.stringify(currency),
    opType: '"WITHDRAWAL"',
    feeType: JSON.stringify(feeType),
  })}]`;
  const reply = await client.call('FEE_CALCULATION', {
    account: undefined,
    payload: json({ items }),
  });
  return good<{ items: { feeSender: { fee: number } }[] }>(reply).items[0]?.feeSender.fee ?? -1;
}

describe('the tariff of a currency', () => {
  it('is set while the sandbox runs, for creates and quotes, and survives a restart', async () => {
    const before = await startSandbox();
    await change(before.client, 'BTC', { percent: '0.5', fix: '0.25' });
    await before.close();
    const { client } = await startSandbox(before);
    expect(await quotedFee(client, 'BTC')).toBe(0.75);
    expect(await quotedFee(client, 'ETH')).toBe(1);
    await create(client, [row('100'), row('100')], { currency: '"BTC"' });
    expect(await balance(client, 'BTC')).toBe('999798.5');
  });

  it('is given back to the settings by null', async () => {
    const { client } = await startSandbox();
    expect(good(await change(client, 'BTC', { percent: '7' }))).toEqual({
      tariffs: [{ currency: 'BTC', percent: '7', fix: '0', min: '0' }],
    });
    expect(good(await change(client, 'BTC', null))).toEqual({ tariffs: [] });
    expect(await quotedFee(client, 'BTC')).toBe(1);
  });

  it('does not change mass payouts that are there', async () => {
    const { client, clock } = await startSandbox();
    const { id } = await create(client, [row('100')]);
    await change(client, 'USDT_TRC20', { percent: '50' });
    steps(clock, 3);
    expect(JSON.parse((await lookUp(client, `${id}-1`)).text)).toMatchObject({ fee: 1 });
    expect((await withdrawals(client)).map(({ fee }) => fee)).toEqual(['1']);
  });

  it.each([{ percent: 1 }, { percent: '-1' }, { percent: 'x' }, { other: '1' }, undefined, 'free'])(
    'cannot be %j',
    async (tariff) => {
      const { client } = await startSandbox();
      const body = { currency: 'BTC', tariff };
      expect((await client.admin('POST', '/sandbox/tariffs', body)).status).toBe(400);
      expect(good(await client.get('/sandbox/tariffs'))).toEqual({ tariffs: [] });
    },
  );
});

describe('a least fee', () => {
  const settings = { FEE_PERCENT: '1', FEE_MIN: '0.5' };

  it('is taken for each withdrawal whose fee would be less', async () => {
    const { client } = await startSandbox({ settings });
    const { id } = await create(client, [row('1'), row('100'), row('2')]);
    expect((await withdrawals(client)).map(({ fee }) => fee)).toEqual(['0.5', '1', '0.5']);
    expect(await balance(client)).toBe('999895');
    expect(JSON.parse((await lookUp(client, id)).text)).toMatchObject({ totalFee: 2 });
  });

  it('is quoted as the whole fee and not as a part of it', async () => {
    const { client } = await startSandbox({ settings: { ...settings, FEE_MIN: '3' } });
    expect(await quotedFee(client, 'BTC', 'SERVICE')).toBe(3);
    expect(await quotedFee(client, 'BTC', 'PERCENT')).toBe(1);
    expect(await quotedFee(client, 'BTC', 'FIX')).toBe(0);
  });
});

it('the fees of many withdrawals are the sum of the fees of each', () => {
  const decimal: fc.Arbitrary<Decimal> = fc.record({
    units: fc.bigInt({ min: 0n, max: 10n ** 20n }),
    scale: fc.nat({ max: 18 }),
  });
  const tariff = fc.record({ percent: decimal, fix: decimal, min: decimal });
  fc.assert(
    fc.property(tariff, fc.array(decimal, { maxLength: 20 }), (each, amounts) => {
      const one = totalFeeOf(each, amounts);
      const other = sum(amounts.map((amount) => feeOf(each, amount).total));
      expect(formatDecimal(one)).toBe(formatDecimal(other));
    }),
  );
});
