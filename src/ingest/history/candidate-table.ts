import { createPairTable } from './pair-table.ts';
import { type Address, isSameAddress } from './address.ts';
import { addKey, type BitFilter, createBitFilter } from './bit-filter.ts';
import { endsKey } from './ends-key.ts';
import type { SeenRow } from './marks.ts';

/** An address that may look like that of a recipient. */
export type Candidate = Readonly<{ address: Address; seen: SeenRow }>;

/** Candidates by the key of their ends; each address stands there once, as it was seen first. */
export type CandidateTable = Readonly<{
  keys: BitFilter;
  /** Those with the ends by which people recognise the address. */
  alikeEnds(address: Address): Generator<Candidate>;
}>;

/** Addresses with the same key that one recipient is compared with at a time; chance never gives as many. */
const COMPARED_MAX = 16;

export function createCandidateTable(candidates: readonly Candidate[]): CandidateTable {
  const firsts = createPairTable(candidates.length);
  const keys = createBitFilter(candidates.length);
  /** For each candidate the next one with its key; as places plus 1, 0 for none. */
  const nextSame = new Int32Array(candidates.length);
  candidates.forEach(({ address }, i) => {
    const key = keyOf(address);
    addKey(keys, key);
    let place = firsts.putIfAbsent(key, key, i + 1);
    for (let compared = 1; place !== 0 && compared < COMPARED_MAX; compared++) {
      const known = candidates[place - 1];
      if (known !== undefined && isSameAddress(known.address, address)) return;
      const next = nextSame[place - 1] ?? 0;
      if (next === 0) nextSame[place - 1] = i + 1;
      place = next;
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

const keyOf = ({ head, tail, space }: Address): number =>
  endsKey(head, tail, space.addressSeed.low);
