import { describe, expect, it } from '@jest/globals';
import { groupOf } from '../src/core/event-samples.ts';
import { coveredTypes, hasSameTerms } from '../src/core/subscriptions.ts';
import {
  EVENT_TYPES_OF_GROUP,
  EVENT_GROUPS,
  EVENT_TYPES,
  type EventGroup,
} from '@bursar/merchant-api/spec';

describe('event types and groups', () => {
  it('are as many as the spec has: 71 types in 18 groups', () => {
    expect(EVENT_TYPES).toHaveLength(71);
    expect(EVENT_GROUPS).toHaveLength(18);
  });

  it('every type is in exactly one group', () => {
    const grouped = EVENT_GROUPS.flatMap((group) => EVENT_TYPES_OF_GROUP[group]);
    expect(grouped.toSorted()).toEqual(EVENT_TYPES.toSorted());
    expect(new Set(grouped).size).toBe(grouped.length);
    for (const type of EVENT_TYPES) expect(EVENT_TYPES_OF_GROUP[groupOf(type)]).toContain(type);
  });

  it('a type is in the group with the longest name that its own begins with, but top-ups', () => {
    const byName = (type: string): string | undefined =>
      EVENT_GROUPS.filter((group) => type.startsWith(`${group}_`)).toSorted(
        (one, other) => other.length - one.length,
      )[0];
    const exceptions = EVENT_TYPES.filter((type) => byName(type) !== groupOf(type));
    expect(exceptions.map((type) => [type, groupOf(type)])).toEqual([
      ['TOP_UP_PENDING_COMPLIANCE', 'WALLET'],
      ['TOP_UP_COMPLIANCE_DECLINED', 'WALLET'],
      ['SETTLEMENT_TOP_UP_COMPLETED', 'SETTLEMENT_WALLET'],
    ]);
  });

  it.each<[EventGroup, number]>([
    ['PAYOUT', 7],
    ['SETTLEMENT_PAYOUT', 7],
    ['SETTLEMENT_ADAPTER', 4],
    ['INVOICE', 13],
    ['CUSTOMER_PURSE', 6],
    ['FIAT_APPLIER', 7],
    ['C2C_LIQUIDITY', 3],
    ['CRYPTO_TO_CRYPTO', 2],
    ['LIQUIDITY', 1],
    ['SYSTEM', 4],
    ['CRYPTO_TO_FIAT', 0],
    ['RECURRENT', 0],
  ])('%s has %d types', (group, count) => {
    expect(EVENT_TYPES_OF_GROUP[group]).toHaveLength(count);
  });
});

describe('the events of a subscription', () => {
  it('is every type of its groups and its own types, each once', () => {
    const types = ['PAYOUT_CHANGE_STATUS', 'INVOICE_PAID', 'PAYOUT_CHANGE_STATUS'] as const;
    const covered = coveredTypes({ types, groups: ['PAYOUT', 'RECURRENT', 'PAYOUT'] });
    expect(covered).toEqual([...EVENT_TYPES_OF_GROUP.PAYOUT, 'INVOICE_PAID']);
  });

  it('is everything for all groups, and nothing for none', () => {
    expect(coveredTypes({ types: [], groups: EVENT_GROUPS })).toEqual(EVENT_TYPES);
    expect(coveredTypes({ types: [], groups: [] })).toEqual([]);
  });

  it('is the same in any order, and something else with another url, type or group', () => {
    const types = ['INVOICE_PAID', 'PAYOUT_CONFIRMED'] as const;
    const one = { url: 'http://a', types, groups: ['PAYOUT'] as const };
    expect(hasSameTerms(one, { ...one, types: types.toReversed() })).toBe(true);
    expect(hasSameTerms(one, { ...one, url: 'http://b' })).toBe(false);
    expect(hasSameTerms(one, { ...one, types: ['INVOICE_PAID'] })).toBe(false);
    expect(hasSameTerms(one, { ...one, groups: [] })).toBe(false);
  });
});
