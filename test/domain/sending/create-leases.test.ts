import { expect, it } from '@jest/globals';
import { freeLeases, leaseMsOf } from '../../../src/domain/sending/create-leases.ts';

it.each([
  ['all that are wanted are free', { wanted: 3, limit: 10, held: 2 }, 3],
  ['fewer are free', { wanted: 3, limit: 10, held: 8 }, 2],
  ['none is free', { wanted: 3, limit: 10, held: 10 }, 0],
  ['the limit was lowered', { wanted: 3, limit: 10, held: 16 }, 0],
])('leases are given out up to the limit: %s', (_case, demand, given) => {
  expect(freeLeases(demand)).toBe(given);
});

it('a lease lasts until the create has left and has its answer', () => {
  expect(leaseMsOf({ sendBudgetMs: 10_000, requestTimeoutMs: 30_000 })).toBe(40_000);
});
