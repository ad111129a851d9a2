import { decodeAddress, encodeAddress } from './base58.ts';

/**
 * The first bytes of the 20-byte payload of every test address. Two bytes of code and 14 free bytes
 * follow.
 */
export const TEST_ADDRESS_PREFIX = 'deadbeef';

/**
 * The results of a withdrawal, by the code in its test address. See README.md, "Test addresses".
 * Rules name them by `name`.
 */
export const FATES = {
  '0001': {
    name: 'refused-by-compliance',
    kind: 'FAIL',
    message: 'Destination rejected by compliance',
  },
  '0002': { name: 'fee-too-low', kind: 'FAIL', message: 'Network fee too low' },
  '0003': { name: 'waits', kind: 'WAIT', message: null },
  '0004': {
    name: 'fails-then-paid',
    kind: 'FAIL_THEN_PAY',
    message: 'Destination node did not answer',
  },
  '0005': {
    name: 'fails-validation',
    kind: 'INVALID',
    message: 'The address cannot receive this currency',
  },
  '0006': { name: 'not-sent', kind: 'NOT_SENT', message: null },
  '0007': { name: 'waits-for-person', kind: 'HOLD', message: null },
  '0009': {
    name: 'fails-mass-payout',
    kind: 'FAIL_MASS_PAYOUT',
    message: 'The mass payout was rejected before it was sent',
  },
} as const;

export type FateCode = keyof typeof FATES;
export type FateName = 'paid' | (typeof FATES)[FateCode]['name'];
export type FateKind = (typeof FATES)[FateCode]['kind'];

/** Kinds with which one withdrawal makes the whole mass payout fail. */
const FATES_OF_THE_WHOLE = ['INVALID', 'FAIL_MASS_PAYOUT'] as const satisfies readonly FateKind[];

export const failsWhole = (fate: FateCode | null): boolean =>
  FATES_OF_THE_WHOLE.some((kind) => isFateOf(kind, fate));

export const isFateOf = (kind: FateKind, fate: FateCode | null): boolean =>
  fate !== null && FATES[fate].kind === kind;

/** Returns the code in a test address, or null for an ordinary address. */
export const fateOf = (address: string): FateCode | null =>
  fateOfEvm(address) ?? fateOfBase58(address);

const EVM_TEST_ADDRESS = new RegExp(`^0x${TEST_ADDRESS_PREFIX}([0-9a-f]{4})[0-9a-f]{28}$`, 'i');

function fateOfEvm(address: string): FateCode | null {
  const code = EVM_TEST_ADDRESS.exec(address)?.[1]?.toLowerCase();
  return code !== undefined && isFateCode(code) ? code : null;
}

/** 20 bytes with version and checksum take 26 to 35 characters. Other lengths need no decoding. */
function fateOfBase58(address: string): FateCode | null {
  const decoded = address.length >= 26 && address.length <= 35 ? decodeAddress(address) : null;
  const digits = decoded?.payload.toString('hex');
  if (decoded === null || digits?.startsWith(TEST_ADDRESS_PREFIX) !== true) return null;
  const code = digits.slice(TEST_ADDRESS_PREFIX.length, TEST_ADDRESS_PREFIX.length + 4);
  return isFateCode(code) && encodeAddress(decoded) === address ? code : null;
}

const isFateCode = (code: string): code is FateCode => Object.hasOwn(FATES, code);

const CODES = Object.keys(FATES) as FateCode[];

export const FATE_NAMES: readonly FateName[] = ['paid', ...CODES.map((code) => FATES[code].name)];

/** Returns the code of a fate, or null for `paid`, the fate of an ordinary address. */
export const codeOfFate = (name: FateName): FateCode | null =>
  CODES.find((code) => FATES[code].name === name) ?? null;
