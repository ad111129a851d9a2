import type { Hash } from '../../domain/plan/print-hash.ts';
import { createPairTable } from './pair-table.ts';

/**
 * The addresses of identities, by their hashes. Each address of an identity has a place: a number from 1 on, without gaps.
 * The place of its first address names the identity.
 */
export type KnownAddresses = Readonly<{
  /** Adds an address of an identity. An address that it has already keeps its place. */
  add(identity: Hash, address: Hash): void;
  /** Returns the name of the identity with a hash, or 0. */
  identityOf(low: number, high: number): number;
  /** Returns the place of an address of an identity, or 0. */
  placeOf(identity: number, low: number, high: number): number;
  /** The number of places. */
  count(): number;
}>;

const WORDS_MIN = 2_048;

/** Takes about 26 bytes for each identity, and for each further address. `expected`: how many identities there are, about. */
export function createKnownAddresses(expected: number): KnownAddresses {
  const identities = createPairTable(expected);
  const furtherPlaces = createPairTable(1);
  let addresses = new Int32Array(WORDS_MIN);
  let count = 0;

  const hasAddress = (place: number, low: number, high: number): boolean =>
    addresses[place * 2] === low && addresses[place * 2 + 1] === high;

  function placeOf(identity: number, low: number, high: number): number {
    if (hasAddress(identity, low, high)) return identity;
    const place = furtherPlaces.get(low ^ lowSeed(identity), high ^ highSeed(identity));
    // The seeds of two identities differ, so that one with the same address and key is the same one.
    return place !== 0 && hasAddress(place, low, high) ? place : 0;
  }

  return {
    add(identity, { low, high }) {
      const place = count + 1;
      const first = identities.putIfAbsent(identity.low, identity.high, place);
      if (first !== 0) {
        if (placeOf(first, low, high) !== 0) return;
        furtherPlaces.putIfAbsent(low ^ lowSeed(first), high ^ highSeed(first), place);
      }
      count = place;
      if (count * 2 + 1 >= addresses.length) addresses = twiceAsLong(addresses);
      addresses[place * 2] = low;
      addresses[place * 2 + 1] = high;
    },
    identityOf: (low, high) => identities.get(low, high),
    placeOf,
    count: () => count,
  };
}

/** Odd factors: different identities have different seeds. */
const lowSeed = (identity: number): number => Math.imul(identity, 0x9e3779b1);
const highSeed = (identity: number): number => Math.imul(identity, 0x5f356495);

function twiceAsLong(words: Int32Array): Int32Array<ArrayBuffer> {
  const longer = new Int32Array(2 * words.length);
  longer.set(words);
  return longer;
}
