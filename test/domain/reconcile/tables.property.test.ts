import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createChains, NONE } from '../../../src/domain/reconcile/chains.ts';
import { createKeyTable, KEY_WORDS } from '../../../src/domain/reconcile/key-table.ts';
import { createNumberList } from '../../../src/domain/reconcile/number-list.ts';

/** Few different words, so that keys often share their place and differ in one word alone. */
const key = fc
  .array(fc.constantFrom(0, 1, -1, 1_024), { minLength: KEY_WORDS, maxLength: KEY_WORDS })
  .map((words) => Int32Array.from(words));

describe('a key table', () => {
  it('numbers keys as a Map would', () => {
    fc.assert(
      fc.property(fc.array(key, { maxLength: 200 }), key, (keys, other) => {
        const table = createKeyTable();
        const known = new Map<string, number>();
        for (const one of keys) {
          const name = one.join(' ');
          if (!known.has(name)) known.set(name, known.size);
          expect(table.add(one)).toBe(known.get(name));
        }
        expect(table.size()).toBe(known.size);
        expect(table.find(other)).toBe(known.get(other.join(' ')) ?? NONE);
      }),
    );
  });

  it('keeps every number as it grows', () => {
    const table = createKeyTable();
    const keyOf = (n: number) => Int32Array.of(Math.imul(n, 0x9e3779b1), n, 0, 0);
    for (let n = 0; n < 20_000; n += 1) expect(table.add(keyOf(n))).toBe(n);
    for (let n = 0; n < 20_000; n += 999) expect(table.find(keyOf(n))).toBe(n);
    expect(table.find(keyOf(20_000))).toBe(NONE);
  });
});

it('chains give the members of each group in the order in which they came', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(8), { maxLength: 60 }), (groups) => {
      const chains = createChains();
      for (const [member, group] of groups.entries()) expect(chains.add(group)).toBe(member);
      for (let group = 0; group < 10; group += 1) {
        const members = [...groups.keys()].filter((member) => groups[member] === group);
        expect(chains.membersOf(group)).toEqual(members);
        expect(chains.firstOf(group)).toBe(members[0] ?? NONE);
      }
    }),
  );
});

it('a number list holds the numbers that were added, and no others', () => {
  const list = createNumberList();
  for (let n = 0; n < 5_000; n += 1) list.push(n * 2);
  list.set(7, -1);
  expect([list.length(), list.at(7), list.at(4_999)]).toEqual([5_000, -1, 9_998]);
  for (const index of [5_000, -1]) expect(() => list.at(index)).toThrow(RangeError);
});
