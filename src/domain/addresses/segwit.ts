import { bech32, bech32m } from '@scure/base';
import { type AddressCheck, REASONS, refused, verified } from './address-check.ts';
import { smallLetters } from './one-case.ts';

/** Human-readable parts of one network's segwit addresses. */
export type SegwitPrefixes = Readonly<{ main: string; test: readonly string[] }>;

const TAPROOT_BYTES = 32;
const KEY_HASH_BYTES = 20;
const SCRIPT_HASH_BYTES = 32;

/** Prefix, separator, the five-bit values of version and program, and six characters of checksum. */
const BECH32_TEXT = /^(?!.{91}).+1([02-9ac-hj-np-z]*)[02-9ac-hj-np-z]{6}$/;

/** Whether the text starts like a segwit address of the network or of its test networks. */
export const looksLikeSegwit = (address: string, prefixes: SegwitPrefixes): boolean =>
  [prefixes.main, ...prefixes.test].some((prefix) =>
    address
      .slice(0, prefix.length + 1)
      .toLowerCase()
      .startsWith(`${prefix}1`),
  );

/** Segwit addresses: BIP-173 for witness version 0, BIP-350 for later ones. All capital letters are allowed. */
export function checkSegwit(address: string, prefixes: SegwitPrefixes): AddressCheck {
  const lower = smallLetters(address);
  if (lower === undefined) return refused(REASONS.oneCase);
  const [, versioned] = BECH32_TEXT.exec(lower) ?? [];
  if (versioned === undefined) return refused(REASONS.character);
  // The first character of what is encoded is the version; "q" is 0.
  const isVersion0 = versioned === '' || versioned.startsWith('q');
  const decoded = (isVersion0 ? bech32 : bech32m).decodeUnsafe(lower);
  if (!decoded) return refused(REASONS.checksum);
  const problem = problemOf(decoded.words);
  if (problem !== undefined) return refused(problem);
  if (prefixes.test.includes(decoded.prefix)) return refused(REASONS.testnet);
  return decoded.prefix === prefixes.main ? verified(lower) : refused(REASONS.prefix);
}

/**
 * Versions above 1 and other lengths of version 1 are well-formed, but have no meaning yet. They are refused, since any
 * person could take the money sent to them.
 */
function problemOf([version, ...values]: readonly number[]): string | undefined {
  const program = bech32.fromWordsUnsafe(values);
  if (version === undefined || !program) return REASONS.length;
  if (version > 1) return `witness version ${version} has no meaning yet`;
  const { length } = program;
  const sound =
    version === 0
      ? length === KEY_HASH_BYTES || length === SCRIPT_HASH_BYTES
      : length === TAPROOT_BYTES;
  return sound ? undefined : REASONS.length;
}
