import { describe, expect, it } from '@jest/globals';
import { addFee } from '../../../src/domain/report/stated-fee.ts';
import type { Outcome } from '../../../src/domain/settling/outcome.ts';

describe('the fee that a mass payout states', () => {
  it.each<{ outcomes: Outcome[]; fee: string | undefined; includesUnpaid?: boolean }>([
    { outcomes: ['PAID'], fee: '2.6', includesUnpaid: false },
    { outcomes: ['IN_FLIGHT'], fee: '2.6', includesUnpaid: false },
    { outcomes: ['UNKNOWN'], fee: '2.6', includesUnpaid: false },
    { outcomes: ['PAID', 'FAILED'], fee: '2.6', includesUnpaid: true },
    { outcomes: ['UNKNOWN', 'NOT_SENT'], fee: '2.6', includesUnpaid: true },
    { outcomes: ['NOT_SENT'], fee: undefined },
    { outcomes: ['FAILED', 'NOT_SENT'], fee: undefined },
  ])('of rows that are $outcomes counts as $fee', ({ outcomes, fee, includesUnpaid }) => {
    expect(addFee(undefined, { fee: '2.6', outcomes })).toEqual(
      fee === undefined ? undefined : { fee, includesUnpaid },
    );
  });

  it('is added exactly, and stays marked once rows behind it were not paid', () => {
    const one = addFee(undefined, { fee: '0.1', outcomes: ['PAID', 'FAILED'] });
    const two = addFee(one, { fee: '0.2', outcomes: ['PAID'] });
    expect(two).toEqual({ fee: '0.3', includesUnpaid: true });
    expect(addFee(two, { fee: '9', outcomes: ['FAILED'] })).toEqual(two);
  });
});
