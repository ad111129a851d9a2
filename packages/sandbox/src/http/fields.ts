import { z } from 'zod';
import {
  ACCOUNT_ID_PATTERN,
  isWalletName,
  WALLET_NAME_LENGTH_MAX,
} from '@bursar/merchant-api/spec';
import { type Decimal, isNegative, isPositive, parseDecimal } from '../core/decimal.ts';
import { NumberLiteral } from './exact-json.ts';

/* The OpenAPI document shows the `meta` of a field. The checks do not read it. */

/** Characters that no store keeps: NUL, and halves of surrogate pairs. */
const UNSTORABLE = /[\0\ud800-\udfff]/u;

/** ASSUMED: the spec sets no length for texts. This limits the size of a stored request. */
const TEXT_LENGTH_MAX = 1_000;

export const Text = z
  .string()
  .max(TEXT_LENGTH_MAX)
  .refine((text) => !UNSTORABLE.test(text), 'has a character that cannot be stored')
  .meta({ pattern: '^[^\\u0000]*$' });

export const RequiredText = Text.min(1);

/** Spec: "Limits", wallet name length. */
export const WalletName = Text.refine(
  isWalletName,
  `is longer than ${WALLET_NAME_LENGTH_MAX} characters`,
).meta({ maxLength: WALLET_NAME_LENGTH_MAX });

export const AccountId = z
  .string()
  .regex(ACCOUNT_ID_PATTERN)
  .describe('Id of a merchant account that belongs to the key.');

/** Any case is accepted. Comparisons use lower case. */
export const Uuid = z
  .string()
  .regex(/^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/, 'must be a UUID')
  .toLowerCase()
  .meta({ format: 'uuid' });

export const DateTime = z.iso.datetime({ offset: true });

/** Milliseconds, written as an integer. */
export const Timestamp = z
  .instanceof(NumberLiteral, { error: 'must be a JSON number' })
  .refine(({ text }) => /^-?\d{1,15}$/.test(text), 'must be an integer of milliseconds')
  .transform(({ text }) => Number.parseInt(text, 10))
  .meta({
    type: 'integer',
    format: 'int64',
    minimum: 0,
    maximum: 999_999_999_999_999,
    description:
      'Current Unix time in milliseconds, at most 3 minutes away from the time of the service.',
  });

const JsonNumber = z
  .instanceof(NumberLiteral, { error: 'must be a JSON number' })
  .transform(({ text }, context) => decimalOrIssue(parseDecimal(text), context));

const AMOUNT_META = {
  type: 'number',
  exclusiveMaximum: 1e40,
  description: 'An exact decimal with at most 40 digits on each side of its point.',
} as const;

export const PositiveAmount = JsonNumber.refine(isPositive, 'must be above 0').meta({
  ...AMOUNT_META,
  minimum: 1e-40,
});

export const Amount = JsonNumber.refine((value) => !isNegative(value), 'must not be below 0').meta({
  ...AMOUNT_META,
  minimum: 0,
});

/** A decimal as text, as in the admin API. */
export const PositiveDecimalText = z
  .string()
  .transform((text, context) => decimalOrIssue(parseDecimal(text), context))
  .refine(isPositive, 'must be above 0');

function decimalOrIssue(value: Decimal | null, context: z.RefinementCtx): Decimal {
  if (value !== null) return value;
  context.addIssue({
    code: 'custom',
    message: 'must be a decimal with at most 40 digits on each side',
  });
  return z.NEVER;
}
