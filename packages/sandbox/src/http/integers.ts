import { z } from 'zod';
import { NumberLiteral } from './exact-json.ts';

const INT32 = { min: -(2n ** 31n), max: 2n ** 31n - 1n };
const INT64 = { min: -(2n ** 63n), max: 2n ** 63n - 1n };

const integer = ({ min, max }: typeof INT32) =>
  z
    .instanceof(NumberLiteral, { error: 'must be a JSON number' })
    .refine(({ text }) => /^-?(0|[1-9]\d{0,18})$/.test(text), 'must be an integer')
    .transform(({ text }) => BigInt(text))
    .refine((value) => value >= min && value <= max, `must be from ${min} to ${max}`);

/** Spec: "Resources", `integer` int32. */
export const Int32 = integer(INT32)
  .transform(Number)
  .meta({
    type: 'integer',
    format: 'int32',
    minimum: Number(INT32.min),
    maximum: Number(INT32.max),
  });

/** Spec: "Resources", `integer` int64. */
export const Int64 = integer(INT64).meta({ type: 'integer', format: 'int64' });
