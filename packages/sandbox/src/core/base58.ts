import { createHash } from 'node:crypto';
import { base58, createBase58check } from '@scure/base';

const PAYLOAD_BYTES = 20;
const CHECKSUM_BYTES = 4;
const ADDRESS_BYTES = 1 + PAYLOAD_BYTES + CHECKSUM_BYTES;

const BASE58_TEXT = /^[1-9A-HJ-NP-Za-km-z]*$/;

const base58check = createBase58check((bytes: Uint8Array) =>
  createHash('sha256').update(bytes).digest(),
);

/** The content of a Base58Check address without its checksum: a version byte and 20 bytes. */
export type Base58Address = Readonly<{ version: number; payload: Buffer }>;

/**
 * Reads an address, but does not check its checksum, because that costs most of the time. Returns
 * null for text that cannot be an address.
 */
export function decodeAddress(text: string): Base58Address | null {
  if (!BASE58_TEXT.test(text)) return null;
  const bytes = Buffer.from(base58.decode(text));
  if (bytes.length !== ADDRESS_BYTES) return null;
  return { version: bytes.readUInt8(), payload: bytes.subarray(1, 1 + PAYLOAD_BYTES) };
}

/** Returns the address with its checksum, as wallets write it. */
export const encodeAddress = ({ version, payload }: Base58Address): string =>
  base58check.encode(Uint8Array.of(version, ...payload));
