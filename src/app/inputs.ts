import { z } from 'zod';
import { REASON_LENGTH_MAX } from '../domain/approval/statement.ts';
import { BATCH_ID } from '../domain/batch/batch-id.ts';
import { SCHEDULE_ID } from '../domain/schedule/names.ts';

export const batchId = z
  .string()
  .regex(
    BATCH_ID,
    'is 1 to 64 letters, digits, ".", "_" and "-", and begins with a letter or digit',
  )
  .meta({ description: 'id of a batch', examples: ['payroll-2026-11'] });

/** Why a person does something. `purpose`: where it is shown. */
export const reasonFor = (purpose: string): z.ZodType<string, string> =>
  z
    .string()
    .trim()
    .min(1)
    .max(REASON_LENGTH_MAX)
    .meta({ pattern: '\\S', description: `why; ${purpose}` });

/** The most items of a list. */
const LIMIT_MAX = 999_999_999;

export const limit = z.int().min(1).max(LIMIT_MAX);

export const scheduleId = z
  .string()
  .regex(
    SCHEDULE_ID,
    'is 1 to 48 letters, digits, ".", "_" and "-", and begins with a letter or digit',
  )
  .meta({ description: 'id of a schedule', examples: ['payroll'] });

/** A list that nothing changes. */
export const list = <Output, Input>(
  item: z.ZodType<Output, Input>,
): z.ZodType<readonly Output[], readonly Input[]> => z.array(item);
