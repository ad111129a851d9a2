import type { OperatorAnswer, SendRecord } from './send-record.ts';

/** Whether an operator's answer can be right: what the service shows under the chunk's key was created, by whomever. */
export const isPossible = (
  { payout }: Pick<SendRecord, 'payout'>,
  answer: OperatorAnswer['kind'],
): boolean => answer !== 'not-created' || payout === undefined;
