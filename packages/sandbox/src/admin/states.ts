import { z } from 'zod';
import { listOf } from './values.ts';

/** The sandbox is as at a first start. */
export const AdminReset = z.object({});

/** A whole state of the sandbox, in its memory. */
export const AdminSnapshot = z.object({
  id: z.string(),
  /** The time of the sandbox's clock. */
  time: z.string(),
  sizeBytes: z.int(),
});
export type AdminSnapshot = z.output<typeof AdminSnapshot>;

export const AdminSnapshots = z.object({ snapshots: listOf(AdminSnapshot) });
