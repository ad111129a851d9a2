import { parse, type Reviver } from 'lossless-json';
import { Unreadable } from '../response/unreadable.ts';
import { findJsonFlaw } from './scan-json.ts';

/**
 * Reads UTF-8 JSON without losing a digit: every number becomes a `LosslessNumber`, which keeps its
 * text. A member that is `null` counts as absent; a `null` in a list stays. Throws `Unreadable`.
 */
export function readJson(bytes: Uint8Array): unknown {
  return parseJson(decodeUtf8(bytes), dropNullMember);
}

/** Parses JSON without losing a digit, and keeps every `null`. Throws `Unreadable`. */
export function parseJson(text: string, reviver?: Reviver): unknown {
  const flaw = findJsonFlaw(text);
  if (flaw !== undefined) throw new Unreadable(`the JSON has a flaw: ${flaw}`);
  try {
    return parse(text, reviver);
  } catch {
    // The parser's message quotes the text, and no text of the service may reach an error.
    throw new Unreadable('the body is not JSON');
  }
}

function dropNullMember(this: unknown, _name: string, value: unknown): unknown {
  return value === null && !Array.isArray(this) ? undefined : value;
}

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Unreadable('the body is not UTF-8');
  }
}
