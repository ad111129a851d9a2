import { z } from 'zod';
import { FINDINGS, type FindingCode } from '../../domain/plan/finding.ts';
import type { FindingView } from '../../operations/file/finding-view.ts';

const CODES = Object.keys(FINDINGS) as [FindingCode, ...FindingCode[]];

/** A remark about a file, with its first rows. Row 0 stands for the whole file. */
export const finding: z.ZodType<FindingView> = z.object({
  code: z.enum(CODES),
  count: z.int(),
  examples: z.array(z.object({ row: z.int(), detail: z.string() })),
  severity: z.enum(['info', 'confirm', 'block']),
  accepted: z.boolean(),
  what: z.string(),
  why: z.string(),
  fix: z.string(),
});
