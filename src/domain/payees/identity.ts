import { type Hash, hashText } from '../plan/print-hash.ts';
import type { PrintSpace } from '../plan/row-print.ts';
import type { ChunkRow } from '../rows/row.ts';
import { payeeSpace } from './payee-address.ts';

/*
 * An identity: a reference or a payee's name, by which rows of several files pay the same payee. Of each row a store keeps
 * four words of 32 bits. Stores keep them until the rows are removed: the layout never changes.
 *
 *   0, 1   hash of the reference, on the networks of the address; 0, 0 without one
 *   2, 3   hash of the name as `comparedName` has it, on the same networks; 0, 0 without one
 */
export const IDENTITY_WORDS = 4;
export const IDENTITY_BYTES = IDENTITY_WORDS * Int32Array.BYTES_PER_ELEMENT;

/** Where the hash of each kind of identity begins. */
export const IDENTITY_PART = { reference: 0, name: 2 } as const;

export type IdentityKind = keyof typeof IDENTITY_PART;

export const IDENTITY_KINDS = Object.keys(IDENTITY_PART) as readonly IdentityKind[];

const PLAIN = /^[!-~ ]*$/;

/** A name without case, spaces and marks such as accents: names with equal results are the same. */
export function comparedName(name: string): string {
  const letters = PLAIN.test(name) ? name : name.normalize('NFKD').replaceAll(/\p{M}/gu, '');
  // A capital may be two letters, as that of ß.
  return letters.toUpperCase().toLowerCase().replaceAll(/\s/g, '');
}

const NONE: Hash = { low: 0, high: 0 };

/** The hash of an identity. `seed`: that of the addresses of its networks. The hash of an empty text is 0, 0. */
export function identityHash(kind: IdentityKind, text: string, seed: Hash): Hash {
  const compared = kind === 'name' ? comparedName(text) : text;
  if (compared === '') return NONE;
  const { low, high } = hashText(`${kind} ${compared}`);
  const seeded = { low: low ^ seed.low, high: high ^ seed.high };
  return seeded.low === 0 && seeded.high === 0 ? { low: 1, high: 0 } : seeded;
}

/** The hash of an identity among the payees of a network. */
export const payeeIdentityHash = (kind: IdentityKind, text: string, network: string): Hash =>
  identityHash(kind, text, hashText(payeeSpace(network)));

/** The hash of an identity of the row with an index; 0, 0: the row has none. */
export function identityAt(words: Int32Array, index: number, kind: IdentityKind): Hash {
  const at = index * IDENTITY_WORDS + IDENTITY_PART[kind];
  return { low: words[at] ?? 0, high: words[at + 1] ?? 0 };
}

/** Writes the identities of a row into the words from `at` on. */
export function writeIdentities(
  words: Int32Array,
  at: number,
  { space, row }: Readonly<{ space: PrintSpace; row: ChunkRow }>,
): void {
  for (const kind of IDENTITY_KINDS) {
    if (row[kind] === '') continue;
    const { low, high } = identityHash(kind, row[kind], space.addressSeed);
    words[at + IDENTITY_PART[kind]] = low;
    words[at + IDENTITY_PART[kind] + 1] = high;
  }
}

/** The identities of rows of one currency, one after the other. Empty: no row has any. */
export function identitiesOf(space: PrintSpace, rows: readonly ChunkRow[]): Int32Array {
  if (rows.every(({ reference, name }) => reference === '' && name === '')) return new Int32Array();
  const words = new Int32Array(rows.length * IDENTITY_WORDS);
  rows.forEach((row, i) => writeIdentities(words, i * IDENTITY_WORDS, { space, row }));
  return words;
}
