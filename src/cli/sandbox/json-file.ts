import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { flagInvalid } from '../../operations/input/flag-error.ts';
import { readJsonText } from '../../operations/input/json-text.ts';
import type { Context } from '../context.ts';
import { readStdin, STDIN } from '../operation-table/read-stdin.ts';

/** Reads JSON from a file, or from standard input for `-`. Throws FLAG_INVALID. */
export async function readJsonFile(file: string, context: Context): Promise<unknown> {
  return readJsonText(
    'FILE',
    file === STDIN ? await readStdin(context) : await textOf(file, context),
  );
}

async function textOf(file: string, { cwd }: Context): Promise<string> {
  try {
    return await readFile(resolve(cwd, file), 'utf8');
  } catch (error) {
    throw flagInvalid('FILE', `it cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}
