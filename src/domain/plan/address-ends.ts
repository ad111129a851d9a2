import type { NetworkFamily } from '../currencies/network.ts';

/**
 * People compare addresses by their first and last characters. A thief who wants to be paid in another's place makes an
 * address with the same ones. The ends of an address are two words of 32 bits: its first characters from the top of the
 * one, its last ones from the top of the other, so that equal ones are counted by equal bits.
 */

/** The characters of a form of address. `weight`: bits that chance has to guess for one of them, at least. */
type Alphabet = Readonly<{ id: number; codes: Uint8Array; bits: number; weight: number }>;

/** How an address is written: what stands before the characters in which addresses of the form differ. */
type Form = Readonly<{ id: number; skipped: number; alphabet: Alphabet }>;

const NONE = 0xff;
/** Bits of a word that hold characters; the two lowest name the form, and in the other word the alphabet. */
const SYMBOL_BITS = 30;
const NAME_MASK = 0b11;

/** First and last characters that must be equal before two addresses look alike to a person. */
const HEAD_MIN = 3;
const TAIL_MIN = 4;

const HEX = alphabet(0, { digits: '0123456789abcdef', bits: 4, weight: 4, anyCase: true });
const BECH32 = alphabet(1, {
  digits: 'qpzry9x8gf2tvdw0s3jn54khce6mua7l',
  bits: 5,
  weight: 5,
  anyCase: true,
});
const BASE58 = alphabet(2, {
  digits: '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz',
  bits: 6,
  weight: 5,
});
/** In both of its spellings: TON writes either. */
const BASE64 = alphabet(3, {
  digits: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/',
  alias: { '-': '+', _: '/' },
  bits: 6,
  weight: 5,
});
const ALPHABETS: readonly Alphabet[] = [HEX, BECH32, BASE58, BASE64];

type Symbols = Readonly<{
  digits: string;
  bits: number;
  weight: number;
  anyCase?: boolean;
  alias?: Readonly<Record<string, string>>;
}>;

function alphabet(id: number, { digits, bits, weight, anyCase, alias = {} }: Symbols): Alphabet {
  const codes = new Uint8Array(128).fill(NONE);
  for (const [code, digit] of [...digits].entries()) {
    codes[digit.charCodeAt(0)] = code;
    if (anyCase) codes[digit.toUpperCase().charCodeAt(0)] = code;
  }
  for (const [other, digit] of Object.entries(alias)) {
    codes[other.charCodeAt(0)] = digits.indexOf(digit);
  }
  return { id, codes, bits, weight };
}

const form = (id: number, skipped: number, of: Alphabet): Form => ({ id, skipped, alphabet: of });

const EVM = form(1, 2, HEX);
const FIRST_AFTER_ONE = form(1, 1, BASE58);
const SECOND_AFTER_ONE = form(2, 1, BASE58);
const SOLANA = form(1, 0, BASE58);
const BITCOIN_SEGWIT = form(3, 'bc1q'.length, BECH32);
const LITECOIN_SEGWIT = form(3, 'ltc1q'.length, BECH32);
const CASHADDR = form(3, 'qp'.length, BECH32);
const CASHADDR_PREFIXED = form(3, 'bitcoincash:qp'.length, BECH32);
const TON_FRIENDLY = form(1, 'EQA'.length, BASE64);
const TON_RAW = form(2, '0:'.length, HEX);
const TON_RAW_MASTER = form(2, '-1:'.length, HEX);

/** No address of base58 is as long as this, and every segwit address and cashaddr is longer. */
const BASE58_CHARS_MAX = 40;

/**
 * The forms of each family. All customers of an exchange share the beginning of their X-addresses on the XRP Ledger, so
 * those have no ends to compare.
 */
const FORM_OF: Readonly<Record<NetworkFamily, (address: string) => Form | undefined>> = {
  evm: () => EVM,
  tron: () => FIRST_AFTER_ONE,
  solana: () => SOLANA,
  ton: (address) =>
    address.includes(':') ? (address.startsWith('-') ? TON_RAW_MASTER : TON_RAW) : TON_FRIENDLY,
  bitcoin: (address) => (isBase58(address) ? keyOrScript(address, '1') : BITCOIN_SEGWIT),
  litecoin: (address) => (isBase58(address) ? keyOrScript(address, 'L') : LITECOIN_SEGWIT),
  dogecoin: (address) => keyOrScript(address, 'D'),
  bitcoinCash: (address) =>
    isBase58(address)
      ? keyOrScript(address, '1')
      : address.includes(':')
        ? CASHADDR_PREFIXED
        : CASHADDR,
  xrp: (address) => (address.startsWith('r') ? FIRST_AFTER_ONE : undefined),
};

