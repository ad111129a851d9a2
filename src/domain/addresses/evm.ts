import { type AddressCheck, REASONS, refused, verified, withoutChecksum } from './address-check.ts';
import { hexCaseOf } from './eip55.ts';

const ADDRESS_CHARS = 42;
const DIGITS_START = 2;

/**
 * Ethereum and the networks that use its addresses: 0x and 40 hexadecimal digits. Mixed letters carry the checksum of
 * EIP-55; all small or all capital letters carry none.
 */
export function checkEvm(address: string): AddressCheck {
  if (!address.startsWith('0x')) return refused(REASONS.prefix);
  if (address.length !== ADDRESS_CHARS) return refused(REASONS.length);
  const hexCase = hexCaseOf(address, DIGITS_START);
  if (hexCase === 'checksum-right') return verified(address.toLowerCase());
  if (hexCase === 'one-case') return withoutChecksum(address.toLowerCase());
  return refused(hexCase === 'not-hex' ? REASONS.character : REASONS.checksum);
}
