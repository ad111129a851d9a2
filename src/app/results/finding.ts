import { z } from 'zod';
import { END_STATES } from '../../domain/batch/batch-state.ts';
import { FINDINGS, type FindingCode, type FindingExample } from '../../domain/plan/finding.ts';
import type { FindingView } from '../../operations/file/finding-view.ts';
import { instant } from './values.ts';

const CODES = Object.keys(FINDINGS) as [FindingCode, ...FindingCode[]];

const findingExample: z.ZodType<FindingExample> = z.object({
  row: z.int(),
  detail: z.string(),
  change: z
    .object({
      payee: z.string(),
      payment: z.string(),
      address: z.string(),
      before: z.string(),
      batchId: z.string().nullable(),
      paidAt: instant.nullable(),
    })
    .exactOptional()
    .meta({ description: 'of ADDRESS_CHANGED: the address of the row, and the one before' }),
  earlier: z
    .object({ batchId: z.string(), endState: z.enum(END_STATES).nullable().exactOptional() })
    .exactOptional()
    .meta({
      description:
        'of SAME_FILE_AGAIN, DUPLICATE_IN_HISTORY and OVERLAP: the earlier batch; endState, where it is known: null: not ended',
    }),
});

/** A remark about a file, with its first rows. Row 0 stands for the whole file. */
export const finding: z.ZodType<FindingView> = z.object({
  code: z.enum(CODES),
  count: z.int(),
  examples: z.array(findingExample),
  severity: z.enum(['info', 'confirm', 'block']),
  accepted: z.boolean(),
  what: z.string(),
  why: z.string(),
  fix: z.string(),
});
