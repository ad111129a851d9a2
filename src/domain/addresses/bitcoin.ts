import { type AddressCheck, verified } from './address-check.ts';
import { readVersioned } from './base58.ts';
import { checkSegwit, looksLikeSegwit, type SegwitPrefixes } from './segwit.ts';

const BITCOIN_VERSIONS = [0x00, 0x05];
const BITCOIN_PREFIXES: SegwitPrefixes = { main: 'bc', test: ['tb', 'bcrt'] };

const LITECOIN_VERSIONS = [0x30, 0x32];
const LITECOIN_PREFIXES: SegwitPrefixes = { main: 'ltc', test: ['tltc', 'rltc'] };

const DOGECOIN_VERSIONS = [0x1e, 0x16];

/** Bitcoin: base58 with checksum (1..., 3...) and segwit (bc1...). */
export const checkBitcoin = (address: string): AddressCheck =>
  looksLikeSegwit(address, BITCOIN_PREFIXES)
    ? checkSegwit(address, BITCOIN_PREFIXES)
    : checkVersioned(address, BITCOIN_VERSIONS);

/**
 * Litecoin: base58 with checksum (L..., M...) and segwit (ltc1...). The old script form 3... is refused: Bitcoin script
 * addresses have the same form, so the network cannot be read from such an address.
 */
export const checkLitecoin = (address: string): AddressCheck =>
  looksLikeSegwit(address, LITECOIN_PREFIXES)
    ? checkSegwit(address, LITECOIN_PREFIXES)
    : checkVersioned(address, LITECOIN_VERSIONS);

/** Dogecoin: base58 with checksum (D..., A..., 9...). */
export const checkDogecoin = (address: string): AddressCheck =>
  checkVersioned(address, DOGECOIN_VERSIONS);

function checkVersioned(address: string, versions: readonly number[]): AddressCheck {
  const check = readVersioned(address, versions);
  return check.ok ? verified(address) : check;
}
