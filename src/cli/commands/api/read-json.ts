import { flagInvalid } from '../../flags/flag-error.ts';

/** Reads a payload that was typed as JSON: an object with none but the known fields. Throws FLAG_INVALID. */
export function readJsonObject(
  text: string,
  known: readonly string[],
): Readonly<Record<string, unknown>> {
  const value = parse(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw flagInvalid('JSON', 'it must be an object');
  }
  const unknown = Object.keys(value).find((field) => !known.includes(field));
  if (unknown === undefined) return value as Readonly<Record<string, unknown>>;
  throw flagInvalid('JSON', `it has no field "${unknown}"; known are ${known.join(', ')}`);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw flagInvalid('JSON', 'it cannot be read');
  }
}
