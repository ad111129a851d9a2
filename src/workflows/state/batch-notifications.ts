import type { BatchInput, BatchResult } from '../../contract/batch.ts';
import type { EndState } from '../../domain/batch/batch-state.ts';
import type { NotifiableEvent, NotifyData, NotifyEvent } from '../../domain/notify/events.ts';
import { helpOfEnd, helpOfHold } from '../../domain/notify/what-helps.ts';
import { type BatchRunState, operatorChunksOf } from './batch-state.ts';

/*
 * The notifications of a batch. A reset of the workflow keeps their keys, so no person is notified twice.
 */

const EVENT_OF_END: Readonly<Record<EndState, NotifyEvent>> = {
  COMPLETED: 'batch.completed',
  PARTIAL: 'batch.partial',
  FAILED: 'batch.failed',
  CANCELED: 'batch.canceled',
  REFUSED: 'batch.refused',
  REJECTED: 'batch.rejected',
};

const eventOf = (
  event: NotifyEvent,
  batchId: string,
  { key, ...data }: Readonly<{ key: string }> & NotifyData,
): NotifiableEvent => ({ event, batchId, key, data: { batchId, ...data } });

export const approvalWaitEvent = (
  { batchId, notified }: BatchRunState,
  missing: readonly string[],
): NotifiableEvent =>
  eventOf('batch.awaiting_approval', batchId, {
    key: `approval ${notified.approvalWaits}`,
    missing,
  });

export const fundsWaitEvent = ({ batchId, notified, note }: BatchRunState): NotifiableEvent =>
  eventOf('batch.awaiting_funds', batchId, { key: `funds ${notified.fundsWaits}`, why: note });

/** Events that people were not notified of yet: the first chunks that need an operator, and each hold. */
export const waitingEvents = (state: BatchRunState): NotifiableEvent[] => [
  ...operatorEvents(state),
  ...holdEvents(state),
];

/** Of many chunks the first ones are named; `status` names all. */
function operatorEvents(state: BatchRunState): NotifiableEvent[] {
  const chunks = operatorChunksOf(state);
  const [first] = chunks;
  if (first === undefined || state.notified.needsOperator) return [];
  const data = { key: `chunk ${first}`, chunks: chunks.map(String) };
  return [eventOf('batch.needs_operator', state.batchId, data)];
}

const holdEvents = ({ batchId, holds, notified, approval }: BatchRunState): NotifiableEvent[] =>
  holds.open
    .filter(({ n }) => !notified.holds.has(n))
    .map((hold) => {
      const { n, kind, reason, by } = hold;
      const help = helpOfHold(hold, approval !== null);
      return eventOf('batch.held', batchId, { key: `hold ${n}`, kind, reason, by, ...help });
    });

export const endEvent = (
  { batchId, parentBatchId }: BatchInput,
  { state, rows, amounts, error }: BatchResult,
): NotifiableEvent =>
  eventOf(EVENT_OF_END[state], batchId, {
    key: 'end',
    state,
    rows: rows.total,
    paid: rows.paid,
    failed: rows.failed,
    unknown: rows.unknown,
    notSent: rows.notSent,
    amounts: amounts.map(({ currency, requested, paid }) => `${paid} of ${requested} ${currency}`),
    ...(error === null ? {} : { error: error.code, why: error.what }),
    ...helpOfEnd(batchId, {
      state,
      rows,
      hasError: error !== null,
      isResend: parentBatchId !== null,
      // Without an error everything was created, so unsent chunks were declined.
      wasDeclined: error === null,
    }),
  });
