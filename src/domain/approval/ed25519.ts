import { hashes, Point, verify } from '@noble/ed25519';
import { sha512 } from '@noble/hashes/sha2.js';

// The library has no hash of its own, and would use WebCrypto, which workflows do not have.
hashes.sha512 = sha512;

/** RFC 8032 in its strict form: one text for each signature, and no key under which a signature fits every message. */
const STRICT = { zip215: false };

const KEY_BYTES = 32;
const SIGNATURE_BYTES = 64;

/** A signature of a message by the owner of a public key, as bytes. */
export type SignedBytes = Readonly<{
  key: Uint8Array;
  message: Uint8Array;
  signature: Uint8Array;
}>;

/** Whether an Ed25519 signature is genuine. False for anything that is no signature or key. */
export const isEd25519Signature = ({ key, message, signature }: SignedBytes): boolean =>
  key.length === KEY_BYTES &&
  signature.length === SIGNATURE_BYTES &&
  verify(signature, message, key, STRICT);

/** Whether bytes are a public key that has a private key. */
export const isEd25519Key = (key: Uint8Array): boolean =>
  key.length === KEY_BYTES && !(pointOf(key)?.isSmallOrder() ?? true);

function pointOf(key: Uint8Array): Point | undefined {
  try {
    return Point.fromBytes(key);
  } catch {
    // The library throws for bytes that are no point of the curve.
    return undefined;
  }
}
