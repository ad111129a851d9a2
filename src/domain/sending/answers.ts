import type { OperatorAnswer, SendRecord } from './send-record.ts';

/**
 * Whether an operator's answer can be right: a mass payout under the chunk's key was created, by any program or person.
 */
export const isPossible = (
  { payout }: Pick<SendRecord, 'payout'>,
  answer: OperatorAnswer['kind'],
): boolean => answer !== 'not-created' || payout === undefined;

/**
 * The effect of an answer about a chunk without an open question: it clears no attempt. A frozen worker may have sent
 * since the question, and the person looked before that send was visible.
 */
export const unasked = (answer: OperatorAnswer): OperatorAnswer =>
  answer.kind === 'not-created' ? { ...answer, attempts: 0 } : answer;

/** Whether nothing may be sent after an answer: who adopts has found the mass payout, and who gives up sends nothing more. */
export const forbidsSending = (answer: OperatorAnswer | undefined): boolean =>
  answer?.kind === 'adopt' || answer?.kind === 'abandon';
