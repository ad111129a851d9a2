import { z } from 'zod';
import { text } from './fields.ts';

const CancellationRecord = z.object({
  canceledByUserId: text,
  canceledByFirstname: text,
  canceledByLastname: text,
  cancelMessage: text,
});

/** Who canceled a payout, and why. Spec: "Payout", cancellation details. */
export type Cancellation = Readonly<z.output<typeof CancellationRecord>>;

/**
 * ASSUMED: the spec shows these fields and not where they stand; here in the field `cancellation`
 * of a payout or mass payout. Anything else in it is passed over, as it is only a guess.
 */
export const cancellation = CancellationRecord.optional().catch(undefined);
