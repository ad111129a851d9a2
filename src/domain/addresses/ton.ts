import { type AddressCheck, REASONS, refused, verified, withoutChecksum } from './address-check.ts';
import { byteAt } from './byte-at.ts';
import { hexOf } from './hex.ts';

const RAW = /^(?:-1|0):[0-9a-fA-F]{64}$/;

const FRIENDLY_CHARS = 48;
const FRIENDLY_BYTES = 36;
const CHECKED_BYTES = 34;

const BOUNCEABLE = 0x11;
const NOT_BOUNCEABLE = 0x51;
const TESTNET_FLAG = 0x80;
const WORKCHAINS: Readonly<Record<number, string>> = { 0x00: '0', 0xff: '-1' };

const DIGITS = digitsOf('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789');
const bytes = new Uint8Array(FRIENDLY_BYTES);

/** The two alphabets of base64 differ in their last two characters; an address may use either. */
function digitsOf(shared: string): Int8Array {
  const digits = new Int8Array(128).fill(-1);
  const withLastTwo = [`${shared}+/`, `${shared}-_`];
  for (const alphabet of withLastTwo) {
    for (let i = 0; i < alphabet.length; i++) digits[alphabet.charCodeAt(i)] = i;
  }
  return digits;
}

/** TON: the friendly form (base64 with a checksum) and the raw form (workchain and hash, without one). */
export function checkTon(address: string): AddressCheck {
  if (address.includes(':')) {
    return RAW.test(address) ? withoutChecksum(address.toLowerCase()) : refused(REASONS.length);
  }
  if (address.length !== FRIENDLY_CHARS) return refused(REASONS.length);
  if (!readFriendly(address)) return refused(REASONS.character);
  if (crc16() !== ((byteAt(bytes, CHECKED_BYTES) << 8) | byteAt(bytes, CHECKED_BYTES + 1))) {
    return refused(REASONS.checksum);
  }
  return checkFriendly();
}

function checkFriendly(): AddressCheck {
  const tag = byteAt(bytes, 0) & ~TESTNET_FLAG;
  const workchain = WORKCHAINS[byteAt(bytes, 1)];
  if (tag !== BOUNCEABLE && tag !== NOT_BOUNCEABLE) return refused(REASONS.prefix);
  if (workchain === undefined) return refused('it is on a workchain that does not exist');
  if ((byteAt(bytes, 0) & TESTNET_FLAG) !== 0) return refused(REASONS.testnet);
  return verified(`${workchain}:${hexOf(bytes, 2, CHECKED_BYTES)}`);
}

/** Four characters hold three bytes; 48 characters leave no bits over. */
function readFriendly(address: string): boolean {
  for (let i = 0, at = 0; i < FRIENDLY_CHARS; i += 4, at += 3) {
    let held = 0;
    for (let j = i; j < i + 4; j++) {
      const digit = DIGITS[address.charCodeAt(j)] ?? -1;
      if (digit < 0) return false;
      held = (held << 6) | digit;
    }
    bytes[at] = held >> 16;
    bytes[at + 1] = held >> 8;
    bytes[at + 2] = held;
  }
  return true;
}

/** CRC-16/XMODEM over everything before the checksum. */
function crc16(): number {
  let crc = 0;
  for (let i = 0; i < CHECKED_BYTES; i++) {
    crc ^= byteAt(bytes, i) << 8;
    for (let bit = 0; bit < 8; bit++) crc = crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1;
  }
  return crc & 0xffff;
}
