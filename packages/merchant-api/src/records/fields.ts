import { z } from 'zod';
import type { LosslessNumber } from 'lossless-json';
import type { WireState } from '../spec/states.ts';
import { readDecimal } from '../json/decimal.ts';
import { isJsonNumber, isJsonObject } from '../json/json-value.ts';
import { Unreadable } from '../response/unreadable.ts';

/*
 * The fields of answers. Objects made of them ignore unknown fields (spec:
 * "Authentication" 6); `null` never gets here (see readJson). A description completes the sentence
 * "the field is not ...".
 */

const jsonNumber = z.custom<LosslessNumber>(isJsonNumber);
const digits = jsonNumber.transform(({ value }) => value);
const numberText = z.union([z.string(), digits]);

/**
 * An amount, as canonical decimal text; the service may write it as a number or as text. May be
 * negative.
 */
export const decimal: z.ZodType<string> = numberText
  .transform((text, context) => {
    const canonical = readDecimal(text);
    if (canonical !== undefined) return canonical;
    context.addIssue('not a decimal within bounds');
    return z.NEVER;
  })
  .describe('a decimal within bounds');

/** An integer id, as text: an int64 does not fit a JavaScript number. */
export const integerText: z.ZodType<string> = numberText.pipe(z.string().regex(/^-?\d{1,20}$/));

/** A count, a page number: a whole number that a JavaScript number holds exactly. */
export const wholeNumber: z.ZodType<number> = decimal
  .transform((text, context) => {
    const value = /^-?\d{1,16}$/.test(text) ? Number.parseInt(text, 10) : Number.NaN;
    if (Number.isSafeInteger(value)) return value;
    context.addIssue('not a whole number within bounds');
    return z.NEVER;
  })
  .describe('a whole number within bounds');

export const text = z.string().describe('text');

/** Text that identifies a record; never empty. */
export const idText = z.string().min(1).describe('text with a character');

/** An id that the spec shows as text. A service may write one of digits alone as a number: its digits are kept. */
export const recordId: z.ZodType<string> = z
  .union([idText, digits.pipe(z.string().regex(/^\d+$/))])
  .describe('an id');

/** A yes or no. A service may write it as the text `true` or `false`. */
export const yesOrNo: z.ZodType<boolean> = z
  .union([z.boolean(), z.enum(['true', 'false']).transform((word) => word === 'true')])
  .describe('true or false');

/** A state; an unknown one is kept as it is. */
export const state: z.ZodType<WireState> = idText;

/** Reads a record, or throws `Unreadable` with the path of the first field that does not fit. */
export function readRecord<Schema extends z.ZodType>(
  schema: Schema,
  json: unknown,
): z.output<Schema> {
  const { success, data, error } = schema.safeParse(json);
  if (success) return data;
  const path = error.issues[0]?.path.join('.');
  throw new Unreadable(
    path ? `its field ${path} is missing or has another type` : 'it is no record',
  );
}

/**
 * Takes a record out of `{data: {...}}` (spec: AnyResponseDTO) when the top level lacks the
 * record's `key` field.
 */
export function unwrap(json: unknown, key: string): unknown {
  if (!isJsonObject(json) || Object.hasOwn(json, key)) return json;
  return isJsonObject(json['data']) ? json['data'] : json;
}
