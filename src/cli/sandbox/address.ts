import type { Context } from '../context.ts';
import { flagInvalid } from '../../operations/input/flag-error.ts';
import { localUrl } from '../../local-stack/stack-ports.ts';

/** The address of the sandbox: `--url`, or that of the settings. Throws FLAG_INVALID, SETTINGS_INVALID. */
export async function sandboxUrl(url: string | undefined, context: Context): Promise<string> {
  if (url !== undefined) return readBareUrl(url);
  const { sandbox } = await context.open.settings(context);
  return localUrl(sandbox.listen);
}

function readBareUrl(url: string): string {
  const { origin, pathname, search, hash, username } = readHttpUrl('--url', url);
  const isBare = pathname === '/' && `${search}${hash}${username}` === '';
  if (isBare) return origin;
  throw flagInvalid('--url', 'give the address alone, such as http://127.0.0.1:8788');
}

/** Reads an address, `http://` by default. Throws FLAG_INVALID. */
export function readHttpUrl(flag: string, text: string): URL {
  const url = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  if (/^https?:/i.test(url) && URL.canParse(url)) return new URL(url);
  throw flagInvalid(flag, `"${text}" is not an address such as http://127.0.0.1:8788`);
}
