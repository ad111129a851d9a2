import { parse } from 'lossless-json';
import { type Decimal, formatDecimal } from '../core/decimal.ts';

/** A JSON number as the text that stands in the document; reading and writing it loses nothing. */
export class NumberLiteral {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type JsonValue =
  | string
  | number
  | boolean
  | null
  | NumberLiteral
  | readonly JsonValue[]
  | { readonly [name: string]: JsonValue | undefined };

export const exactNumber = (value: Decimal): NumberLiteral =>
  new NumberLiteral(formatDecimal(value));

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Reads a document whose numbers become NumberLiteral.
 * Throws on anything that is not JSON in UTF-8, on a field given twice with two values, and on
 * extreme nesting.
 */
export function readJson(bytes: Buffer): unknown {
  return parse(UTF8.decode(bytes), null, { parseNumber: (text) => new NumberLiteral(text) });
}

/** Writes a value; fields that are undefined are left out. Plain numbers must be safe integers. */
export function writeJson(value: JsonValue): string {
  if (value instanceof NumberLiteral) return value.text;
  if (value === null || typeof value !== 'object') return writeScalar(value);
  if (isList(value)) return `[${value.map(writeJson).join(',')}]`;
  const fields = Object.entries(value).flatMap(([name, field]) =>
    field === undefined ? [] : [`${JSON.stringify(name)}:${writeJson(field)}`],
  );
  return `{${fields.join(',')}}`;
}

const isList = (value: object): value is readonly JsonValue[] => Array.isArray(value);

function writeScalar(value: string | number | boolean | null): string {
  if (typeof value === 'number' && !Number.isSafeInteger(value)) {
    throw new Error('A number that is not a safe integer must be a NumberLiteral.');
  }
  return JSON.stringify(value);
}
