import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Context } from '../context.ts';
import { flagInvalid } from '../../operations/input/flag-error.ts';

/** What opens an address in the browser that the person has chosen. */
const OPENERS: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['explorer.exe'],
};

/** Opens an address in a browser, and does not wait for it to be closed. Throws FLAG_INVALID where that cannot be done. */
export async function openPage(url: string, { env }: Context): Promise<void> {
  const [program, ...args] = OPENERS[process.platform] ?? ['xdg-open'];
  const opener = spawn(program, [...args, url], { env, detached: true, stdio: 'ignore' });
  try {
    await once(opener, 'spawn');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw flagInvalid('--open', `${program} cannot be run (${code}); open the address yourself`);
  }
  opener.unref();
}
