import { base64urlnopad } from '@scure/base';
import { type AddressCheck, REASONS, refused, verified, withoutChecksum } from './address-check.ts';
import { byteAt } from './byte-at.ts';
import { hexOf } from './hex.ts';

const RAW = /^(?:-1|0):[0-9a-fA-F]{64}$/;

/** 36 bytes in base64. */
const FRIENDLY = /^[A-Za-z0-9+/_-]{48}$/;
const FRIENDLY_CHARS = 48;
const CHECKED_BYTES = 34;

const BOUNCEABLE = 0x11;
const NOT_BOUNCEABLE = 0x51;
const TESTNET_FLAG = 0x80;
const WORKCHAINS: Readonly<Record<number, string>> = { 0x00: '0', 0xff: '-1' };

/** TON: the friendly form (base64 with a checksum) and the raw form (workchain and hash, without one). */
export function checkTon(address: string): AddressCheck {
  if (address.includes(':')) {
    return RAW.test(address) ? withoutChecksum(address.toLowerCase()) : refused(REASONS.length);
  }
  if (address.length !== FRIENDLY_CHARS) return refused(REASONS.length);
  if (!FRIENDLY.test(address)) return refused(REASONS.character);
  const bytes = readFriendly(address);
  if (crc16(bytes) !== ((byteAt(bytes, CHECKED_BYTES) << 8) | byteAt(bytes, CHECKED_BYTES + 1))) {
    return refused(REASONS.checksum);
  }
  return checkFriendly(bytes);
}

function checkFriendly(bytes: Uint8Array): AddressCheck {
  const tag = byteAt(bytes, 0) & ~TESTNET_FLAG;
  const workchain = WORKCHAINS[byteAt(bytes, 1)];
  if (tag !== BOUNCEABLE && tag !== NOT_BOUNCEABLE) return refused(REASONS.prefix);
  if (workchain === undefined) return refused('it is on a workchain that does not exist');
  if ((byteAt(bytes, 0) & TESTNET_FLAG) !== 0) return refused(REASONS.testnet);
  return verified(`${workchain}:${hexOf(bytes, 2, CHECKED_BYTES)}`);
}

/** The two alphabets of base64 differ in their last two characters; an address may use either. */
const readFriendly = (address: string): Uint8Array =>
  base64urlnopad.decode(address.replaceAll('+', '-').replaceAll('/', '_'));

/** CRC-16/XMODEM over everything before the checksum. */
function crc16(bytes: Uint8Array): number {
  let crc = 0;
  for (let i = 0; i < CHECKED_BYTES; i++) {
    crc ^= byteAt(bytes, i) << 8;
    for (let bit = 0; bit < 8; bit++) crc = crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1;
  }
  return crc & 0xffff;
}
