import { LosslessNumber } from 'lossless-json';
import { isJsonNumber } from './json-value.ts';

/**
 * A value that `writeJson` writes. A number must be a `LosslessNumber`, so that no amount passes
 * through a JavaScript number.
 */
export type JsonValue =
  | string
  | boolean
  | null
  | LosslessNumber
  | readonly JsonValue[]
  | { readonly [name: string]: JsonValue | undefined };

/**
 * Writes compact JSON in the order of the members. A number keeps its text. An undefined member is
 * left out.
 */
export function writeJson(value: JsonValue): string {
  if (isJsonNumber(value)) return value.value;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (isList(value)) return `[${value.map(writeJson).join(',')}]`;
  const members = Object.entries(value).flatMap(([name, member]) =>
    member === undefined ? [] : [`${JSON.stringify(name)}:${writeJson(member)}`],
  );
  return `{${members.join(',')}}`;
}

const isList = (value: JsonValue): value is readonly JsonValue[] => Array.isArray(value);

/** A count to write: an exact integer, and never an amount. */
export const jsonInteger = (value: number): LosslessNumber => new LosslessNumber(String(value));
