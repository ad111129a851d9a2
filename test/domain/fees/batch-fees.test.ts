import { expect, it } from '@jest/globals';
import { withFees } from '../../../src/domain/fees/batch-fees.ts';

const quotes = (fee: string) => [{ currency: 'TRX', fee, count: 1 }] as never;
const at = (fee: string, atMs: number) => ({ quotes: quotes(fee), atMs });

it('the first quotes of the fees stay', () => {
  expect(withFees(null, { quotes: quotes('1') })).toEqual({ quotes: quotes('1') });
});

it('accepted quotes stay when a writer without them writes later', () => {
  const known = { quotes: quotes('1'), newest: at('2', 20), accepted: at('2', 30) };
  const late = { quotes: quotes('1'), newest: at('1', 10) };
  expect(withFees(known, late)).toEqual(known);
});

it('newer quotes replace older ones, and those with the plan stay', () => {
  const known = { quotes: quotes('1'), newest: at('2', 20) };
  const more = { quotes: quotes('9'), newest: at('3', 40), accepted: at('3', 41) };
  expect(withFees(known, more)).toEqual({ ...more, quotes: quotes('1') });
});

it('the first quotes count as those of the plan when the plan had none', () => {
  expect(withFees({ quotes: null }, { quotes: quotes('1') })).toEqual({ quotes: quotes('1') });
});
