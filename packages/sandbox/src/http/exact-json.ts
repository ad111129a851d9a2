import { type Decimal, formatDecimal } from '../core/decimal.ts';
import { parseJson } from './json-reader.ts';

/** A JSON number as the text in the document, so that reading and writing it loses nothing. */
export class NumberLiteral {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type ExactJsonValue =
  | string
  | number
  | boolean
  | null
  | NumberLiteral
  | readonly ExactJsonValue[]
  | { readonly [name: string]: ExactJsonValue | undefined };

export const exactNumber = (value: Decimal): NumberLiteral =>
  new NumberLiteral(formatDecimal(value));

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Reads a document and returns its numbers as NumberLiteral. Throws for text that is not JSON in
 * UTF-8, for a repeated field, and for deep nesting.
 */
export function readJson(bytes: Buffer): unknown {
  return parseJson(UTF8.decode(bytes), (text) => new NumberLiteral(text));
}

/** Writes a value without fields that are undefined. Plain numbers must be safe integers. */
export function writeJson(value: ExactJsonValue): string {
  if (value instanceof NumberLiteral) return value.text;
  if (value === null || typeof value !== 'object') return writeScalar(value);
  if (isList(value)) return `[${value.map(writeJson).join(',')}]`;
  let fields = '';
  for (const name of Object.keys(value)) {
    const field = value[name];
    if (field === undefined) continue;
    fields += `${fields === '' ? '' : ','}${JSON.stringify(name)}:${writeJson(field)}`;
  }
  return `{${fields}}`;
}

const isList = (value: object): value is readonly ExactJsonValue[] => Array.isArray(value);

function writeScalar(value: string | number | boolean | null): string {
  if (typeof value === 'number' && !Number.isSafeInteger(value)) {
    throw new Error('A number that is not a safe integer must be a NumberLiteral.');
  }
  return JSON.stringify(value);
}
