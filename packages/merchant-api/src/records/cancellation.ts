import { z } from 'zod';
import { text } from './fields.ts';
import { inner, readValue, type AnswerPart } from './unreadable-parts.ts';

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

const CancellationRecord: z.ZodType<Cancellation> = z
  .object({
    canceledByUserId: text,
    canceledByFirstname: text,
    canceledByLastname: text,
    cancelMessage: text,
  })
  .describe('the four texts of a cancellation');

/**
 * Reads the cancellation of a payout or mass payout. ASSUMED: the spec shows these fields and not their place. The client reads them
 * from the field `cancellation`.
 */
export function readCancellation(source: AnswerPart): Readonly<{ cancellation?: Cancellation }> {
  const cancellation = readValue(CancellationRecord, inner(source, 'cancellation'));
  return cancellation === undefined ? {} : { cancellation };
}