const isBase58 = (address: string): boolean => address.length < BASE58_CHARS_MAX;

const keyOrScript = (address: string, key: string): Form =>
  address.startsWith(key) ? FIRST_AFTER_ONE : SECOND_AFTER_ONE;

/**
 * Writes the ends of an address, as it is written in the file, into two words from `at` on. Both are 0 where there is
 * nothing to compare: on an unknown network the significant characters are unknown.
 */
export function writeEnds(
  words: Int32Array,
  at: number,
  { address, family }: Readonly<{ address: string; family: NetworkFamily | undefined }>,
): void {
  const found = family === undefined ? undefined : FORM_OF[family](address);
  words[at] = 0;
  words[at + 1] = 0;
  if (found === undefined) return;
  const { codes, bits, id } = found.alphabet;
  const count = Math.floor(SYMBOL_BITS / bits);
  const last = address.length - 1;
  if (last + 1 < found.skipped + 2 * count) return;
  let [head, tail] = [0, 0];
  for (let i = 0, shift = 32 - bits; i < count; i++, shift -= bits) {
    const first = codes[address.charCodeAt(found.skipped + i)] ?? NONE;
    const final = codes[address.charCodeAt(last - i)] ?? NONE;
    if (first === NONE || final === NONE) return;
    head |= first << shift;
    tail |= final << shift;
  }
  words[at] = head | found.id;
  words[at + 1] = tail | id;
}

/** The ends of one address. */
export type Ends = Readonly<{ head: number; tail: number }>;

const alphabetOf = ({ tail }: Ends): Alphabet => ALPHABETS[tail & NAME_MASK] ?? HEX;

const topBits = (count: number): number => -1 << (32 - count);

const HEAD_MASKS = Int32Array.from(ALPHABETS, ({ bits }) => topBits(HEAD_MIN * bits) | NAME_MASK);
const TAIL_MASKS = Int32Array.from(ALPHABETS, ({ bits }) => topBits(TAIL_MIN * bits) | NAME_MASK);

/** The first characters that two addresses must share to look alike; `tail` is of the same ends. */
export const headKey = (head: number, tail: number): number =>
  head & (HEAD_MASKS[tail & NAME_MASK] ?? 0);

/** The last characters that two addresses must share to look alike. */
export const tailKey = (tail: number): number => tail & (TAIL_MASKS[tail & NAME_MASK] ?? 0);

/** Bits that chance would have had to guess for two addresses to have the same first, and the same last characters. */
export type SameEnds = Readonly<{ headBits: number; tailBits: number }>;

/** How much of their ends two addresses share; undefined when no person would mistake one for the other. */
export function sameEnds(a: Ends, b: Ends): SameEnds | undefined {
  const [heads, tails] = [a.head ^ b.head, a.tail ^ b.tail];
  if (a.head === 0 || ((heads | tails) & NAME_MASK) !== 0) return undefined;
  const { bits, weight } = alphabetOf(a);
  const count = Math.floor(SYMBOL_BITS / bits);
  const head = Math.min(count, Math.floor(Math.clz32(heads) / bits));
  const tail = Math.min(count, Math.floor(Math.clz32(tails) / bits));
  return head < HEAD_MIN || tail < TAIL_MIN
    ? undefined
    : { headBits: head * weight, tailBits: tail * weight };
}

/** How much of their ends two addresses share when all stored characters are equal. */
export function bitsOfEnds(ends: Ends): SameEnds {
  const { bits, weight } = alphabetOf(ends);
  const all = Math.floor(SYMBOL_BITS / bits) * weight;
  return { headBits: all, tailBits: all };
}

/** How many beginnings, and how many ends, {@link headKey} and {@link tailKey} distinguish, as powers of two. */
export function keyBitsOf(ends: Ends): SameEnds {
  const { weight } = alphabetOf(ends);
  return { headBits: HEAD_MIN * weight, tailBits: TAIL_MIN * weight };
}
