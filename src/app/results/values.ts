import { z } from 'zod';
import { BATCH_STATES } from '../../domain/batch/batch-state.ts';
import type { DetailedNote } from '../../domain/errors/error-details.ts';
import type { ErrorNote } from '../../domain/errors/bursar-error.ts';
import type { ErrorCode } from '../../domain/errors/catalogue.ts';

/** An instant, ISO 8601 in UTC. */
export const instant = z.string().meta({ format: 'date-time' });

/** An amount of money: canonical decimal text, never a number. */
export const amount = z
  .string()
  .meta({ description: 'canonical decimal text', examples: ['12.5'] });

export const currencyTotal = z.object({ currency: z.string(), total: amount });

export const batchState = z.enum(BATCH_STATES);

/** A code of docs/errors.md, also one of a later version. */
export const errorCode = z.string() as z.ZodType as z.ZodType<ErrorCode>;

const noteFields = { code: errorCode, what: z.string(), why: z.string(), fix: z.string() };

/** Why something was refused. */
export const errorNote: z.ZodType<ErrorNote> = z.object(noteFields);

/** The texts and numbers that stand in the sentences of an error. */
export const errorDetails = z.record(z.string(), z.union([z.string(), z.number()]));

/** Why something was refused, with the facts of its sentences. */
export const detailedNote: z.ZodType<DetailedNote> = z.object({
  ...noteFields,
  facts: errorDetails,
});
