import { hashes, Point, verify } from '@noble/ed25519';
import { sha512 } from '@noble/hashes/sha2.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';

// The library has no hash of its own, and would use WebCrypto, which workflows do not have.
hashes.sha512 = sha512;

/** RFC 8032 in its strict form: one text for each signature, and no key under which a signature fits every message. */
const STRICT = { zip215: false };

const PREFIX = 'ed25519:';
const KEY_BYTES = 32;
const SIGNATURE_BYTES = 64;

/**
 * Whether `signature` (base64) is the signature of `text` by the owner of `publicKey` (`ed25519:` and base64). False
 * for anything that is no signature or key.
 */
export function isSignedBy(publicKey: string, text: string, signature: string): boolean {
  const name = JSON.stringify([publicKey, signature, text]);
  const known = verified.get(name);
  if (known !== undefined) return known;
  const isGenuine = verifyOnce(publicKey, text, signature);
  const [oldest] = verified.size < VERIFIED_MAX ? [] : verified.keys();
  if (oldest !== undefined) verified.delete(oldest);
  verified.set(name, isGenuine);
  return isGenuine;
}

/**
 * Results of earlier verifications. Every create of a batch checks its approvals again, and one verification takes
 * milliseconds. The key is the whole input, so that a stored result can serve no other one.
 */
const verified = new Map<string, boolean>();
const VERIFIED_MAX = 1_000;

function verifyOnce(publicKey: string, text: string, signature: string): boolean {
  const key = keyBytes(publicKey);
  const bytes = bytesOfBase64(signature);
  if (key === undefined || bytes?.length !== SIGNATURE_BYTES) return false;
  return verify(bytes, utf8ToBytes(text), key, STRICT);
}

/** Whether a text is a public key that has a private key. */
export function isPublicKey(text: string): boolean {
  const key = keyBytes(text);
  return key !== undefined && !(pointOf(key)?.isSmallOrder() ?? true);
}

function keyBytes(publicKey: string): Uint8Array | undefined {
  if (!publicKey.startsWith(PREFIX)) return undefined;
  const bytes = bytesOfBase64(publicKey.slice(PREFIX.length));
  return bytes?.length === KEY_BYTES ? bytes : undefined;
}

function pointOf(key: Uint8Array): Point | undefined {
  try {
    return Point.fromBytes(key);
  } catch {
    // The library throws for bytes that are no point of the curve.
    return undefined;
  }
}

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/**
 * The bytes that a base64 text stands for; undefined for any text that is not exactly what those bytes are written as.
 * Written here because workflows have neither `Buffer` nor `atob`.
 */
export function bytesOfBase64(text: string): Uint8Array | undefined {
  if (!BASE64.test(text)) return undefined;
  const bytes: number[] = [];
  let rest = 0;
  let restBits = 0;
  for (const digit of text.replaceAll('=', '')) {
    rest = (rest << 6) | DIGITS.indexOf(digit);
    restBits += 6;
    if (restBits < 8) continue;
    restBits -= 8;
    bytes.push(rest >> restBits);
    rest &= (1 << restBits) - 1;
  }
  return rest === 0 ? Uint8Array.from(bytes) : undefined;
}
