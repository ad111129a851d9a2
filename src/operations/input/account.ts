import { isAccountId } from '@bursar/merchant-api/spec';
import { flagInvalid } from './flag-error.ts';

/** Checks the id of an account. Throws FLAG_INVALID. */
export function readAccount(flag: string, text: string): string {
  if (isAccountId(text)) return text;
  throw flagInvalid(flag, `"${text}" is not 0x and 40 hexadecimal digits (or a UUID)`);
}
