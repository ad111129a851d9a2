import type { OperatorAnswer, SendRecord } from './send-record.ts';

/** Whether an operator's answer can be right: what the service shows under the chunk's key was created, by whomever. */
export const isPossible = (
  { payout }: Pick<SendRecord, 'payout'>,
  answer: OperatorAnswer['kind'],
): boolean => answer !== 'not-created' || payout === undefined;

/**
 * What an answer says of a chunk that waits for nobody: that nothing was created is then said of no attempt. A worker that
 * was frozen may have sent since the question, and who answers has looked before that could be seen.
 */
export const unasked = (answer: OperatorAnswer): OperatorAnswer =>
  answer.kind === 'not-created' ? { ...answer, attempts: 0 } : answer;

/** Whether nothing may be sent after an answer: who adopts has found the mass payout, and who gives up sends nothing more. */
export const forbidsSending = (answer: OperatorAnswer | undefined): boolean =>
  answer?.kind === 'adopt' || answer?.kind === 'abandon';
