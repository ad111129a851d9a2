import { REASONS, type RefusedAddress, refused } from './address-check.ts';
import {
  BASE58_BYTES_MAX,
  type Base58Digits,
  BITCOIN_DIGITS,
  decodeBase58,
  NOT_BASE58,
} from './base58.ts';
import { byteAt } from './byte-at.ts';
import { doubleSha256Head } from './sha256.ts';

/** Version byte and 20 bytes of hash: what almost every base58 address holds before its checksum. */
export const HASH_PAYLOAD_BYTES = 21;

const CHECKSUM_BYTES = 4;

/** The bytes of the address that was read last; valid until the next one is read. */
export const payload = new Uint8Array(BASE58_BYTES_MAX);

/** Version bytes of test networks: Bitcoin and its relatives, Litecoin, Dogecoin. */
const TESTNET_VERSIONS: readonly number[] = [0x6f, 0xc4, 0x3a, 0x71];

/**
 * Reads a base58 text that ends in a checksum into {@link payload}. Returns undefined when it is sound, else its fault.
 */
export function readBase58Check(
  text: string,
  digits: Base58Digits,
  payloadBytes: number,
): RefusedAddress | undefined {
  const length = decodeBase58(text, digits, payload);
  if (length === NOT_BASE58) return refused(REASONS.character);
  if (length !== payloadBytes + CHECKSUM_BYTES) return refused(REASONS.length);
  const checksum = doubleSha256Head(payload, payloadBytes);
  return checksum === wordAt(payloadBytes) ? undefined : refused(REASONS.checksum);
}

/** Reads an address of version byte and hash, and refuses other versions than those given. */
export function readVersioned(
  address: string,
  versions: readonly number[],
): RefusedAddress | undefined {
  const problem = readBase58Check(address, BITCOIN_DIGITS, HASH_PAYLOAD_BYTES);
  if (problem !== undefined) return problem;
  if (versions.includes(byteAt(payload, 0))) return undefined;
  return refused(TESTNET_VERSIONS.includes(byteAt(payload, 0)) ? REASONS.testnet : REASONS.prefix);
}

const wordAt = (index: number): number =>
  (byteAt(payload, index) << 24) |
  (byteAt(payload, index + 1) << 16) |
  (byteAt(payload, index + 2) << 8) |
  byteAt(payload, index + 3);
