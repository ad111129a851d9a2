import { type AddressCheck, REASONS, refused, verified } from './address-check.ts';
import { HASH_PAYLOAD_BYTES, readBase58Check } from './base58.ts';
import { byteAt } from './byte-at.ts';
import { hexOf } from './hex.ts';

const CLASSIC_VERSION = 0x00;

/** Two bytes of prefix, 20 of account, one of flags, eight of tag. */
const X_PAYLOAD_BYTES = 31;
const X_PREFIX_MAIN = 0x0544;
const X_PREFIX_TEST = 0x0493;
const FLAGS_AT = 22;
const WITH_TAG = 1;

/** XRP Ledger: classic addresses (r...) and X-addresses, which carry a destination tag. */
export const checkXrp = (address: string): AddressCheck =>
  /^[XT]/.test(address) ? checkXAddress(address) : checkClassic(address);

function checkClassic(address: string): AddressCheck {
  const check = readBase58Check(address, 'xrp', HASH_PAYLOAD_BYTES);
  if (!check.ok) return check;
  const { bytes } = check;
  return bytes[0] === CLASSIC_VERSION
    ? verified(hexOf(bytes, 1, HASH_PAYLOAD_BYTES))
    : refused(REASONS.prefix);
}

function checkXAddress(address: string): AddressCheck {
  const check = readBase58Check(address, 'xrp', X_PAYLOAD_BYTES);
  if (!check.ok) return check;
  const { bytes } = check;
  const prefix = (byteAt(bytes, 0) << 8) | byteAt(bytes, 1);
  if (prefix === X_PREFIX_TEST) return refused(REASONS.testnet);
  if (prefix !== X_PREFIX_MAIN) return refused(REASONS.prefix);
  const account = hexOf(bytes, 2, FLAGS_AT);
  const tag = hexOf(bytes, FLAGS_AT + 1, X_PAYLOAD_BYTES);
  const flags = byteAt(bytes, FLAGS_AT);
  if (flags > WITH_TAG || !/0{8}$/.test(tag)) return refused('its tag is of an unknown kind');
  if (flags === WITH_TAG) return verified(`${account}:${tag}`);
  return /^0+$/.test(tag) ? verified(account) : refused('its tag is of an unknown kind');
}
