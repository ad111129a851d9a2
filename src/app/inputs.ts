import { z } from 'zod';
import { isBatchId } from '../domain/batch/batch-id.ts';

export const batchId = z
  .string()
  .refine(
    isBatchId,
    'is 1 to 64 letters, digits, ".", "_" and "-", and begins with a letter or digit',
  )
  .meta({ description: 'id of a batch', examples: ['payroll-2026-11'] });

/** The most items of a list. */
const LIMIT_MAX = 999_999_999;

export const limit = z.int().min(1).max(LIMIT_MAX);

/** Its form is checked by the operation, which names what is wrong with it. */
export const scheduleId = z
  .string()
  .min(1)
  .max(100)
  .meta({ description: 'id of a schedule', examples: ['payroll'] });
