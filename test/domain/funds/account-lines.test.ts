import { expect, it } from '@jest/globals';
import { accountLines } from '../../../src/domain/funds/account-lines.ts';
import type { FundsClaim } from '../../../src/domain/funds/claim.ts';

const claim = (total: string, currency: string, grantedAtMs: number | null): FundsClaim => ({
  batchId: 'b',
  seq: 1,
  beforeScheduled: false,
  dueAtMs: null,
  askedAtMs: null,
  waitingSinceMs: null,
  grantedAtMs,
  fees: [{ currency, amount: '1' }],
  open: [{ chunk: 0, currency, total, sending: false }],
});

it.each`
  balance   | granted | waiting | free    | short
  ${'100'}  | ${'10'} | ${'20'} | ${'68'} | ${'0'}
  ${'32'}   | ${'10'} | ${'20'} | ${'0'}  | ${'0'}
  ${'31.5'} | ${'10'} | ${'20'} | ${'0'}  | ${'0.5'}
  ${'-5'}   | ${'10'} | ${'20'} | ${'0'}  | ${'37'}
`(
  '$balance, of which $granted pay and $waiting wait, with fees of 1 each: $free are free, $short short',
  (line) => {
    const { balance, granted, waiting, free, short } = line;
    const claims = [claim(granted ?? '', 'TRX', 1), claim(waiting ?? '', 'TRX', null)];
    expect(accountLines(new Map([['TRX', balance ?? '']]), claims)).toMatchObject([
      { currency: 'TRX', balance, reserved: '11', claimed: '21', free, short },
    ]);
  },
);

it('has a line for a balance, and for a currency that batches need without one', () => {
  const lines = accountLines(new Map([['TRX', '1']]), [claim('2', 'BTC', null)]);
  expect(lines.map(({ currency, balance, short }) => [currency, balance, short])).toEqual([
    ['BTC', '0', '3'],
    ['TRX', '1', '0'],
  ]);
});
