import { isLosslessNumber } from 'lossless-json';
import { readDecimal } from '../json/decimal.ts';

/** Content of an answer that the spec does not show. A number is exact decimal text. */
export type OpenValue =
  | string
  | boolean
  | null
  | readonly OpenValue[]
  | { readonly [name: string]: OpenValue };

/** Keeps parsed JSON as it is. A body of no bytes is `null`, and so is `null`. */
export function readOpenValue(json: unknown): OpenValue {
  if (typeof json === 'string' || typeof json === 'boolean') return json;
  if (isLosslessNumber(json)) return readDecimal(json.value) ?? json.value;
  if (Array.isArray(json)) return json.map(readOpenValue);
  if (typeof json !== 'object' || json === null) return null;
  return Object.fromEntries(
    Object.entries(json).map(([name, value]) => [name, readOpenValue(value)]),
  );
}
