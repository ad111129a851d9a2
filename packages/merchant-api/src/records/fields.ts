import { isLosslessNumber, type LosslessNumber } from 'lossless-json';
import { z } from 'zod';
import type { WireState } from '../spec/states.ts';
import { readDecimal } from '../json/decimal.ts';
import { Unreadable } from '../response/unreadable.ts';

/*
 * The fields of answers. Objects made of them ignore unknown fields (spec:
 * "Authentication" 6); `null` never gets here (see readJson). A used field of another type
 * is an error.
 */

const jsonNumber = z.custom<LosslessNumber>(isLosslessNumber);
const numberText = z.union([z.string(), jsonNumber.transform(({ value }) => value)]);

/**
 * An amount, as canonical decimal text; the service may write it as a number or as text. May be
 * negative.
 */
export const decimal: z.ZodType<string> = numberText.transform((text, context) => {
  const canonical = readDecimal(text);
  if (canonical !== undefined) return canonical;
  context.addIssue('not a decimal within bounds');
  return z.NEVER;
});

/** An integer id, as text: an int64 does not fit a JavaScript number. */
export const integerText: z.ZodType<string> = numberText.pipe(z.string().regex(/^-?\d{1,20}$/));

/** A count, a page number: a whole number that a JavaScript number holds exactly. */
export const wholeNumber: z.ZodType<number> = decimal.transform((text, context) => {
  const value = /^-?\d{1,16}$/.test(text) ? Number.parseInt(text, 10) : Number.NaN;
  if (Number.isSafeInteger(value)) return value;
  context.addIssue('not a whole number within bounds');
  return z.NEVER;
});

export const text = z.string();

/** Text that identifies a record; never empty. */
export const idText = z.string().min(1);

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

/** Returns the fields of a record that are present and have their type. Never throws. */
export function readParts<Schema extends z.ZodObject>(
  schema: Schema,
  json: unknown,
): Partial<z.output<Schema>> {
  if (typeof json !== 'object' || json === null) return {};
  const given = new Map<string, unknown>(Object.entries(json));
  const parts = Object.entries(schema.shape).flatMap(([name, field]) => {
    const { success, data } = z.safeParse(field, given.get(name));
    return success && data !== undefined ? [[name, data]] : [];
  });
  return Object.fromEntries(parts) as Partial<z.output<Schema>>;
}

const wrapper = z.object({ data: z.looseObject({}) });

/**
 * Takes a record out of `{data: {...}}` (spec: AnyResponseDTO) when the top level lacks the
 * record's `key` field.
 */
export function unwrap(json: unknown, key: string): unknown {
  if (typeof json === 'object' && json !== null && Object.hasOwn(json, key)) return json;
  const { success, data } = wrapper.safeParse(json);
  return success ? data.data : json;
}
