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

/** A private key that can be used and not be looked at. */
export type SigningKey = Readonly<{
  /** As settings have it: `ed25519:` and base64. */
  publicKey: string;
  /** Signs a text; 64 bytes in base64. */
  sign(text: string): string;
}>;

const KEY_MODE = 0o600;

/**
 * Makes a key in a new file that only its owner can read, encrypted with the passphrase if there is one, and answers with
 * its public half. Throws KEY_FILE_UNWRITABLE, also when there is a file of that name.
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

/** A file that could not be written whole is taken away again: half a key looks like a key. */
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
 * Reads a private key. Throws KEY_FILE_OPEN unless the file's mode is 0600 or 0400, KEY_FILE_UNREADABLE for a file that
 * holds no Ed25519 key, KEY_PASSPHRASE_MISSING and KEY_PASSPHRASE_WRONG for one that is encrypted. Nothing that is thrown holds any part of the key.
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
    // What the library says of a key that it cannot read may quote it.
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
