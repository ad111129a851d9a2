import { utf8ToBytes } from '@noble/hashes/utils.js';
import { currencyInfo } from '../currencies/currency-info.ts';
import { mainCurrency } from '../currencies/same-currency.ts';
import { type NetworkFamily, NETWORKS } from '../currencies/network.ts';
import type { ChunkRow, RowNumber } from '../rows/row.ts';
import { checkAddressCell } from '../rows/row-rules-address.ts';
import { writeEnds } from './address-ends.ts';
import { magnitudeOf } from './magnitude.ts';
import { type Hash, hashText, writeHashes } from './print-hash.ts';

/*
 * The print of a row: what it pays to whom, in eight words of 32 bits, so that the rows of many batches can be held
 * against each other without being kept. Stores keep prints for years: what they hold is never changed.
 *
 *   0, 1   hash of currency, canonical address and amount
 *   2, 3   hash of the canonical address among all of its family of networks, or of its currency where that is unknown
 *   4, 5   the ends of the address as it is written; see address-ends.ts
 *   6      magnitude of the amount; see magnitude.ts
 *   7      number of the row
 */
export const PRINT_WORDS = 8;
export const PRINT_BYTES = PRINT_WORDS * Int32Array.BYTES_PER_ELEMENT;

/** Where in a print each part begins. */
export const PART = { row: 0, address: 2, ends: 4, magnitude: 6, number: 7 } as const;

/** Prints of rows of one currency, one after the other. `identities`: of the same rows; see domain/payees/identity.ts; missing: no row has any. */
export type PrintSegment = Readonly<{
  currency: string;
  prints: Int32Array;
  identities?: Int32Array;
}>;

/** The common values of the fingerprints of one currency. */
export type PrintSpace = Readonly<{
  currency: string;
  family: NetworkFamily | undefined;
  /** Distinguishes the same characters on different families of networks. */
  addressSeed: Hash;
  currencySeed: Hash;
}>;

export function printSpaceOf(currency: string): PrintSpace {
  const { network } = currencyInfo(currency);
  const family = network === undefined ? undefined : NETWORKS[network].family;
  return {
    currency,
    family,
    addressSeed: hashText(family === undefined ? `currency ${currency}` : `family ${family}`),
    // Of one currency that is written in two ways the rows are equal.
    currencySeed: hashText(`currency ${mainCurrency(currency)}`),
  };
}

/** The hash of a canonical address in words 2 and 3 of a print. `space`: the text that its space is seeded with. */
export function addressHash(space: string, canonical: string): Hash {
  const words = new Int32Array(PRINT_WORDS);
  const content = utf8ToBytes(`${canonical}\t\n`);
  writeHashes(words, 0, { content, from: 0, addressSeed: hashText(space), currencySeed: NO_SEED });
  return { low: words[PART.address] ?? 0, high: words[PART.address + 1] ?? 0 };
}

/** The hash of an address does not depend on the currency. */
const NO_SEED: Hash = { low: 0, high: 0 };

/** The payment of a row in one spelling: a line of the content of a file. */
export const contentLine = (currency: string, canonical: string, amount: string): string =>
  `${currency}\t${canonical}\t${amount}\n`;

/** A row and its line of content; `start` is where in the bytes the line begins. */
export type Printed = Readonly<{
  space: PrintSpace;
  content: Uint8Array;
  start: number;
  row: RowNumber;
  address: string;
  amount: string;
}>;

/** Writes the print of a row into the words from `at` on; returns where the next line of the content begins. */
export function writePrint(prints: Int32Array, at: number, printed: Printed): number {
  const { space, content, start, row, address, amount } = printed;
  const { currency, family, addressSeed, currencySeed } = space;
  const from = start + currency.length + 1;
  const next = writeHashes(prints, at, { content, from, addressSeed, currencySeed });
  writeEnds(prints, at + PART.ends, { address, family });
  prints[at + PART.magnitude] = magnitudeOf(amount);
  prints[at + PART.number] = row;
  return next;
}

/** The prints of rows that were checked before. Throws when an address is none: then they were not. */
export function printRows(currency: string, rows: readonly ChunkRow[]): Int32Array {
  const space = printSpaceOf(currency);
  const { network } = currencyInfo(currency);
  const prints = new Int32Array(rows.length * PRINT_WORDS);
  rows.forEach(({ row, address, amount }, i) => {
    const checked = checkAddressCell(address, network);
    if (!checked.ok) throw new Error(`row ${row} has no address of ${currency}`);
    const content = utf8ToBytes(contentLine(currency, checked.canonical, amount));
    writePrint(prints, i * PRINT_WORDS, { space, content, start: 0, row, address, amount });
  });
  return prints;
}

/** Names a set of rows by their payments, in any order and with any repetition. */
type RowSet = Readonly<{
  /** Takes prints of rows. */
  take(prints: Int32Array): void;
  /** The same text for the same rows. */
  name(): string;
}>;

const WORD = 2 ** 32;

/** The number of rows, and the sum of their hashes modulo 2^64. */
export function createRowSet(): RowSet {
  let [rows, low, high] = [0, 0, 0];
  return {
    take(prints) {
      for (let at = 0; at < prints.length; at += PRINT_WORDS) {
        const sum = low + ((prints[at + PART.row] ?? 0) >>> 0);
        const carry = sum >= WORD ? 1 : 0;
        low = sum - carry * WORD;
        high = (high + ((prints[at + PART.row + 1] ?? 0) >>> 0) + carry) % WORD;
        rows += 1;
      }
    },
    name: () => `${rows}-${hexOf(high)}${hexOf(low)}`,
  };
}

const hexOf = (word: number): string => word.toString(16).padStart(8, '0');
