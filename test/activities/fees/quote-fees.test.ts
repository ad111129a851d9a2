import { describe, expect, it } from '@jest/globals';
import { quoteFees } from '../../../src/activities/fees/quote-fees.ts';
import type { CurrencySummary } from '../../../src/domain/rows/staging.ts';
import { summaryOf } from '../../support/store-fixtures.ts';
import { answer, fakeService, refused } from '../../support/fake-service.ts';

const TRX: CurrencySummary = {
  currency: 'TRX',
  rows: 5,
  total: '8',
  amounts: [
    ['1', 2],
    ['2', 3],
  ],
};

const summary = summaryOf([], { currencies: [TRX] });

const quote = (amount: string, fee: string, currency = 'TRX') => ({
  amount,
  currency,
  opType: 'WITHDRAWAL',
  feeSender: { amount, fee },
  feeReceiver: { amount, fee: '0' },
});

const quoted = (...quotes: ReturnType<typeof quote>[]) =>
  fakeService({ calculateFees: () => Promise.resolve(answer(quotes)) });

describe('the fees of a batch', () => {
  it('are quoted once for each different amount, and counted for every row', async () => {
    expect(await quoteFees(quoted(quote('1', '0.1'), quote('2', '0.25')), summary)).toEqual([
      { currency: 'TRX', fee: '0.95', estimated: false },
    ]);
  });

  it('are matched to their amounts in any order', async () => {
    const service = quoted(quote('2.0', '0.25'), quote('1', '9', 'BTC'), quote('1.00', '0.1'));
    expect(await quoteFees(service, summary)).toMatchObject([{ fee: '0.95' }]);
  });

  it('are an estimate when there are too many different amounts', async () => {
    const many = summaryOf([], { currencies: [{ ...TRX, amounts: null }] });
    expect(await quoteFees(quoted(quote('8', '0.8')), many)).toEqual([
      { currency: 'TRX', fee: '0.8', estimated: true },
    ]);
  });

  it.each([
    ['the service has no such operation', fakeService({}, ['FEE_CALCULATION'])],
    [
      'its path leads nowhere',
      fakeService({ calculateFees: () => Promise.reject(refused(404, false)) }),
    ],
    ['it prices only some of the amounts', quoted(quote('1', '0.1'))],
  ])('are not available when %s', async (_why, service) => {
    expect(await quoteFees(service, summary)).toBeNull();
  });

  it.each([
    [401, 'SERVICE_REFUSED_KEY'],
    [503, 'SERVICE_UNREACHABLE'],
  ])('stop the batch when the answer is %d', async (status, code) => {
    const service = fakeService({ calculateFees: () => Promise.reject(refused(status)) });
    await expect(quoteFees(service, summary)).rejects.toMatchObject({ code });
  });
});
