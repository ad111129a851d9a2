import { bech32 } from '@scure/base';
import { type AddressCheck, REASONS, refused, verified } from './address-check.ts';
import { HASH_PAYLOAD_BYTES, readVersioned } from './base58.ts';
import { byteAt } from './byte-at.ts';
import { hexOf } from './hex.ts';
import { smallLetters } from './one-case.ts';

const KEY_HASH_VERSION = 0x00;
const SCRIPT_HASH_VERSION = 0x05;
const LEGACY_VERSIONS = [KEY_HASH_VERSION, SCRIPT_HASH_VERSION];

const PREFIX = 'bitcoincash';
const TEST_PREFIXES = ['bchtest', 'bchreg'];
const CHECKSUM_CHARS = 8;

const CASHADDR_CHARACTERS = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
const CASHADDR_DATA = /^[02-9ac-hj-np-z]{0,112}$/;

/** Hash of a key or of a script; the two token-aware types pay to the same destinations. */
const KINDS = ['key', 'script', 'key', 'script'] as const;
const KEY_HASH_BYTES = 20;
/** Lengths that are in use, by their code; scripts may have the longer one. */
const HASH_BYTES_BY_CODE: Readonly<Record<number, number>> = { 0: KEY_HASH_BYTES, 3: 32 };

/** Bitcoin Cash: cashaddr, with or without its prefix, and the older form that Bitcoin uses. */
export const checkBitcoinCash = (address: string): AddressCheck =>
  looksLikeCashaddr(address) ? checkCashaddr(address) : checkLegacy(address);

const looksLikeCashaddr = (address: string): boolean =>
  address.includes(':') || /^[qpzr][a-z0-9]{40,}$|^[QPZR][A-Z0-9]{40,}$/.test(address);

function checkLegacy(address: string): AddressCheck {
  const check = readVersioned(address, LEGACY_VERSIONS);
  if (!check.ok) return check;
  const kind = check.bytes[0] === KEY_HASH_VERSION ? 'key' : 'script';
  return verified(canonicalOf(kind, check.bytes.subarray(1, HASH_PAYLOAD_BYTES)));
}

function checkCashaddr(address: string): AddressCheck {
  const lower = smallLetters(address);
  if (lower === undefined) return refused(REASONS.oneCase);
  const colon = lower.indexOf(':');
  const prefix = colon < 0 ? PREFIX : lower.slice(0, colon);
  if (prefix !== PREFIX && !TEST_PREFIXES.includes(prefix)) return refused(REASONS.prefix);
  const data = lower.slice(colon + 1);
  if (!CASHADDR_DATA.test(data)) return refused(REASONS.character);
  const values = Uint8Array.from(data, (character) => CASHADDR_CHARACTERS.indexOf(character));
  if (!hasCashaddrChecksum(prefix, values)) return refused(REASONS.checksum);
  return prefix === PREFIX ? checkPayload(values) : refused(REASONS.testnet);
}

/** First byte: kind of hash in bits 3 to 6, its length in bits 0 to 2 (0 for 20 bytes, 3 for 32). */
function checkPayload(values: Uint8Array): AddressCheck {
  const bytes = bech32.fromWordsUnsafe([...values.subarray(0, values.length - CHECKSUM_CHARS)]);
  if (!bytes || bytes.length === 0) return refused(REASONS.length);
  const kind = KINDS[byteAt(bytes, 0) >> 3];
  const hashBytes = HASH_BYTES_BY_CODE[byteAt(bytes, 0) & 7];
  if (kind === undefined) return refused('it is of a kind that is not known');
  const isSound =
    bytes.length - 1 === hashBytes && (kind === 'script' || hashBytes === KEY_HASH_BYTES);
  return isSound ? verified(canonicalOf(kind, bytes.subarray(1))) : refused(REASONS.length);
}

const canonicalOf = (kind: 'key' | 'script', hash: Uint8Array): string =>
  `${kind}:${hexOf(hash, 0, hash.length)}`;

/*
 * The checksum of cashaddr has 40 bits, more than JavaScript's bit operations hold, so it is kept in two halves of 20.
 */
const HALF_BITS = 20;
const HALF_MASK = 0xfffff;
const SHIFTED_MASK = 0x7fff;

const GENERATORS_HIGH = [0x98f2b, 0x79b76, 0xf33e5, 0xae2ea, 0x1e4f4];
const GENERATORS_LOW = [0xc8e61, 0xd99e2, 0xfb3c4, 0xbe2a8, 0x3e470];
const HIGH_REMAINDERS = remaindersOf(GENERATORS_HIGH);
const LOW_REMAINDERS = remaindersOf(GENERATORS_LOW);

/**
 * The remainders that the five bits leaving the checksum at its top add to one half of it, by the value of these bits.
 */
function remaindersOf(generators: readonly number[]): Int32Array {
  return Int32Array.from({ length: 32 }, (_, top) =>
    generators.reduce((sum, generator, bit) => ((top >> bit) & 1 ? sum ^ generator : sum), 0),
  );
}

/** Whether five-bit values, of which the last eight are the checksum, belong together under this prefix. */
function hasCashaddrChecksum(prefix: string, values: Uint8Array): boolean {
  let high = 0;
  let low = 1;
  const add = (value: number): void => {
    const top = high >> (HALF_BITS - 5);
    high = ((high & SHIFTED_MASK) << 5) | (low >> (HALF_BITS - 5));
    low = ((low << 5) & HALF_MASK) ^ value;
    high ^= HIGH_REMAINDERS[top] ?? 0;
    low ^= LOW_REMAINDERS[top] ?? 0;
  };
  for (let i = 0; i < prefix.length; i++) add(prefix.charCodeAt(i) & 31);
  add(0);
  for (const value of values) add(value);
  return high === 0 && low === 1;
}
