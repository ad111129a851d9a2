import type { Refreshed } from '../../contract/aftercare.ts';
import { batchWorkflowId } from '../../contract/names.ts';
import type { EndState } from '../../domain/batch/batch-state.ts';
import { BursarError, errorOfNote } from '../../domain/errors/bursar-error.ts';
import { writeBatchReport } from '../../report/write-batch-report.ts';
import type { BatchRecord } from '../../store/batches/types.ts';
import { actorOf, unsignedActorOf } from '../batch/actor.ts';
import { withSources } from '../batch/sources.ts';
import { readSnapshot, stateByRecord } from '../batch/standing.ts';
import { type ShownBatch, standingView } from '../batch/standing-view.ts';
import type { Sources } from '../batch/types.ts';
import type { OperationContext } from '../context.ts';
import { unwritable } from '../text/unwritable.ts';
import { reportsOf } from './newest-report.ts';

type BatchWish = Readonly<{ batchId: string }>;

/** Writes the report of an ended batch again. An open batch has none: its standing is returned all the same. */
export const writeReport = (
  { batchId }: BatchWish,
  context: OperationContext,
): Promise<ShownBatch> =>
  withSources(context, async (sources) => {
    const record = await sources.store.batches.find(batchId);
    if (record !== undefined && record.endState !== null) {
      await writeAgain(sources, record, context);
    }
    return standingView(await readSnapshot(sources, batchId), context.clock.nowMs());
  });

/** `refreshed`: null: the read takes longer than a minute, and goes on. */
export type RefreshedReport = Readonly<{
  schema: 'bursar.report-refresh/v1';
  batchId: string;
  refreshed: Refreshed | null;
}>;

/**
 * Has a worker recheck an ended batch at once, and write a new version of the report if anything changed. @throws
 * BATCH_NOT_FOUND, BATCH_OPEN, WORKER_SILENT
 */
export const refreshReport = (
  { batchId }: BatchWish,
  context: OperationContext,
): Promise<RefreshedReport> =>
  withSources(context, async ({ store, engine: open }) => {
    const record = await store.batches.find(batchId);
    if (record === undefined) throw new BursarError('BATCH_NOT_FOUND', { batchId });
    if (record.endState === null) {
      throw new BursarError('BATCH_OPEN', { batchId, state: stateByRecord(record) });
    }
    const engine = await open();
    const told = await engine.refresh(batchId);
    if (told !== undefined && 'code' in told) throw errorOfNote(told);
    const refreshed = told === undefined ? null : shownRefresh(told);
    return { schema: 'bursar.report-refresh/v1', batchId, refreshed };
  });

/** A workflow also tells what it goes on with. */
const shownRefresh = ({ changedRows, unread, version }: Refreshed): Refreshed => ({
  changedRows,
  unread,
  version,
});

async function writeAgain(
  sources: Sources,
  record: BatchRecord,
  context: OperationContext,
): Promise<void> {
  const { store, settings } = sources;
  const { batchId } = record;
  const places = reportsOf(sources, await context.open.blobs(settings));
  try {
    await writeBatchReport(store, endedRecord(record), {
      places,
      workflowId: batchWorkflowId(batchId),
      by: await unsignedActorOf(sources, { by: actorOf(settings, context), batchId }),
      atMs: context.clock.nowMs(),
    });
  } catch (error) {
    throw unwritable('report.dir', error);
  }
  // A newer version may have been written meanwhile, and is written over by now.
  const now = await store.batches.find(batchId);
  if (now !== undefined && now.reportVersion > record.reportVersion) {
    await writeAgain(sources, now, context);
  }
}

function endedRecord(record: BatchRecord): BatchRecord & { endState: EndState; endedAtMs: number } {
  const { endState, endedAtMs } = record;
  if (endState !== null && endedAtMs !== null) return { ...record, endState, endedAtMs };
  throw new BursarError('INTERNAL', { message: `batch ${record.batchId} has not ended` });
}
