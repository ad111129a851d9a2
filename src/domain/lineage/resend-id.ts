import { BATCH_ID_LENGTH_MAX } from '../batch/batch-id.ts';

/** The id of a resend that was given none: `<root>-r<generation>`; a long root is cut to make room. */
export function resendIdOf(rootBatchId: string, generation: number): string {
  const end = `-r${generation}`;
  return `${rootBatchId.slice(0, BATCH_ID_LENGTH_MAX - end.length)}${end}`;
}
