import { type AddressCheck, REASONS, refused, withoutChecksum } from './address-check.ts';
import { BASE58_BYTES_MAX, BITCOIN_DIGITS, decodeBase58, NOT_BASE58 } from './base58.ts';

const KEY_BYTES = 32;

const bytes = new Uint8Array(BASE58_BYTES_MAX);

/** Solana: base58 of a key of 32 bytes. There is no checksum. */
export function checkSolana(address: string): AddressCheck {
  const length = decodeBase58(address, BITCOIN_DIGITS, bytes);
  if (length === NOT_BASE58) return refused(REASONS.character);
  return length === KEY_BYTES ? withoutChecksum(address) : refused(REASONS.length);
}
