import type { BatchInput } from '../../../src/contract/batch.ts';
import type { BatchState } from '../../../src/domain/batch/batch-state.ts';
import type { Hold } from '../../../src/domain/holds/hold.ts';
import {
  applyToBatch,
  batchAtStart,
  type BatchEvent,
  type BatchRunState,
} from '../../../src/workflows/state/batch-state.ts';
import { NOW_MS } from '../../support/approvers.ts';

export const START_MS = NOW_MS;
export const LATER_MS = NOW_MS + 60_000;
export const ACT = { by: 'ann', reason: 'it is fine' };

const INPUT = { batchId: 'payroll', submittedBy: 'alice' } as BatchInput;

/** The state of a batch after these events. */
export const stateAfter = (...events: BatchEvent[]): BatchRunState =>
  events.reduce(applyToBatch, batchAtStart(INPUT, START_MS));

export const entered = (to: BatchState): BatchEvent => ({
  kind: 'entered',
  to,
  note: `enters ${to}`,
  atMs: LATER_MS,
});

export const holdPut = (n: number, kind: Hold['kind']): Extract<BatchEvent, { hold: Hold }> => ({
  kind: 'hold-put',
  hold: { n, kind, reason: `reason ${n}`, by: 'Bursar', since: `2026-11-2${n}`, facts: {} },
});
