import { sha256 } from '@noble/hashes/sha2.js';
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { isObject } from '../json/is-object.ts';
import { base64UrlOf } from '../text/base64.ts';
import { isEd25519Key, isEd25519Signature } from './ed25519.ts';
import { isP256Key, isP256Signature } from './p256.ts';
import {
  type Assertion,
  challengeOf,
  isOriginOf,
  type Passkey,
  readPasskey,
  readPasskeySignature,
} from './passkey.ts';

/** Whether a text is a passkey that has a private key. */
export function isPasskey(text: string): boolean {
  const passkey = readPasskey(text);
  if (passkey === undefined) return false;
  return passkey.algorithm === 'ES256' ? isP256Key(passkey.key) : isEd25519Key(passkey.key);
}

/**
 * Whether the owner of a passkey signed a text: on a page of the passkey's web app, present and identified. False for
 * anything that is no passkey or signature. The counter of signatures is not compared: passkeys of several devices have none.
 */
export function isSignedByPasskey(publicKey: string, text: string, signature: string): boolean {
  const passkey = readPasskey(publicKey);
  const assertion = readPasskeySignature(signature);
  return (
    passkey !== undefined &&
    assertion !== undefined &&
    isAbout(assertion.clientDataJSON, { text, rpId: passkey.rpId }) &&
    isByPerson(assertion.authenticatorData, passkey.rpId) &&
    isGenuine(passkey, assertion)
  );
}

/** The page that a passkey signed for, as the browser wrote it; null for anything that is no signature of a passkey. */
export function pageOfSignature(signature: string): string | null {
  const assertion = readPasskeySignature(signature);
  const { origin } = assertion === undefined ? {} : readClientData(assertion.clientDataJSON);
  return typeof origin === 'string' ? origin : null;
}

type Asked = Readonly<{ text: string; rpId: string }>;

/** Whether the browser was asked to sign this text, by a page of the web app itself and not of a frame in another one. */
function isAbout(clientDataJSON: Uint8Array, { text, rpId }: Asked): boolean {
  const { type, challenge, origin, crossOrigin = false } = readClientData(clientDataJSON);
  return (
    type === 'webauthn.get' &&
    challenge === base64UrlOf(challengeOf(text)) &&
    typeof origin === 'string' &&
    isOriginOf(rpId, origin) &&
    crossOrigin === false
  );
}

type ClientData = Readonly<
  Partial<Record<'type' | 'challenge' | 'origin' | 'crossOrigin', unknown>>
>;

/** Every text that browsers write here is ASCII. No field can be read from anything else. */
function readClientData(bytes: Uint8Array): ClientData {
  if (bytes.some((byte) => byte >= 0x80)) return {};
  try {
    const read: unknown = JSON.parse(String.fromCharCode(...bytes));
    return isObject(read) ? read : {};
  } catch {
    // Bytes that are no JSON have no field.
    return {};
  }
}

/** Flags of the authenticator (WebAuthn, 6.1). */
const PRESENT = 0x01;
const VERIFIED = 0x04;
const MAY_BE_COPIED = 0x08;
const IS_COPIED = 0x10;
const HAS_EXTENSIONS = 0x80;

/** Hash of the host name, flags, counter. More bytes are extensions, which mean nothing here. */
const PLAIN_BYTES = 37;

/** Whether the authenticator signed for this web app, and identified the person (by a finger, a face or a PIN). */
function isByPerson(authenticatorData: Uint8Array, rpId: string): boolean {
  const flags = authenticatorData[32] ?? 0;
  const has = (flag: number): boolean => (flags & flag) !== 0;
  const expected = sha256(utf8ToBytes(rpId));
  return (
    authenticatorData.length >= PLAIN_BYTES &&
    (authenticatorData.length === PLAIN_BYTES || has(HAS_EXTENSIONS)) &&
    expected.every((byte, at) => byte === authenticatorData[at]) &&
    has(PRESENT) &&
    has(VERIFIED) &&
    (has(MAY_BE_COPIED) || !has(IS_COPIED))
  );
}

function isGenuine(
  { algorithm, key }: Passkey,
  { authenticatorData, clientDataJSON, signature }: Assertion,
): boolean {
  const message = concatBytes(authenticatorData, sha256(clientDataJSON));
  const signed = { key, message, signature };
  return algorithm === 'ES256' ? isP256Signature(signed) : isEd25519Signature(signed);
}
