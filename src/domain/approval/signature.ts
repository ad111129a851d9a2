import { utf8ToBytes } from '@noble/hashes/utils.js';
import { bytesOfBase64 } from '../text/base64.ts';
import { isEd25519Key, isEd25519Signature } from './ed25519.ts';
import { isPasskeyText } from './passkey.ts';
import { isPasskey, isSignedByPasskey } from './passkey-proof.ts';
import { SIGNATURE_LENGTH_MAX } from './statement.ts';

const PREFIX = 'ed25519:';

/**
 * Whether `signature` is the signature of `text` by the owner of `publicKey`: `ed25519:` and base64 with 64 bytes in base64,
 * or a passkey and its signature. False for anything that is no signature or key.
 */
export function isSignedBy(publicKey: string, text: string, signature: string): boolean {
  if (signature.length > SIGNATURE_LENGTH_MAX) return false;
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
  if (isPasskeyText(publicKey)) return isSignedByPasskey(publicKey, text, signature);
  const key = keyBytes(publicKey);
  const bytes = bytesOfBase64(signature);
  if (key === undefined || bytes === undefined) return false;
  return isEd25519Signature({ key, message: utf8ToBytes(text), signature: bytes });
}

/** Whether a text is a public key that has a private key. */
export function isPublicKey(text: string): boolean {
  if (isPasskeyText(text)) return isPasskey(text);
  const key = keyBytes(text);
  return key !== undefined && isEd25519Key(key);
}

const keyBytes = (publicKey: string): Uint8Array | undefined =>
  publicKey.startsWith(PREFIX) ? bytesOfBase64(publicKey.slice(PREFIX.length)) : undefined;
