import { readFile, stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { BursarError } from '../../../domain/errors/bursar-error.ts';
import {
  HOLIDAYS_BYTES_MAX,
  type HolidayFile,
  holidaysTooLarge,
} from '../../../operations/schedule/read-holidays.ts';

/** Reads a holiday file whole. Throws HOLIDAYS_INVALID. */
export async function readHolidayFile(file: string, cwd: string): Promise<HolidayFile> {
  return { file: basename(file), text: textOf(file, await readBytes(file, resolve(cwd, file))) };
}

async function readBytes(file: string, path: string): Promise<Buffer> {
  try {
    const found = await stat(path);
    if (!found.isFile()) throw invalid(file, 'it is no file');
    if (found.size > HOLIDAYS_BYTES_MAX) throw holidaysTooLarge(file);
    return await readFile(path);
  } catch (cause) {
    if (cause instanceof BursarError) throw cause;
    throw invalid(file, `it cannot be read (${(cause as NodeJS.ErrnoException).code})`);
  }
}

function textOf(file: string, bytes: Buffer): string {
  try {
    // A byte order mark stays: the hash of the file has it.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw invalid(file, 'it is not UTF-8 text');
  }
}

const invalid = (file: string, problem: string): BursarError =>
  new BursarError('HOLIDAYS_INVALID', { file, problem });
