import { p256 } from '@noble/curves/nist.js';
import type { SignedBytes } from './ed25519.ts';

/** A point of P-256 in its short form, which is one text for each point. */
const KEY_BYTES = 33;

/** Authenticators choose either of the two signatures that fit a message. Nothing counts signatures: a person counts once. */
const AS_AUTHENTICATORS_SIGN = { format: 'der', lowS: false, prehash: true } as const;

/**
 * Whether an ES256 signature (ECDSA on P-256 with SHA-256) is genuine. False for anything that is no signature or key, and for
 * any form of a signature that DER does not have.
 */
export const isP256Signature = ({ key, message, signature }: SignedBytes): boolean =>
  key.length === KEY_BYTES && p256.verify(signature, message, key, AS_AUTHENTICATORS_SIGN);

/** Whether bytes are a public key that has a private key. */
export const isP256Key = (key: Uint8Array): boolean => key.length === KEY_BYTES && isPoint(key);

function isPoint(key: Uint8Array): boolean {
  try {
    p256.Point.fromBytes(key);
    return true;
  } catch {
    // The library throws for bytes that are no point of the curve.
    return false;
  }
}
