import { type BatchState, isBatchState } from '../batch/batch-state.ts';

/** The states of a batch for people, in English. JSON, reports in CSV and histories keep the codes. */
export const BATCH_WORDS: Readonly<Record<BatchState, string>> = {
  INGESTING: 'Reading the file',
  REJECTED: 'Rejected',
  PLANNED: 'Planned',
  AWAITING_APPROVAL: 'Waiting for approval',
  REFUSED: 'Refused by an approver',
  SCHEDULED: 'Waiting for its time',
  CHECKING_FUNDS: 'Checking the balance',
  AWAITING_FUNDS: 'Waiting for money',
  PAYING: 'Being paid',
  SETTLING: 'Waiting for the service',
  REPORTING: 'Writing the report',
  COMPLETED: 'Completed',
  PARTIAL: 'Partly paid',
  FAILED: 'Failed',
  CANCELED: 'Canceled',
};

export const batchStateWords = (state: BatchState): string => BATCH_WORDS[state];

/**
 * A code of an outcome, a chunk, a run or the service as words. A code that is unknown here is shown in the same way.
 *
 * @example codeWords('PENDING_CONFIRMATION') // Pending confirmation
 */
export function codeWords(code: string): string {
  const words = code.toLowerCase().replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** A code that may be the state of a batch, as words. */
export const stateWords = (code: string): string =>
  isBatchState(code) ? batchStateWords(code) : codeWords(code);

/** {@link stateWords} within a sentence: `waiting for approval`. */
export const stateInSentence = (code: string): string => {
  const words = stateWords(code);
  return words.charAt(0).toLowerCase() + words.slice(1);
};

/** {@link codeWords} within a sentence: `pending confirmation`. */
export const codeInSentence = (code: string): string => code.toLowerCase().replaceAll('_', ' ');
