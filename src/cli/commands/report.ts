import type { Sources } from '../../operations/batch/types.ts';
import type { BatchRecord } from '../../store/batches/types.ts';
import { counted } from '../../domain/text/counted.ts';
import { batchWorkflowId } from '../../contract/names.ts';
import type { EndState } from '../../domain/batch/batch-state.ts';
import { BursarError } from '../../domain/errors/bursar-error.ts';
import { EXIT, exitCodeOfError } from '../../domain/errors/exit-codes.ts';
import { writeBatchReport } from '../../report/write-batch-report.ts';
import { actorOf, unsignedActorOf } from '../../operations/batch/actor.ts';
import { exitCodeOf, printStanding } from '../follow/follow.ts';
import { standingView } from '../../operations/batch/standing-view.ts';
import { withSources } from '../../operations/batch/sources.ts';
import { readSnapshot, stateByRecord } from '../../operations/batch/standing.ts';
import { copyReport } from './copy-report.ts';
import { reportsOf } from '../../operations/report/newest-report.ts';
import type { Context } from '../context.ts';
import { readBatchId } from '../../domain/batch/batch-id.ts';
import { printError } from '../print/error.ts';
import { unwritable } from '../../operations/text/unwritable.ts';

type ReportFlags = Readonly<{
  batch: string;
  /** Whether to read changeable ends again before. */
  refresh?: boolean;
  /** The folder for a copy of the newest report; then none is written. */
  out?: string;
}>;

/**
 * `bursar report BATCH`: writes the report of an ended batch again. For an open batch it prints the state. With `--out` it copies
 * the newest report, and writes none.
 */
export async function report(flags: ReportFlags, context: Context): Promise<number> {
  const batchId = readBatchId(flags.batch);
  return withSources(context, async (sources) => {
    const record = await sources.store.batches.find(batchId);
    if (flags.refresh) {
      const code = await refresh(sources, { batchId, record }, context);
      if (code !== EXIT.done) return code;
    }
    if (flags.out !== undefined) {
      return copyReport(sources, { batchId, record, out: flags.out }, context);
    }
    const isEnded = record !== undefined && record.endState !== null;
    if (isEnded && !flags.refresh) await writeAgain(sources, record, context);
    const snapshot = await readSnapshot(sources, batchId);
    const standing = standingView(snapshot, context.clock.nowMs());
    printStanding(standing, context);
    if (isEnded) return EXIT.done;
    return standing.isOver ? exitCodeOf(standing) : EXIT.running;
  });
}

/** Has a worker recheck the batch at once, and write a new version of the report if anything changed. */
async function refresh(
  { engine: open }: Sources,
  { batchId, record }: Readonly<{ batchId: string; record: BatchRecord | undefined }>,
  context: Context,
): Promise<number> {
  if (record === undefined) throw new BursarError('BATCH_NOT_FOUND', { batchId });
  if (record.endState === null) {
    throw new BursarError('BATCH_OPEN', { batchId, state: stateByRecord(record) });
  }
  const engine = await open();
  const told = await engine.refresh(batchId);
  if (told === undefined) {
    context.say('The read takes longer than a minute and goes on; run the command again later.');
    return EXIT.running;
  }
  if ('code' in told) {
    printError(context, told);
    return exitCodeOfError(told);
  }
  const { changedRows, unread, version } = told;
  context.say(
    changedRows === 0
      ? `Nothing has changed; the newest report is version ${version}.`
      : `${counted(changedRows, 'row has', 'rows have')} another outcome now; the report is version ${version}.`,
  );
  if (unread > 0) context.say(`${counted(unread, 'mass payout')} could not be read this time.`);
  return EXIT.done;
}

async function writeAgain(sources: Sources, record: BatchRecord, context: Context): Promise<void> {
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
