import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fchmodSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { PRIVATE_FILE_MODE, PRIVATE_FOLDER_MODE } from '../domain/files/private-modes.ts';

/**
 * Makes a file that only its owner can read. It appears under its name complete and safe on disk, or not at all.
 * Returns false, and changes nothing, when the file exists. Throws the errors of the file system.
 */
export function makePrivateFile(file: string, text: string): boolean {
  return throughDraft(file, text, (draft) => {
    try {
      linkSync(draft, file);
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
      throw error;
    }
  });
}

/** As {@link makePrivateFile}, but replaces an existing file; a reader sees the old file or the new one. */
export function replacePrivateFile(file: string, text: string): void {
  throughDraft(file, text, (draft) => renameSync(draft, file));
}

function throughDraft<Result>(
  file: string,
  text: string,
  putInPlace: (draft: string) => Result,
): Result {
  const draft = `${file}.${randomBytes(8).toString('hex')}.new`;
  mkdirSync(dirname(file), { recursive: true, mode: PRIVATE_FOLDER_MODE });
  try {
    writeDurably(draft, text);
    return putInPlace(draft);
  } finally {
    rmSync(draft, { force: true });
  }
}

function writeDurably(file: string, text: string): void {
  const descriptor = openSync(file, 'wx', PRIVATE_FILE_MODE);
  try {
    // With any umask.
    fchmodSync(descriptor, PRIVATE_FILE_MODE);
    writeFileSync(descriptor, text);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
