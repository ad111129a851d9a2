import type { ReportDeps } from './types.ts';
import { batchWorkflowId } from '../../contract/names.ts';
import type { EndState } from '../../domain/batch/batch-state.ts';
import { endStateOf } from '../../domain/report/end-state.ts';
import { archiveReport } from '../../report/archive.ts';
import { arePublished, reportFolder } from '../../report/shared-report.ts';
import { readReport } from '../../report/verify/check-report.ts';
import type { EndedBatch } from '../../report/compose-report.ts';
import { readTotals } from '../../report/batch-view.ts';
import { writeBatchReport } from '../../report/write-batch-report.ts';
import { reportChangedNews } from '../../domain/notify/engine-news.ts';
import type { NotifiableEvent } from '../../domain/notify/events.ts';
import { writeAsStored } from './write-as-stored.ts';

export type ReportAgainDeps = ReportDeps &
  Readonly<{
    /** Notifies people, once for each key. */
    notify(news: NotifiableEvent): Promise<void>;
  }>;

/**
 * Writes a new version of a report with the changes since the last one; the old files stay under `versions/`. Returns
 * the number of the newest version. After a crash on the way the next call reports the changes.
 */
export async function reportAgain(deps: ReportAgainDeps, batchId: string): Promise<number> {
  const { store, nowMs } = deps;
  const batch = await store.batches.find(batchId);
  if (batch === undefined || batch.endState === null) return 0;
  const current = Math.max(1, batch.reportVersion);
  const noted = await store.rechecks.pending(batchId);
  const last = noted.at(-1);
  if (last === undefined) return current;
  const ended = await withNewEnd(deps, {
    ...batch,
    endState: batch.endState,
    endedAtMs: batch.endedAtMs ?? nowMs(),
  });
  await keepVersion(deps, batchId, current);
  const version = current + 1;
  const newVersion = { version, changes: noted };
  const workflowId = batchWorkflowId(batchId);
  await writeBatchReport(store, ended, {
    places: deps,
    workflowId,
    version: newVersion,
    atMs: nowMs(),
  });
  // Before the version counts: after a crash in between the next call notifies again, and only one notification gets through.
  await deps.notify(reportChangedNews(batchId, version, ended.endState));
  const report = { was: batch.reportVersion, version, state: ended.endState, atMs: last.atMs };
  const isPublished = await store.rechecks.publish(batchId, { ...report, upToSeq: last.seq });
  if (isPublished) return version;
  // Another worker wrote one meanwhile: the files are its own, and the next version has the changes that it lacks.
  await writeAsStored(deps, batchId);
  return reportAgain(deps, batchId);
}

/** A bucket has each version, and the folder of this machine may have none, or an older one that another worker replaced. */
async function keepVersion(deps: ReportDeps, batchId: string, version: number): Promise<void> {
  const dir = reportFolder(deps, batchId);
  if (arePublished(deps)) {
    const found = await readReport(dir);
    if (found === undefined || (found.revision?.version ?? 1) !== version) return;
  }
  await archiveReport(dir, version);
}

/** The end of a batch follows its rows. One that was refused before anything was sent stays so while nothing is found. */
async function withNewEnd({ store }: ReportDeps, ended: EndedBatch): Promise<EndedBatch> {
  const chunks = await store.chunks.list(ended.batchId);
  const { rows } = await readTotals(store, ended, chunks);
  const isUntouched = rows.paid + rows.unknown + rows.inFlight === 0;
  if (isUntouched && STAYING.includes(ended.endState)) return ended;
  const isTwice = chunks.some(({ otherPayouts }) => otherPayouts.length > 0);
  const balance = (await store.balances.find(ended.batchId))?.check ?? undefined;
  return {
    ...ended,
    endState: endStateOf(rows, ended.endState === 'CANCELED', { isTwice, balance }),
  };
}

const STAYING: readonly EndState[] = ['REJECTED', 'REFUSED'];
