import { z } from 'zod';
import { text } from './fields.ts';

/** Author and reason of a cancellation. Spec: "Payout", cancellation details. */
export type Cancellation = {
  /** Id of the user who canceled the payout. */
  readonly canceledByUserId: string;
  /** First name of that user. */
  readonly canceledByFirstname: string;
  /** Last name of that user. */
  readonly canceledByLastname: string;
  /** Reason, in that user's words. Text from outside: escape it where you show it. */
  readonly cancelMessage: string;
};

const CancellationRecord: z.ZodType<Cancellation> = z.object({
  canceledByUserId: text,
  canceledByFirstname: text,
  canceledByLastname: text,
  cancelMessage: text,
});

/**
 * ASSUMED: the spec shows these fields and not their place. The client reads them from the field
 * `cancellation` of a payout or mass payout, and ignores any other value there.
 */
export const cancellation = CancellationRecord.optional().catch(undefined);
