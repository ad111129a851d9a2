import { LosslessNumber } from 'lossless-json';
import { z } from 'zod';
import type { JsonValue } from '../json/write-json.ts';
import type { Operation } from '../spec/endpoints.ts';
import { MerchantApiError } from '../errors.ts';
import { readPlainAmount } from '../json/decimal.ts';
import { cleanText } from '../response/clean-text.ts';

/** A schema that checks an input and returns the payload to write. */
export type InputSchema<Input> = z.ZodType<JsonValue, Input>;

/** The error for a mistake of the caller. The reason names fields and never their values. */
export function invalidInput(
  operation: Operation,
  reason: string,
  cause?: unknown,
): MerchantApiError {
  const options = cause === undefined ? undefined : { cause };
  return new MerchantApiError('invalid-input', { operation, reason }, options);
}

/** An amount to send: plain decimal text becomes the canonical number literal. */
export const amountText = z.string().transform((text, context) => {
  const canonical = readPlainAmount(text);
  if (canonical !== undefined) return new LosslessNumber(canonical);
  context.addIssue('not a plain decimal of at most 30 + 36 digits');
  return z.NEVER;
});

const LONE_SURROGATE = /\p{Cs}/u;

/** Whether the text has half a character. UTF-8 cannot hold it: a service refuses or alters it. */
export const hasLoneSurrogate = (text: string): boolean => LONE_SURROGATE.test(text);

/** A text to send; it may be empty. */
export const anyText = z
  .string()
  .refine((text) => !hasLoneSurrogate(text), 'cannot be written as UTF-8');

/** A text to send. */
export const requiredText = anyText.min(1);

/**
 * An event type, an event group or an operation code to send.
 * ASSUMED: the service spells future names like the present ones.
 */
export const wireName = z.string().regex(/^[A-Z][A-Z0-9_]{0,99}$/, 'not a name in capital letters');

/** Largest number of characters in the reason of an invalid input. */
const REASON_LENGTH_MAX = 300;

const INT32_MAX = 2 ** 31 - 1;

/** A whole number to send, from 1 to the largest int32. */
export const positiveInt32 = z.int().min(1).max(INT32_MAX);

/** Checks an input and returns the output of its schema. Throws `invalid-input`. */
export function checkInput<Schema extends z.ZodType>(
  operation: Operation,
  schema: Schema,
  input: unknown,
): z.output<Schema> {
  const { success, data, error } = parse(operation, schema, input);
  if (success) return data;
  const issue = error.issues[0];
  const field = issue?.path.join('.') || 'input';
  // The message quotes the name of an unknown field, which can be any text.
  const reason = cleanText(`${field}: ${issue?.message}`, { lengthMax: REASON_LENGTH_MAX });
  throw invalidInput(operation, reason);
}

/** A schema can throw: zod reads the length of a value before its type, and a getter can throw. */
function parse<Schema extends z.ZodType>(operation: Operation, schema: Schema, input: unknown) {
  try {
    return schema.safeParse(input);
  } catch {
    // The error gets no cause, because its text may hold values.
    throw invalidInput(operation, 'input: it throws when it is read');
  }
}
