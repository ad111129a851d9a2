import { z } from 'zod';
import { BATCH_STATES } from '../../domain/batch/batch-state.ts';
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
const errorCode = z.string() as z.ZodType as z.ZodType<ErrorCode>;

/** Why something was refused. */
export const errorNote: z.ZodType<ErrorNote> = z.object({
  code: errorCode,
  what: z.string(),
  why: z.string(),
  fix: z.string(),
});
