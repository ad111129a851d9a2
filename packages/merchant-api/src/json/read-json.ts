import { parse } from 'lossless-json';
import { Unreadable } from '../response/unreadable.ts';
import { DoubledName, isJsonNumber } from './json-value.ts';
import { findJsonFlaw, isTooDeep } from './scan-json.ts';

/**
 * Reads UTF-8 JSON without losing a digit: every number becomes a `LosslessNumber`, which keeps its
 * text. A member that is `null` counts as absent; a `null` in a list stays. A name that comes twice with different values has a
 * `DoubledName` as its value. Throws `Unreadable`.
 */
export const readJson = (bytes: Uint8Array): unknown =>
  withoutNullMembers(readWith(bytes, () => new DoubledName()));

/** Reads UTF-8 JSON as it is, with each `null`. Of a name that comes twice it keeps the last value. Throws `Unreadable`. */
export const readWholeJson = (bytes: Uint8Array): unknown =>
  readWith(bytes, ({ newValue }) => newValue);

/** Parses JSON without losing a digit, and keeps every `null`. Throws `Unreadable`, also for a name that comes twice. */
export function parseJson(text: string): unknown {
  const flaw = findJsonFlaw(text);
  if (flaw !== undefined) throw new Unreadable(`the JSON has a flaw: ${flaw}`);
  return parseText(text);
}

type OnDoubledName = (names: Readonly<{ newValue: unknown }>) => unknown;

function readWith(bytes: Uint8Array, onDuplicateKey: OnDoubledName): unknown {
  const text = decodeUtf8(bytes);
  if (isTooDeep(text)) throw new Unreadable('the JSON is nested too deep');
  return parseText(text, onDuplicateKey);
}

function parseText(text: string, onDuplicateKey?: OnDoubledName): unknown {
  try {
    return parse(text, null, onDuplicateKey === undefined ? {} : { onDuplicateKey });
  } catch {
    // The parser's message quotes the text, and no text of the service may reach an error.
    throw new Unreadable('the body is not JSON');
  }
}

/** Removes the members that are `null`, at any depth. Changes the value, which the parser has just made. */
function withoutNullMembers(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || isJsonNumber(value)) return value;
  if (value instanceof DoubledName) return value;
  const isList = Array.isArray(value);
  for (const [name, member] of Object.entries(value)) {
    if (member === null && !isList) Reflect.deleteProperty(value, name);
    else withoutNullMembers(member);
  }
  return value;
}

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Unreadable('the body is not UTF-8');
  }
}
