import { defineSearchAttributeKey } from '@temporalio/common';
import {
  ApplicationFailure,
  CancellationScope,
  defineQuery,
  defineUpdate,
  getExternalWorkflowHandle,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import type { BatchInput, BatchResult } from '../contract/batch.ts';
import type { Act } from '../contract/messages.ts';
import { partitionWorkflowId, QUERY_STATUS, UPDATE_CANCEL } from '../contract/names.ts';
import type { BatchStatus } from '../contract/status.ts';
import { type BatchState, isEndState, mayMove } from '../domain/batch/batch-state.ts';
import { noteOf } from '../domain/errors/bursar-error.ts';
import { type BatchFigures, batchDetails } from './details.ts';
import { progressSignal, stopSignal } from './partition-desk.ts';

export const batchStatusQuery = defineQuery<BatchStatus>(QUERY_STATUS);
export const cancelUpdate = defineUpdate<void, [Act]>(UPDATE_CANCEL);

const KEYS = {
  batch: defineSearchAttributeKey('BursarBatch', 'KEYWORD'),
  state: defineSearchAttributeKey('BursarState', 'KEYWORD'),
  currency: defineSearchAttributeKey('BursarCurrency', 'KEYWORD_LIST'),
  rows: defineSearchAttributeKey('BursarRows', 'INT'),
  failedRows: defineSearchAttributeKey('BursarFailedRows', 'INT'),
  needsOperator: defineSearchAttributeKey('BursarNeedsOperator', 'BOOL'),
  dueTime: defineSearchAttributeKey('BursarDueTime', 'DATETIME'),
};

type PartitionPlace = 'started' | 'sent' | 'settled';

export type BatchDesk = ReturnType<typeof openBatchDesk>;

/**
 * Everything that reaches a batch from outside, and everything that it shows: query, details, search attributes.
 * Handlers only take notes; the workflow acts on them.
 */
export function openBatchDesk(input: BatchInput) {
  const partitions = new Map<number, PartitionPlace>();
  const needsOperator = new Map<number, readonly number[]>();
  let figures: Partial<BatchFigures> = {};
  let [state, since, note]: [BatchState, string, string] = ['INGESTING', now(), 'reads the file'];
  let partitionsTotal = 0;
  let canceled: Act | null = null;
  let halted: string | null = null;

  const status = (): BatchStatus => ({
    state,
    since,
    note,
    partitions: { total: partitionsTotal, ...countPlaces(partitions) },
    needsOperator: [...needsOperator.values()].flat(),
    canceledBy: canceled?.by ?? null,
  });
  const show = (): void => setCurrentDetails(batchDetails(input, status(), figures));
  const stopReason = (): string | null =>
    canceled === null ? halted : `canceled by ${canceled.by}: ${canceled.reason}`;
  const stopPartitions = (): void => {
    const reason = stopReason();
    if (reason === null) return;
    for (const [partition, place] of partitions) {
      if (place !== 'settled') void stop(input.batchId, partition, reason);
    }
  };
  const cancel = (act: Act): void => {
    canceled ??= act;
    stopPartitions();
    show();
  };

  setHandler(batchStatusQuery, status);
  setHandler(cancelUpdate, cancel, {
    validator: (_act: Act) => refuseIfOver(input.batchId, state),
  });
  setHandler(progressSignal, (news) => {
    if (news.sent && partitions.get(news.partition) === 'started') {
      partitions.set(news.partition, 'sent');
    }
    needsOperator.set(news.partition, news.needsOperator);
    if (news.halt !== null && halted === null) {
      halted = news.halt;
      stopPartitions();
    }
    upsertSearchAttributes([{ key: KEYS.needsOperator, value: status().needsOperator.length > 0 }]);
    show();
  });
  // Whoever cancels in Temporal's own tools gets the same orderly end as with `bursar cancel`.
  CancellationScope.current().cancelRequested.catch(() => {
    cancel({ by: 'Temporal', reason: 'the workflow was canceled in Temporal' });
  });
  upsertSearchAttributes([
    { key: KEYS.batch, value: input.batchId },
    { key: KEYS.state, value: state },
    { key: KEYS.needsOperator, value: false },
  ]);
  show();

  return {
    stopReason,
    isCanceled: () => canceled !== null,
    /** Enters a state; the note says in one sentence what happens in it. */
    enter: (next: BatchState, what: string): void => {
      if (next !== state && !mayMove(state, next)) {
        throw ApplicationFailure.nonRetryable(`a batch cannot go from ${state} to ${next}`);
      }
      [state, since, note] = [next, next === state ? since : now(), what];
      upsertSearchAttributes([{ key: KEYS.state, value: state }]);
      show();
    },
    showFigures: (more: Partial<BatchFigures>): void => {
      figures = { ...figures, ...more };
      show();
    },
    showRows: (rows: number, currencies: readonly string[]): void =>
      upsertSearchAttributes([
        { key: KEYS.rows, value: rows },
        { key: KEYS.currency, value: [...currencies] },
      ]),
    showDueTime: (at: string): void =>
      upsertSearchAttributes([{ key: KEYS.dueTime, value: new Date(at) }]),
    showResult: ({ rows }: BatchResult): void =>
      upsertSearchAttributes([{ key: KEYS.failedRows, value: rows.failed + rows.unknown }]),
    planPartitions: (total: number): void => {
      partitionsTotal = total;
      show();
    },
    place: (partition: number, place: PartitionPlace): void => {
      partitions.set(partition, place);
      if (place === 'settled') needsOperator.delete(partition);
      // A stop that came before the partition was there reaches it now.
      if (place === 'started') stopPartitions();
      show();
    },
    hasSent: (partition: number): boolean =>
      partitions.get(partition) === 'sent' || partitions.get(partition) === 'settled',
  };
}

const now = (): string => new Date().toISOString();

function countPlaces(partitions: ReadonlyMap<number, PartitionPlace>) {
  const places = [...partitions.values()];
  return {
    started: places.length,
    sent: places.filter((place) => place !== 'started').length,
    settled: places.filter((place) => place === 'settled').length,
  };
}

async function stop(batchId: string, partition: number, reason: string): Promise<void> {
  const handle = getExternalWorkflowHandle(partitionWorkflowId(batchId, partition));
  // A partition that has just ended has nothing left to stop.
  await handle.signal(stopSignal, reason).catch(() => undefined);
}

function refuseIfOver(batchId: string, state: BatchState): void {
  if (state !== 'REPORTING' && !isEndState(state)) return;
  const note = noteOf('BATCH_ENDED', { batchId, state });
  throw ApplicationFailure.create({ type: note.code, message: note.what, details: [note] });
}
