import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { base64Of, base64UrlOf, bytesOfBase64, bytesOfBase64Url } from '../text/base64.ts';

const PREFIX = 'passkey:';

/** ES256: ECDSA on P-256 with SHA-256, whose keys are points in the short form. EdDSA: Ed25519. */
export type PasskeyAlgorithm = 'ES256' | 'EdDSA';

/** The public half of a passkey (WebAuthn). `rpId`: the host name of the web app that it was made for. */
export type Passkey = Readonly<{ rpId: string; algorithm: PasskeyAlgorithm; key: Uint8Array }>;

/** Everything that a passkey returns when it signs. */
export type Assertion = Readonly<{
  authenticatorData: Uint8Array;
  /** JSON of the browser: the challenge and the page. */
  clientDataJSON: Uint8Array;
  signature: Uint8Array;
}>;

export const isPasskeyText = (text: string): boolean => text.startsWith(PREFIX);

/** Reads `passkey:RPID:ALGORITHM:BASE64`; undefined for any other text. */
export function readPasskey(text: string): Passkey | undefined {
  const [rpId = '', algorithm = '', base64 = '', ...rest] = text.slice(PREFIX.length).split(':');
  const key = bytesOfBase64(base64);
  const isSound =
    isPasskeyText(text) && rest.length === 0 && isHostName(rpId) && isAlgorithm(algorithm);
  return isSound && key !== undefined ? { rpId, algorithm, key } : undefined;
}

const isAlgorithm = (text: string): text is PasskeyAlgorithm => ['ES256', 'EdDSA'].includes(text);

/** Whether a text is a host name in small letters, and no address of numbers: passkeys belong to names alone. */
export function isHostName(text: string): boolean {
  const labels = text.split('.');
  const isSound = labels.every((label) => /^[a-z0-9-]{1,63}$/.test(label) && !/^-|-$/.test(label));
  return isSound && text.length <= 253 && /^[a-z]/.test(labels.at(-1) ?? '');
}

/** Whether a page belongs to the web app: its host is that of the passkey or below it, over TLS unless it is on this machine. */
export function isOriginOf(rpId: string, origin: string): boolean {
  const [, scheme, host = ''] =
    /^(https?):\/\/([a-z0-9.-]{1,253})(?::\d{1,5})?$/.exec(origin) ?? [];
  const isBelow = host === rpId || host.endsWith(`.${rpId}`);
  return isBelow && (scheme === 'https' || host === 'localhost');
}

const P256_SPKI =
  /^3059301306072a8648ce3d020106082a8648ce3d03010703420004([0-9a-f]{64})([0-9a-f]{64})$/;
const ED25519_SPKI = /^302a300506032b6570032100([0-9a-f]{64})$/;

/**
 * The text of a passkey for `public_key` of the settings, from the public key that the browser returns (`getPublicKey()`,
 * SPKI). Undefined for any other kind of key.
 */
export function passkeyOfSpki(rpId: string, spki: Uint8Array): string | undefined {
  const hex = bytesToHex(spki);
  const [, x, y] = P256_SPKI.exec(hex) ?? [];
  if (x !== undefined && y !== undefined) {
    const sign = /[02468ace]$/.test(y) ? '02' : '03';
    return textOf(rpId, 'ES256', `${sign}${x}`);
  }
  const [, key] = ED25519_SPKI.exec(hex) ?? [];
  return key === undefined ? undefined : textOf(rpId, 'EdDSA', key);
}

const textOf = (rpId: string, algorithm: PasskeyAlgorithm, keyHex: string): string =>
  `${PREFIX}${rpId}:${algorithm}:${base64Of(hexToBytes(keyHex))}`;

/** Names the key itself: the same key for two web apps, or as a passkey and as a key of a file, is one key. */
export function keyIdentity(publicKey: string): string {
  const [, , algorithm = '', base64 = ''] = isPasskeyText(publicKey) ? publicKey.split(':') : [];
  if (base64 === '') return publicKey;
  return algorithm === 'EdDSA' ? `ed25519:${base64}` : `${algorithm}:${base64}`;
}

/** The challenge by which a passkey signs a text: 32 bytes, its SHA-256. */
export const challengeOf = (text: string): Uint8Array => sha256(utf8ToBytes(text));

/** An assertion as the signature of a statement: `passkey.` and three parts in base64 for web addresses. */
export const passkeySignature = ({
  authenticatorData,
  clientDataJSON,
  signature,
}: Assertion): string =>
  ['passkey', ...[authenticatorData, clientDataJSON, signature].map(base64UrlOf)].join('.');

/** Reads what {@link passkeySignature} writes; undefined for any other text. */
export function readPasskeySignature(text: string): Assertion | undefined {
  const [kind, ...parts] = text.split('.');
  const [authenticatorData, clientDataJSON, signature, ...rest] = parts.map(bytesOfBase64Url);
  const isWhole = kind === 'passkey' && rest.length === 0;
  return isWhole && authenticatorData && clientDataJSON && signature
    ? { authenticatorData, clientDataJSON, signature }
    : undefined;
}
