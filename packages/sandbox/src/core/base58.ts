import { createHash } from 'node:crypto';

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const DIGITS = new Map([...ALPHABET].map((character, digit) => [character, digit]));

/**
 * A JavaScript number holds so many digits exactly. Groups of them save most of the slower bigint
 * arithmetic.
 */
const GROUP_DIGITS = 9;
const GROUP_POWERS = Array.from({ length: GROUP_DIGITS + 1 }, (_, digits) => 58n ** BigInt(digits));

const PAYLOAD_BITS = 160n;
const CHECKSUM_BITS = 32n;
const CHECKSUM_BYTES = 4;

/** The content of a Base58Check address without its checksum: a version byte and 20 bytes. */
export type Base58Address = Readonly<{ version: number; payload: bigint }>;

/**
 * Reads an address, but does not check its checksum, because that costs most of the time. Returns
 * null for text that cannot be an address.
 */
export function decodeAddress(text: string): Base58Address | null {
  const value = decodeBase58(text);
  if (value === null) return null;
  const version = value >> (PAYLOAD_BITS + CHECKSUM_BITS);
  if (version > 0xffn) return null;
  return {
    version: Number(version),
    payload: BigInt.asUintN(Number(PAYLOAD_BITS), value >> CHECKSUM_BITS),
  };
}

/** Returns the address with its checksum, as wallets write it. */
export function encodeAddress({ version, payload }: Base58Address): string {
  const digits = payload.toString(16).padStart(Number(PAYLOAD_BITS / 4n), '0');
  const versioned = Buffer.concat([Buffer.of(version), Buffer.from(digits, 'hex')]);
  const checksum = sha256(sha256(versioned)).subarray(0, CHECKSUM_BYTES);
  return encodeBase58(Buffer.concat([versioned, checksum]));
}

const sha256 = (bytes: Buffer): Buffer => createHash('sha256').update(bytes).digest();

function decodeBase58(text: string): bigint | null {
  let value = 0n;
  for (let at = 0; at < text.length; at += GROUP_DIGITS) {
    const group = text.slice(at, at + GROUP_DIGITS);
    const groupValue = decodeGroup(group);
    if (groupValue === null) return null;
    value = value * (GROUP_POWERS[group.length] ?? 0n) + BigInt(groupValue);
  }
  return value;
}

function decodeGroup(group: string): number | null {
  let value = 0;
  for (const character of group) {
    const digit = DIGITS.get(character);
    if (digit === undefined) return null;
    value = value * 58 + digit;
  }
  return value;
}

export function encodeBase58(bytes: Buffer): string {
  let rest = BigInt(`0x${bytes.toString('hex')}`);
  let text = '';
  while (rest > 0n) {
    text = ALPHABET.charAt(Number(rest % 58n)) + text;
    rest /= 58n;
  }
  // By convention, each leading zero byte becomes one digit.
  const zeros = bytes.findIndex((byte) => byte !== 0);
  return ALPHABET.charAt(0).repeat(zeros) + text;
}
