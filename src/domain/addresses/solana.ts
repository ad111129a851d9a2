import { type AddressCheck, REASONS, refused, withoutChecksum } from './address-check.ts';
import { decodeBase58 } from './base58.ts';

const KEY_BYTES = 32;

/** Solana: base58 of a key of 32 bytes. There is no checksum. */
export function checkSolana(address: string): AddressCheck {
  const key = decodeBase58(address, 'bitcoin');
  if (key === undefined) return refused(REASONS.character);
  return key.length === KEY_BYTES ? withoutChecksum(address) : refused(REASONS.length);
}
