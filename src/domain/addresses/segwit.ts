import { type AddressCheck, REASONS, refused, verified } from './address-check.ts';
import { BECH32, BECH32M, type Bech32Text, bytesOfFiveBits, splitBech32 } from './bech32.ts';
import { smallLetters } from './one-case.ts';

/** Human-readable parts of one network's segwit addresses. */
export type SegwitPrefixes = Readonly<{ main: string; test: readonly string[] }>;

const TAPROOT_BYTES = 32;
const KEY_HASH_BYTES = 20;
const SCRIPT_HASH_BYTES = 32;

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
  const text = splitBech32(lower);
  if (text === undefined) return refused(REASONS.character);
  const problem = problemOf(text);
  if (problem !== undefined) return refused(problem);
  if (prefixes.test.includes(text.prefix)) return refused(REASONS.testnet);
  return text.prefix === prefixes.main ? verified(lower) : refused(REASONS.prefix);
}

/**
 * Versions above 1 and other lengths of version 1 are well-formed, but have no meaning yet. They are refused, since any
 * person could take the money sent to them.
 */
function problemOf({ values, checksum }: Bech32Text): string | undefined {
  const version = values[0] ?? 0;
  if (checksum !== (version === 0 ? BECH32 : BECH32M)) return REASONS.checksum;
  const program = bytesOfFiveBits(values.subarray(1));
  if (values.length === 0 || program === undefined) return REASONS.length;
  if (version > 1) return `witness version ${version} has no meaning yet`;
  const { length } = program;
  const sound =
    version === 0
      ? length === KEY_HASH_BYTES || length === SCRIPT_HASH_BYTES
      : length === TAPROOT_BYTES;
  return sound ? undefined : REASONS.length;
}
