import { keccak256 } from './keccak.ts';

/**
 * Returns the address of 40 hexadecimal digits with the checksum of EIP-55, which is the case of
 * its letters.
 */
export function withChecksum(digits: string): string {
  const lower = digits.toLowerCase();
  const hash = keccak256(Buffer.from(lower, 'ascii')).toString('hex');
  const cased = [...lower].map((digit, at) =>
    Number.parseInt(hash.charAt(at), 16) >= 8 ? digit.toUpperCase() : digit,
  );
  return `0x${cased.join('')}`;
}
