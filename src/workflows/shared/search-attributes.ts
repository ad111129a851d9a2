import { defineSearchAttributeKey } from '@temporalio/common';
import { upsertSearchAttributes } from '@temporalio/workflow';
import type { BatchResult } from '../../contract/batch.ts';
import { SEARCH_ATTRIBUTES } from '../../contract/names.ts';
import type { BatchState } from '../../domain/batch/batch-state.ts';

/** The search attributes of our workflows. */
export const KEYS = {
  batch: defineSearchAttributeKey('BursarBatch', SEARCH_ATTRIBUTES.BursarBatch),
  state: defineSearchAttributeKey('BursarState', SEARCH_ATTRIBUTES.BursarState),
  currency: defineSearchAttributeKey('BursarCurrency', SEARCH_ATTRIBUTES.BursarCurrency),
  rows: defineSearchAttributeKey('BursarRows', SEARCH_ATTRIBUTES.BursarRows),
  failedRows: defineSearchAttributeKey('BursarFailedRows', SEARCH_ATTRIBUTES.BursarFailedRows),
  needsOperator: defineSearchAttributeKey(
    'BursarNeedsOperator',
    SEARCH_ATTRIBUTES.BursarNeedsOperator,
  ),
  held: defineSearchAttributeKey('BursarHeld', SEARCH_ATTRIBUTES.BursarHeld),
  dueTime: defineSearchAttributeKey('BursarDueTime', SEARCH_ATTRIBUTES.BursarDueTime),
};

/** The search attributes of a batch at its start. */
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

/** Search attributes that a batch sets later. */
export const showRows = (rows: number, currencies: readonly string[]): void =>
  upsertSearchAttributes([
    { key: KEYS.rows, value: rows },
    { key: KEYS.currency, value: [...currencies] },
  ]);

export const showDueTime = (at: string): void =>
  upsertSearchAttributes([{ key: KEYS.dueTime, value: new Date(at) }]);

export const showResult = ({ rows }: BatchResult): void =>
  upsertSearchAttributes([{ key: KEYS.failedRows, value: rows.failed + rows.unknown }]);
