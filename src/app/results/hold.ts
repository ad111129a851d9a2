import { z } from 'zod';
import { HOLD_KINDS } from '../../domain/holds/hold.ts';
import { instant } from './values.ts';

/** Why a batch creates nothing for now. */
export const hold = z.object({
  n: z.int(),
  kind: z.enum(HOLD_KINDS),
  reason: z.string(),
  by: z.string(),
  since: instant,
  facts: z.record(z.string(), z.string()),
});
