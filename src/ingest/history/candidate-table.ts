import { createPairTable } from './pair-table.ts';
import { type AddressFingerprint, isSameAddress } from './address-fingerprint.ts';
import { addKey, type BloomFilter, createBloomFilter } from './bloom-filter.ts';
import { endsKey } from './ends-key.ts';
import type { MatchLocation } from './row-matches.ts';

/** An address that may look like one of a recipient. */
export type Candidate = Readonly<{ address: AddressFingerprint; location: MatchLocation }>;

/** Candidates by the key of their ends. Each address is there once, with its first location. */
export type CandidateTable = Readonly<{
  keys: BloomFilter;
  /** Returns the candidates whose ends look like those of the address. */
  alikeEnds(address: AddressFingerprint): Generator<Candidate>;
}>;

/**
 * Candidates with one key that a new one is compared with. Random addresses never reach this
 * number.
 */
const COMPARED_MAX = 16;

export function createCandidateTable(candidates: readonly Candidate[]): CandidateTable {
  const firsts = createPairTable(candidates.length);
  const keys = createBloomFilter(candidates.length);
  /** For each candidate, the next one with the same key, as index plus 1; 0 for none. */
  const nextSame = new Int32Array(candidates.length);
  candidates.forEach(({ address }, i) => {
    const key = keyOf(address);
    addKey(keys, key);
    let position = firsts.putIfAbsent(key, key, i + 1);
    for (let compared = 1; position !== 0 && compared < COMPARED_MAX; compared++) {
      const existing = candidates[position - 1];
      if (existing !== undefined && isSameAddress(existing.address, address)) return;
      const next = nextSame[position - 1] ?? 0;
      if (next === 0) nextSame[position - 1] = i + 1;
      position = next;
    }
  });
  return {
    keys,
    *alikeEnds(address) {
      const key = keyOf(address);
      for (let next = firsts.get(key, key); next !== 0; next = nextSame[next - 1] ?? 0) {
        const candidate = candidates[next - 1];
        if (candidate !== undefined) yield candidate;
      }
    },
  };
}

const keyOf = ({ head, tail, space }: AddressFingerprint): number =>
  endsKey(head, tail, space.addressSeed.low);
