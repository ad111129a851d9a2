import { batchWorkflowId } from '../../contract/names.ts';
import { readBatchOptions } from '../../contract/batch.ts';
import type { EndState } from '../../domain/batch/batch-state.ts';
import { BursarError } from '../../domain/errors/bursar-error.ts';
import { EXIT } from '../../domain/errors/exit-codes.ts';
import { reportFrom } from '../../report/compose.ts';
import { reportRowPages } from '../../report/report-rows.ts';
import { writeReport } from '../../report/write-report.ts';
import type { BatchRecord } from '../../store/batches.ts';
import { exitCodeOf, printStanding } from '../batch/follow.ts';
import { type Sources, withSources } from '../batch/sources.ts';
import { placeOf, readStanding } from '../batch/standing.ts';
import type { Context } from '../context.ts';
import { readBatchId } from '../flags/batch-id.ts';
import { unwritable } from '../print/unwritable.ts';

/** `bursar report BATCH`: writes the report of a batch that ended once more; of another one it prints where it stands. */
export async function report(
  flags: Readonly<{ batch: string }>,
  context: Context,
): Promise<number> {
  const batchId = readBatchId(flags.batch);
  return withSources(context, async (sources) => {
    const record = await sources.store.batches.find(batchId);
    const isEnded = record !== undefined && record.endState !== null;
    if (isEnded) await writeAgain(sources, record);
    const standing = await readStanding(sources, batchId);
    if (standing === undefined) throw new BursarError('BATCH_NOT_FOUND', { batchId });
    printStanding(standing, context);
    if (isEnded) return EXIT.done;
    return standing.isOver ? exitCodeOf(standing) : EXIT.running;
  });
}

async function writeAgain({ store, settings }: Sources, record: BatchRecord): Promise<void> {
  const { batchId, ingestId } = record;
  const chunks = await store.chunks.list(batchId);
  const { reportDir } = placeOf({ settings }, batchId);
  const ended = endedRecord(record);
  const composed = await reportFrom(store, ended, {
    chunks,
    workflowId: batchWorkflowId(batchId),
    reportDir,
    accepted: readBatchOptions(record.optionsJson).accept,
  });
  try {
    await writeReport({
      dir: reportDir,
      report: composed,
      pages: reportRowPages(store, record, chunks),
      refused: ingestId === null ? [] : store.staging.refused(ingestId),
    });
  } catch (error) {
    throw unwritable('report.dir', error);
  }
}

function endedRecord(record: BatchRecord): BatchRecord & { endState: EndState; endedAtMs: number } {
  const { endState, endedAtMs } = record;
  if (endState !== null && endedAtMs !== null) return { ...record, endState, endedAtMs };
  throw new BursarError('INTERNAL', { message: `batch ${record.batchId} has not ended` });
}
