import type { BatchInput, BatchResult } from '../../contract/batch.ts';
import type { EndState } from '../../domain/batch/batch-state.ts';
import type { Hold } from '../../domain/holds/hold.ts';
import type { NotifyData, NotifyEvent } from '../../domain/notify/events.ts';
import { helpOfEnd, helpOfHold } from '../../domain/notify/what-helps.ts';
import { openTeller } from '../shared/notifier.ts';

const EVENT_OF_END: Readonly<Record<EndState, NotifyEvent>> = {
  COMPLETED: 'batch.completed',
  PARTIAL: 'batch.partial',
  FAILED: 'batch.failed',
  CANCELED: 'batch.canceled',
  REFUSED: 'batch.refused',
  REJECTED: 'batch.rejected',
};

export type BatchNews = ReturnType<typeof openBatchNews>;

/** What people are told of a batch. Keys are the same after a reset, so that nothing is told twice. */
export function openBatchNews({
  batchId,
  parentBatchId,
}: Pick<BatchInput, 'batchId' | 'parentBatchId'>) {
  const teller = openTeller();
  const toldHolds = new Set<number>();
  let [approvals, waits, hadOperator] = [0, 0, false];
  const tell = (event: NotifyEvent, key: string, data: NotifyData): void =>
    teller.tell({ event, batchId, key, data: { batchId, ...data } });
  return {
    untilTold: teller.untilTold,
    awaitingApproval: (missing: readonly string[]): void => {
      approvals += 1;
      tell('batch.awaiting_approval', `approval ${approvals}`, { missing });
    },
    awaitingFunds: (why: string): void => {
      waits += 1;
      tell('batch.awaiting_funds', `funds ${waits}`, { why });
    },
    /** `isAsked`: whether approvers are asked about what a rule holds. */
    held: (holds: readonly Hold[], isAsked: boolean): void => {
      for (const hold of holds) {
        const { n, kind, reason, by } = hold;
        if (toldHolds.has(n)) continue;
        toldHolds.add(n);
        tell('batch.held', `hold ${n}`, { kind, reason, by, ...helpOfHold(hold, isAsked) });
      }
    },
    /** Of many chunks the first ones are told; `status` tells all. */
    needsOperator: (chunks: readonly number[]): void => {
      const [first] = chunks;
      if (first !== undefined && !hadOperator) {
        tell('batch.needs_operator', `chunk ${first}`, { chunks: chunks.map(String) });
      }
      hadOperator = first !== undefined;
    },
    ended: ({ state, rows, amounts, error }: BatchResult): void =>
      tell(EVENT_OF_END[state], 'end', {
        state,
        rows: rows.total,
        paid: rows.paid,
        failed: rows.failed,
        unknown: rows.unknown,
        notSent: rows.notSent,
        amounts: amounts.map(
          ({ currency, requested, paid }) => `${paid} of ${requested} ${currency}`,
        ),
        ...(error === null ? {} : { error: error.code, why: error.what }),
        ...helpOfEnd(batchId, {
          state,
          rows,
          hasError: error !== null,
          isResend: parentBatchId !== null,
          // Without an error everything was created; what is not sent all the same was declined.
          wasDeclined: error === null,
        }),
      }),
  };
}
