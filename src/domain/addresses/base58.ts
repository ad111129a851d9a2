import {
  type AddressCheck,
  REASONS,
  refused,
  type RefusedAddress,
  verified,
  withoutChecksum,
} from './address-check.ts';
import { byteAt } from './byte-at.ts';
import { createBase58Decoder } from './decode-base58.ts';
import { doubleSha256Head } from './sha256.ts';

/** The digits of base58; the XRP Ledger has the same characters in another order. */
export type Base58Digits = 'bitcoin' | 'xrp';

const DECODERS = {
  bitcoin: createBase58Decoder('123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'),
  xrp: createBase58Decoder('rpshnaf39wBUDNEGHJKLM4PQRST7VWXYZ2bcdeCg65jkm8oFqi1tuvAxyz'),
};

/** Version byte and 20 bytes of hash: the content of almost every base58 address before its checksum. */
export const HASH_PAYLOAD_BYTES = 21;

const CHECKSUM_BYTES = 4;

/** Version bytes of test networks: Bitcoin and its relatives, Litecoin, Dogecoin. */
const TESTNET_VERSIONS: readonly number[] = [0x6f, 0xc4, 0x3a, 0x71];

/** The bytes of an address with its checksum at their end: to cut it off takes longer than to decode it. */
export type Base58Check = Readonly<{ ok: true; bytes: Uint8Array }> | RefusedAddress;

/** The bytes of a base58 text; undefined when it is too long or has a character that is no digit. */
export const decodeBase58 = (text: string, digits: Base58Digits): Uint8Array | undefined =>
  DECODERS[digits](text);

/** Reads a base58 text that ends in a checksum. */
export function readBase58Check(
  text: string,
  digits: Base58Digits,
  payloadBytes: number,
): Base58Check {
  const bytes = decodeBase58(text, digits);
  if (bytes === undefined) return refused(REASONS.character);
  if (bytes.length !== payloadBytes + CHECKSUM_BYTES) return refused(REASONS.length);
  return doubleSha256Head(bytes, payloadBytes) === wordAt(bytes, payloadBytes)
    ? { ok: true, bytes }
    : refused(REASONS.checksum);
}

/** Reads an address of version byte and hash, and refuses other versions than those given. */
export function readVersioned(address: string, versions: readonly number[]): Base58Check {
  const check = readBase58Check(address, 'bitcoin', HASH_PAYLOAD_BYTES);
  if (!check.ok) return check;
  const version = byteAt(check.bytes, 0);
  if (versions.includes(version)) return check;
  return refused(TESTNET_VERSIONS.includes(version) ? REASONS.testnet : REASONS.prefix);
}

const wordAt = (bytes: Uint8Array, index: number): number =>
  (byteAt(bytes, index) << 24) |
  (byteAt(bytes, index + 1) << 16) |
  (byteAt(bytes, index + 2) << 8) |
  byteAt(bytes, index + 3);

const VERSIONS = [0x41];
const ADDRESS_CHARS = 34;

/** TRON: base58 with checksum, version 0x41, so that every address starts with T and has 34 characters. */
export function checkTron(address: string): AddressCheck {
  if (address.length !== ADDRESS_CHARS) return refused(REASONS.length);
  const check = readVersioned(address, VERSIONS);
  return check.ok ? verified(address) : check;
}

const KEY_BYTES = 32;

/** Solana: base58 of a key of 32 bytes. There is no checksum. */
export function checkSolana(address: string): AddressCheck {
  const key = decodeBase58(address, 'bitcoin');
  if (key === undefined) return refused(REASONS.character);
  return key.length === KEY_BYTES ? withoutChecksum(address) : refused(REASONS.length);
}
