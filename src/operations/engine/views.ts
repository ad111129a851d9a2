import { WORKFLOW_BATCH } from '../../contract/names.ts';
import type { BatchState } from '../../domain/batch/batch-state.ts';
import { localDay } from '../../domain/schedule/zone.ts';

/** A list of batches that people open often; `query` is a list filter of Temporal. */
export type View = Readonly<{
  name: string;
  query: string;
  /** Whether its filter never changes, so that the web UI may keep it. */
  lasts: boolean;
}>;

const BATCHES = `WorkflowType = '${WORKFLOW_BATCH}'`;
const OPEN = `${BATCHES} AND ExecutionStatus = 'Running'`;

const openIn = (state: BatchState): string => `${OPEN} AND BursarState = '${state}'`;

/** The views of the web UI. They have no order: a server that keeps lists in SQL sorts by its own order only. */
export function viewsAt(nowMs: number, timeZone: string): readonly View[] {
  const today = localDay(nowMs, timeZone);
  return [
    { name: 'Bursar: waiting for approval', query: openIn('AWAITING_APPROVAL'), lasts: true },
    { name: 'Bursar: waiting for money', query: openIn('AWAITING_FUNDS'), lasts: true },
    {
      name: 'Bursar: needs an operator',
      query: `${OPEN} AND BursarNeedsOperator = true`,
      lasts: true,
    },
    { name: 'Bursar: on hold or paused', query: `${OPEN} AND BursarHeld = true`, lasts: true },
    { name: 'Bursar: partly paid', query: `${BATCHES} AND BursarState = 'PARTIAL'`, lasts: true },
    {
      name: 'Bursar: due today',
      query: `${OPEN} AND BursarDueTime >= '${today.from}' AND BursarDueTime < '${today.to}'`,
      lasts: false,
    },
    { name: 'Bursar: all open batches', query: OPEN, lasts: true },
  ];
}
