import { resolve } from 'node:path';
import { readPrivateFile } from '../../config/secret-file.ts';
import { BursarError } from '../../domain/errors/bursar-error.ts';
import type { OperationContext } from '../context.ts';
import { isLockedKeyFile, readKeyFile, type SigningKey } from '../approval/key-file.ts';

/** Where a passphrase comes from: a private file, or the terminal. A flag or a variable would show it to other users. */
export type PassphraseFlags = Readonly<{ passphraseFile?: string }>;

/**
 * Reads a private key, with the passphrase that it needs. Throws KEY_FILE_OPEN, KEY_FILE_UNREADABLE, KEY_PASSPHRASE_MISSING,
 * KEY_PASSPHRASE_WRONG, SECRET_FILE_OPEN, SECRET_FILE_UNREADABLE.
 */
export async function readSigningKey(
  { key: file, passphraseFile }: PassphraseFlags & Readonly<{ key: string }>,
  asking: OperationContext,
): Promise<SigningKey> {
  const path = resolve(asking.cwd, file);
  if (!isLockedKeyFile(path, file)) return readKeyFile(path, file);
  const given =
    passphraseFile === undefined ? undefined : readPassphraseFile(passphraseFile, asking);
  return readKeyFile(path, file, given ?? (await askFor(`Passphrase of ${file}: `, asking)));
}

/**
 * The passphrase of a new key; undefined: none. It is typed twice on a terminal, unless `passphrase` is false.
 * Throws KEY_PASSPHRASE_DIFFERS, SECRET_FILE_OPEN, SECRET_FILE_UNREADABLE.
 */
export async function newPassphrase(
  { passphrase, passphraseFile }: PassphraseFlags & Readonly<{ passphrase?: boolean }>,
  asking: OperationContext,
): Promise<string | undefined> {
  if (passphraseFile !== undefined) return readPassphraseFile(passphraseFile, asking);
  if (passphrase === false || !asking.mayAsk) return undefined;
  const typed = await askFor('A passphrase for the key, or nothing for none: ', asking);
  if (typed === undefined || typed === '') return undefined;
  if ((await askFor('The passphrase again: ', asking)) === typed) return typed;
  throw new BursarError('KEY_PASSPHRASE_DIFFERS', {});
}

async function askFor(question: string, asking: OperationContext): Promise<string | undefined> {
  return asking.mayAsk ? asking.askSecret(question) : undefined;
}

function readPassphraseFile(file: string, { cwd }: OperationContext): string {
  const text = readPrivateFile(resolve(cwd, file), {
    open: (mode) => new BursarError('SECRET_FILE_OPEN', { file, mode }),
    unreadable: (reason, cause) =>
      new BursarError('SECRET_FILE_UNREADABLE', { file, reason }, { cause }),
  });
  const passphrase = text.replace(/\r?\n$/, '');
  if (passphrase !== '') return passphrase;
  throw new BursarError('SECRET_FILE_UNREADABLE', { file, reason: 'it is empty' });
}
