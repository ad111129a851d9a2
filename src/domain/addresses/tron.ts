import { type AddressCheck, verified } from './address-check.ts';
import { readVersioned } from './base58check.ts';

const VERSIONS = [0x41];

/** TRON: base58 with checksum, version 0x41, so that every address starts with T. */
export const checkTron = (address: string): AddressCheck =>
  readVersioned(address, VERSIONS) ?? verified(address);
