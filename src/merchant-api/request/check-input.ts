import { LosslessNumber } from 'lossless-json';
import { z } from 'zod';
import type { Operation } from '../../spec/endpoints.ts';
import { MerchantApiError } from '../errors.ts';
import { readPlainAmount } from '../json/decimal.ts';

/**
 * The caller's mistake, found before anything was sent. The reason names fields and never their
 * values.
 */
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

/**
 * Checks an input against its schema and gives what the schema makes of it. Throws `invalid-input`.
 */
export function checkInput<Schema extends z.ZodType>(
  operation: Operation,
  schema: Schema,
  input: unknown,
): z.output<Schema> {
  const { success, data, error } = schema.safeParse(input);
  if (success) return data;
  const issue = error.issues[0];
  const field = issue?.path.join('.') || 'input';
  throw invalidInput(operation, `${field}: ${issue?.message}`);
}
