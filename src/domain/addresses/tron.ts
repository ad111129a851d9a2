import { type AddressCheck, REASONS, refused, verified } from './address-check.ts';
import { readVersioned } from './base58.ts';

const VERSIONS = [0x41];
const ADDRESS_CHARS = 34;

/** TRON: base58 with checksum, version 0x41, so that every address starts with T and has 34 characters. */
export function checkTron(address: string): AddressCheck {
  if (address.length !== ADDRESS_CHARS) return refused(REASONS.length);
  const check = readVersioned(address, VERSIONS);
  return check.ok ? verified(address) : check;
}
