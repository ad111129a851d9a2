import { defineSearchAttributeKey } from '@temporalio/common';
import { upsertSearchAttributes } from '@temporalio/workflow';
import type { BatchResult } from '../contract/batch.ts';
import type { BatchState } from '../domain/batch/batch-state.ts';

const KEYS = {
  batch: defineSearchAttributeKey('BursarBatch', 'KEYWORD'),
  state: defineSearchAttributeKey('BursarState', 'KEYWORD'),
  currency: defineSearchAttributeKey('BursarCurrency', 'KEYWORD_LIST'),
  rows: defineSearchAttributeKey('BursarRows', 'INT'),
  failedRows: defineSearchAttributeKey('BursarFailedRows', 'INT'),
  needsOperator: defineSearchAttributeKey('BursarNeedsOperator', 'BOOL'),
  held: defineSearchAttributeKey('BursarHeld', 'BOOL'),
  dueTime: defineSearchAttributeKey('BursarDueTime', 'DATETIME'),
};

/** What a batch shows from its first moment on. */
export const showStart = (batchId: string, state: BatchState): void =>
  upsertSearchAttributes([
    { key: KEYS.batch, value: batchId },
    { key: KEYS.state, value: state },
    { key: KEYS.needsOperator, value: false },
    { key: KEYS.held, value: false },
  ]);

export const showState = (state: BatchState): void =>
  upsertSearchAttributes([{ key: KEYS.state, value: state }]);

export const showWaiting = (waiting: { needsOperator: boolean; held: boolean }): void =>
  upsertSearchAttributes([
    { key: KEYS.needsOperator, value: waiting.needsOperator },
    { key: KEYS.held, value: waiting.held },
  ]);

/** Search attributes that a batch learns on its way. */
export const showRows = (rows: number, currencies: readonly string[]): void =>
  upsertSearchAttributes([
    { key: KEYS.rows, value: rows },
    { key: KEYS.currency, value: [...currencies] },
  ]);

export const showDueTime = (at: string): void =>
  upsertSearchAttributes([{ key: KEYS.dueTime, value: new Date(at) }]);

export const showResult = ({ rows }: BatchResult): void =>
  upsertSearchAttributes([{ key: KEYS.failedRows, value: rows.failed + rows.unknown }]);
