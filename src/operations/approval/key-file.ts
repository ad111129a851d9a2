import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
} from 'node:crypto';
import { closeSync, fchmodSync, fsyncSync, openSync, unlinkSync, writeFileSync } from 'node:fs';
import { type PrivateFileErrors, readPrivateFile } from '../../config/secret-file.ts';
import { BursarError } from '../../domain/errors/bursar-error.ts';

/** A private key that signs and that no caller can read. */
export type SigningKey = Readonly<{
  /** As settings have it: `ed25519:` and base64. */
  publicKey: string;
  /** Signs a text; 64 bytes in base64. */
  sign(text: string): string;
}>;

const KEY_MODE = 0o600;

/**
 * Writes a new key to a new file that only its owner can read, encrypted if there is a passphrase. Returns the public
 * key. Throws KEY_FILE_UNWRITABLE, also when the file exists.
 */
export function makeKeyFile(path: string, shownName: string, passphrase?: string): string {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  try {
    writeNewFile(path, privateKey.export({ type: 'pkcs8', format: 'pem', ...lockOf(passphrase) }));
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    const reason = code === 'EEXIST' ? 'there is such a file already' : (code ?? 'unknown reason');
    throw new BursarError('KEY_FILE_UNWRITABLE', { file: shownName, reason }, { cause });
  }
  return publicKeyText(publicKey);
}

/** Encrypted PKCS#8, which OpenSSL and others read. */
const lockOf = (passphrase: string | undefined) =>
  passphrase === undefined ? {} : { cipher: 'aes-256-cbc', passphrase };

/** Removes a file that could not be written whole: half a key looks like a key. */
function writeNewFile(path: string, text: string | Buffer): void {
  const descriptor = openSync(path, 'wx', KEY_MODE);
  try {
    fchmodSync(descriptor, KEY_MODE);
    writeFileSync(descriptor, text);
    fsyncSync(descriptor);
  } catch (error) {
    unlinkSync(path);
    throw error;
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Reads a private key. Throws KEY_FILE_OPEN when its file is not private, and KEY_FILE_UNREADABLE for a
 * file without an Ed25519 key. An encrypted key throws KEY_PASSPHRASE_MISSING or KEY_PASSPHRASE_WRONG. No error holds
 * any part of the key.
 */
export function readKeyFile(path: string, shownName: string, passphrase?: string): SigningKey {
  const pem = readPrivateFile(path, errorsOf(shownName));
  const privateKey = parseKey(pem, shownName, passphrase);
  return {
    publicKey: publicKeyText(createPublicKey(privateKey)),
    sign: (message) => sign(null, Buffer.from(message), privateKey).toString('base64'),
  };
}

/** Whether a key file needs a passphrase. Throws KEY_FILE_OPEN, KEY_FILE_UNREADABLE. */
export const isLockedKeyFile = (path: string, shownName: string): boolean =>
  isLocked(readPrivateFile(path, errorsOf(shownName)));

const isLocked = (text: string): boolean => text.includes('-----BEGIN ENCRYPTED PRIVATE KEY-----');

function parseKey(text: string, file: string, passphrase: string | undefined): KeyObject {
  const locked = isLocked(text);
  if (locked && passphrase === undefined) throw new BursarError('KEY_PASSPHRASE_MISSING', { file });
  const key = privateKeyIn(text, passphrase);
  if (key === undefined) {
    if (locked) throw new BursarError('KEY_PASSPHRASE_WRONG', { file });
    throw unreadable(file, 'it holds no private key in PEM');
  }
  if (key.asymmetricKeyType === 'ed25519') return key;
  throw unreadable(file, `its key is of the kind ${key.asymmetricKeyType ?? 'unknown'}`);
}

function privateKeyIn(text: string, passphrase: string | undefined): KeyObject | undefined {
  try {
    return createPrivateKey({ key: text, ...(passphrase === undefined ? {} : { passphrase }) });
  } catch {
    // The error of the library may quote the key.
    return undefined;
  }
}

const errorsOf = (file: string): PrivateFileErrors => ({
  open: (mode) => new BursarError('KEY_FILE_OPEN', { file, mode }),
  unreadable: (reason) => unreadable(file, reason),
});

const unreadable = (file: string, reason: string): BursarError =>
  new BursarError('KEY_FILE_UNREADABLE', { file, reason });

function publicKeyText(publicKey: KeyObject): string {
  const { x = '' } = publicKey.export({ format: 'jwk' });
  return `ed25519:${Buffer.from(x, 'base64url').toString('base64')}`;
}
