import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  type AuditEntry,
  breakOf,
  canonicalJson,
  CHAIN_START,
  chained,
  type ChainedEntry,
} from '../../../src/domain/audit/chain.ts';
import { anyText } from '../../support/any-text.ts';

const entries: fc.Arbitrary<AuditEntry> = fc.record(
  {
    atMs: fc.nat(),
    batchId: fc.option(fc.constantFrom('one', 'two')),
    actor: anyText({ maxLength: 8 }),
    action: fc.constantFrom('approve', 'refuse', 'cancel'),
    detail: fc.dictionary(fc.string({ maxLength: 4 }), fc.jsonValue({ maxDepth: 2 }), {
      maxKeys: 3,
    }),
    facts: fc.constantFrom({ batch: { digest: 'd' } }, { 'chunk 1': { final: 1, said: null } }),
  },
  { requiredKeys: ['atMs', 'batchId', 'actor', 'action', 'detail'] },
);

/** The entries as one chain, which counts by `n`, or without `n` by `seq`. */
const chainOf =
  (isNumbered: boolean) =>
  (all: readonly AuditEntry[]): ChainedEntry[] => {
    let previousHash = CHAIN_START.hash;
    return all.map((entry, i) => {
      const n = isNumbered ? i + 1 : null;
      const next = chained({ seq: isNumbered ? 7 * (i + 1) : i + 1, n, previousHash }, entry);
      previousHash = next.hash;
      return next;
    });
  };

/** The place of the first entry that is not as it was written, from 1; undefined when all are. */
function firstBreak(chain: readonly ChainedEntry[]): number | undefined {
  let end = { n: 0, hash: CHAIN_START.hash };
  for (const entry of chain) {
    if (breakOf(end, entry) !== null) return end.n + 1;
    end = { n: end.n + 1, hash: entry.hash };
  }
  return undefined;
}

const chains = fc
  .tuple(fc.array(entries, { minLength: 2, maxLength: 6 }), fc.boolean())
  .map(([all, isNumbered]) => chainOf(isNumbered)(all));

describe('a chain of entries', () => {
  it('has hashes that others can compute', () => {
    const entry = {
      atMs: 5,
      batchId: null,
      actor: 'bob',
      action: 'approve',
      detail: { b: 1, a: 'x' },
    };
    const place = { seq: 1, n: null, previousHash: CHAIN_START.hash };
    expect(chained(place, entry)).toEqual({
      ...entry,
      seq: 1,
      n: null,
      previousHash: '0'.repeat(64),
      // printf '%064d\n%s' 0 '{"action":"approve","actor":"bob","atMs":5,"batchId":null,"detail":{"a":"x","b":1},"seq":1}' | sha256sum
      hash: '42e0d02b267582e4346b8a56a302480f7cbd26e3da4bf5955409f6935ba22bd8',
    });
    expect(chained({ ...place, seq: 9, n: 1 }, entry)).toMatchObject({
      seq: 9,
      n: 1,
      // printf '%064d\n%s' 0 '{"action":"approve","actor":"bob","atMs":5,"batchId":null,"detail":{"a":"x","b":1},"n":1,"seq":9}' | sha256sum
      hash: '5a6cc95c92ee610ec9329d03f820f0b90f7b212e2ca99bf1d2639544db4fae10',
    });
  });

  it('is whole as it was written, also after JSON', () => {
    fc.assert(
      fc.property(chains, (chain) => {
        expect(firstBreak(chain)).toBeUndefined();
        const stored = chain.map((entry) => ({
          ...entry,
          detail: JSON.parse(canonicalJson(entry.detail)) as AuditEntry['detail'],
        }));
        expect(firstBreak(stored)).toBeUndefined();
      }),
    );
  });

  it('shows every changed field, at the entry that was changed', () => {
    const changes = fc.constantFrom<(entry: ChainedEntry) => Partial<ChainedEntry>>(
      ({ atMs }) => ({ atMs: atMs + 1 }),
      ({ batchId }) => ({ batchId: batchId === null ? 'null' : null }),
      ({ actor }) => ({ actor: `${actor}\n` }),
      ({ action, actor }) => ({ action: actor, actor: action === actor ? '' : action }),
      ({ detail }) => ({ detail: { ...detail, more: null } }),
      ({ seq }) => ({ seq: seq + 1 }),
      ({ n }) => ({ n: n === null ? 3 : null }),
      ({ previousHash }) => ({ previousHash: `${previousHash.slice(1)}x` }),
      ({ hash }) => ({ hash: hash.replace(/^./, (digit) => (digit === '0' ? '1' : '0')) }),
    );
    fc.assert(
      fc.property(chains, fc.nat(), changes, (chain, at, change) => {
        const place = at % chain.length;
        const changed = chain.map((entry, i) =>
          i === place ? { ...entry, ...change(entry) } : entry,
        );
        expect(firstBreak(changed)).toBe(place + 1);
      }),
    );
  });

  it('shows a dropped entry, wherever others follow it', () => {
    fc.assert(
      fc.property(chains, fc.nat(), (chain, at) => {
        const place = at % (chain.length - 1);
        expect(firstBreak(chain.filter((_, i) => i !== place))).toBe(place + 1);
      }),
    );
  });

  it('shows two swapped entries, also with swapped numbers', () => {
    fc.assert(
      fc.property(chains, fc.nat(), (chain, at) => {
        const place = at % (chain.length - 1);
        const [one, other] = [chain[place], chain[place + 1]];
        if (one === undefined || other === undefined) throw new Error('no such entries');
        const swapped = chain.with(place, other).with(place + 1, one);
        expect(firstBreak(swapped)).toBe(place + 1);
        const renumbered = swapped.map((entry, i) => {
          const { seq = 0, n = null } = chain[i] ?? {};
          return { ...entry, seq, n };
        });
        expect(firstBreak(renumbered)).toBe(place + 1);
      }),
    );
  });

  it('shows an entry that was put in, or repeated', () => {
    fc.assert(
      fc.property(chains, entries, fc.nat(), (chain, entry, at) => {
        const place = at % chain.length;
        const previousHash = chain[place - 1]?.hash ?? CHAIN_START.hash;
        const { seq = 0, n = null } = chain[place] ?? {};
        const added = chained({ seq, n, previousHash }, entry);
        const inserted = [...chain.slice(0, place), added, ...chain.slice(place)];
        expect(firstBreak(inserted)).toBe(place + 2);
      }),
    );
  });
});

describe('the text of a value', () => {
  it('is the same for any order of its names', () => {
    expect(canonicalJson({ b: [1, { d: 'x', c: null }], a: '"', e: undefined })).toBe(
      '{"a":"\\"","b":[1,{"c":null,"d":"x"}]}',
    );
  });

  it('is JSON of the same value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });
});
