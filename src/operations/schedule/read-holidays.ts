import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { BursarError } from '../../domain/errors/bursar-error.ts';
import { parseHolidays } from '../../domain/schedule/holidays.ts';
import type { Holidays } from '../../domain/schedule/timing.ts';
import type { OperationContext } from '../context.ts';
import { counted } from '../../domain/text/counted.ts';

/** Bytes of a holiday file; one day takes about thirty. */
const SIZE_BYTES_MAX = 1_000_000;

/** Reads a holiday file whole: the schedule keeps its days, not its path. Throws HOLIDAYS_INVALID. */
export async function readHolidays(file: string, { cwd }: OperationContext): Promise<Holidays> {
  const bytes = await readBytes(file, resolve(cwd, file));
  const name = basename(file);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { file: name, sha256, days: parseHolidays(file, textOf(file, bytes)) };
}

async function readBytes(file: string, path: string): Promise<Buffer> {
  try {
    const { size, isFile } = await stat(path).then((found) => ({
      size: found.size,
      isFile: found.isFile(),
    }));
    if (!isFile) throw invalid(file, 'it is no file');
    if (size > SIZE_BYTES_MAX)
      throw invalid(file, `it has more than ${counted(SIZE_BYTES_MAX, 'byte')}`);
    return await readFile(path);
  } catch (cause) {
    if (cause instanceof BursarError) throw cause;
    throw invalid(file, `it cannot be read (${(cause as NodeJS.ErrnoException).code})`);
  }
}

function textOf(file: string, bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw invalid(file, 'it is not UTF-8 text');
  }
}

const invalid = (file: string, problem: string): BursarError =>
  new BursarError('HOLIDAYS_INVALID', { file, problem });
