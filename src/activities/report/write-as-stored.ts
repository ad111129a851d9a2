import type { ReportDeps } from './types.ts';
import { batchWorkflowId } from '../../contract/names.ts';
import { writeBatchReport } from '../../report/write-batch-report.ts';

/** Writes the report of a batch that has ended once more, as everything is now. Returns its address; null: the batch is open. */
export async function writeAsStored(deps: ReportDeps, batchId: string): Promise<string | null> {
  const { store, nowMs } = deps;
  const batch = await store.batches.find(batchId);
  if (batch === undefined || batch.endState === null) return null;
  const ended = { ...batch, endState: batch.endState, endedAtMs: batch.endedAtMs ?? nowMs() };
  const workflowId = batchWorkflowId(batchId);
  const { url } = await writeBatchReport(store, ended, {
    places: deps,
    workflowId,
    atMs: nowMs(),
  });
  return url;
}
