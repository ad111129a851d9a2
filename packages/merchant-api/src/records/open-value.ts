import { readDecimal } from '../json/decimal.ts';
import { DoubledName, isJsonNumber } from '../json/json-value.ts';
import { Unreadable } from '../response/unreadable.ts';

/** Content of an answer that the spec does not show. A number is exact decimal text. */
export type OpenValue =
  | string
  | boolean
  | null
  | readonly OpenValue[]
  | { readonly [name: string]: OpenValue };

/** Keeps parsed JSON as it is. A body of no bytes is `null`, and so is `null`. Throws `Unreadable` where one name has two values. */
export function readOpenValue(json: unknown): OpenValue {
  if (typeof json === 'string' || typeof json === 'boolean') return json;
  if (isJsonNumber(json)) return readDecimal(json.value) ?? json.value;
  if (Array.isArray(json)) return json.map(readOpenValue);
  if (typeof json !== 'object' || json === null) return null;
  if (json instanceof DoubledName) throw new Unreadable('a name comes twice with different values');
  return Object.fromEntries(
    Object.entries(json).map(([name, value]) => [name, readOpenValue(value)]),
  );
}
