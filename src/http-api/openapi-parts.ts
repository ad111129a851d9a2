import { z } from 'zod';
import { PROBLEM_TYPE } from './problem.ts';

/** A part of the document, as JSON. */
export type OpenapiPart = Readonly<Record<string, unknown>>;

/** The answer of every operation that fails. */
export const DEFAULT_RESPONSE = {
  description: 'an error',
  content: { [PROBLEM_TYPE]: { schema: { $ref: '#/components/schemas/Problem' } } },
};

/** The answers of an operation with one result. */
export const resultOf = (schema: z.ZodType): OpenapiPart => ({
  200: { description: 'done', content: { 'application/json': { schema: z.toJSONSchema(schema) } } },
  default: DEFAULT_RESPONSE,
});
