import { findJsonFlaw, type JsonFlaw } from '@bursar/merchant-api';
import { flagInvalid } from './flag-error.ts';

const FLAWS: Readonly<Record<JsonFlaw, string>> = {
  'duplicate-key': 'it has a field twice in one object',
  'too-deep': 'it is nested too deep',
};

/**
 * Reads JSON from a flag. Throws FLAG_INVALID. It also refuses an object with a field twice, of which JavaScript would
 * keep the last, and a field `__proto__`, which would change the object itself.
 */
export function readJsonText(flag: string, text: string): unknown {
  const flaw = findJsonFlaw(text);
  if (flaw !== undefined) throw flagInvalid(flag, FLAWS[flaw]);
  let namesProto = false;
  const value = parse(flag, text, (name) => {
    namesProto ||= name === '__proto__';
  });
  if (namesProto) throw flagInvalid(flag, 'it has a field named __proto__');
  return value;
}

function parse(flag: string, text: string, onName: (name: string) => void): unknown {
  try {
    return JSON.parse(text, (name, member: unknown) => {
      onName(name);
      return member;
    });
  } catch {
    throw flagInvalid(flag, 'it cannot be read as JSON');
  }
}
