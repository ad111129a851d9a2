import type { ReportDeps } from './types.ts';
import { join } from 'node:path';
import { batchWorkflowId } from '../../contract/names.ts';
import { writeBatchReport } from '../../report/write-batch-report.ts';

/** Writes the report of a batch that has ended once more, as everything is now. */
export async function writeAsStored(
  { store, reportDir, nowMs }: ReportDeps,
  batchId: string,
): Promise<void> {
  const batch = await store.batches.find(batchId);
  if (batch === undefined || batch.endState === null) return;
  const ended = { ...batch, endState: batch.endState, endedAtMs: batch.endedAtMs ?? nowMs() };
  const workflowId = batchWorkflowId(batchId);
  const dir = join(reportDir, batchId);
  await writeBatchReport(store, ended, { dir, workflowId, atMs: nowMs() });
}
