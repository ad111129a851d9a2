import { z } from 'zod';
import { DoubledName } from '../json/json-value.ts';
import { type JsonValue, writeJson } from '../json/write-json.ts';
import { cleanText } from '../response/clean-text.ts';

/** Largest number of characters that the client keeps of an error that is no text, as compact JSON. */
export const PAYOUT_ERRORS_LENGTH_MAX = 1_000;

/** Whether a name with two values stands anywhere in a value; the reader of JSON bounds the depth. */
const hasDoubledName = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (value instanceof DoubledName || Object.values(value).some(hasDoubledName));

/** Any JSON value as compact JSON text, cut and without hidden characters. Numbers keep their digits. */
export const compactJson: z.ZodType<string> = z
  .custom<JsonValue>((value) => value !== undefined && !hasDoubledName(value))
  .transform((value) => cleanText(writeJson(value), { lengthMax: PAYOUT_ERRORS_LENGTH_MAX }))
  .describe('free of names that come twice');
