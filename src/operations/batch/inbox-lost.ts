import type { InboxItem, Sources } from './types.ts';
import type { BatchRecord } from '../../store/batches/types.ts';
import { readBatchOptions } from '../../contract/batch.ts';

/** Batches that have not ended and that no workflow carries out. `running`: ids of batches whose workflow runs. */
export async function lostItems(
  { store, engine }: Sources,
  running: ReadonlySet<string>,
): Promise<InboxItem[]> {
  const items: InboxItem[] = [];
  for (const record of await store.batches.listOpen()) {
    const { batchId } = record;
    if (running.has(batchId)) continue;
    // Temporal lists a workflow a moment after it has begun, and one may have ended meanwhile.
    const execution = await (await engine()).describe(batchId);
    if (execution?.status === 'RUNNING') continue;
    if ((await store.batches.find(batchId))?.endState !== null) continue;
    items.push(itemOf(record, execution?.status));
  }
  return items;
}

const itemOf = (record: BatchRecord, status: string | undefined): InboxItem => {
  const { at, executionDate } = readBatchOptions(record.optionsJson);
  return {
    kind: 'LOST',
    batchId: record.batchId,
    waitsFor: [],
    gaps: [],
    missing: [
      status === undefined
        ? 'no workflow runs it: Temporal no longer has it'
        : `no workflow runs it: its workflow is closed (${status})`,
    ],
    since: null,
    due: at ?? executionDate,
    submittedBy: record.submittedBy,
    totals: (record.summary?.currencies ?? []).map(({ currency, total }) => ({ currency, total })),
    command: `bursar recover ${record.batchId}`,
  };
};
