import { encodeAddress } from './core/base58.ts';
import {
  codeOfFate,
  FATE_NAMES,
  type FateCode,
  type FateName,
  TEST_ADDRESS_PREFIX,
} from './core/fates.ts';

/** The code of a test address. `0000` is paid like an ordinary address. */
export type TestAddressCode = FateCode | '0000';
export type TestAddressNetwork = 'EVM' | 'TRON' | 'BITCOIN';

const VERSIONS = { TRON: 0x41, BITCOIN: 0x00 } as const;
const FREE_DIGITS = 28;

/**
 * Returns the n-th test address of a code, or of the name of a fate. It is valid for its network, and no one has its key.
 * `n` is a whole number from 0 up. EVM addresses are in lower case, so they have no checksum.
 */
export function testAddress(
  fate: TestAddressCode | FateName,
  n: number,
  network: TestAddressNetwork = 'EVM',
): string {
  const code = isName(fate) ? (codeOfFate(fate) ?? '0000') : fate;
  const payload = `${TEST_ADDRESS_PREFIX}${code}${n.toString(16).padStart(FREE_DIGITS, '0')}`;
  return network === 'EVM'
    ? `0x${payload}`
    : encodeAddress({ version: VERSIONS[network], payload: Buffer.from(payload, 'hex') });
}

const isName = (fate: TestAddressCode | FateName): fate is FateName =>
  (FATE_NAMES as readonly string[]).includes(fate);
