import { flagInvalid } from '../../../operations/input/flag-error.ts';

/** Reads arguments of the form `name=value`; the value may hold further `=`. Throws FLAG_INVALID. */
export function readPairs(flag: string, texts: readonly string[]): Record<string, string> {
  const pairs = new Map<string, string>();
  for (const text of texts) {
    const [, name, value] = /^([^=\s]+)=(.*)$/s.exec(text) ?? [];
    if (name === undefined || value === undefined) {
      throw flagInvalid(flag, `"${text}" has not the form name=value`);
    }
    if (pairs.has(name)) throw flagInvalid(flag, `${name} stands there twice`);
    pairs.set(name, value);
  }
  return Object.fromEntries(pairs);
}
