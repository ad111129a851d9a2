import type { Report } from '../domain/report/report.ts';
import type { Store } from '../store/store.ts';
import { type Ended, reportFrom } from './compose.ts';
import { reportRowPages } from './report-rows.ts';
import type { Revising } from './revision.ts';
import type { ViewStore } from './view.ts';
import { writeReport } from './write-report.ts';

export type EndedPlace = Readonly<{
  dir: string;
  workflowId: string;
  /** The version that is being made; by default the one that the store names. */
  revising?: Revising;
}>;

/** Writes the report of a batch that is over from what the store holds. */
export async function writeEnded(
  store: ViewStore & Pick<Store, 'staging' | 'approvals' | 'holds'>,
  ended: Ended,
  { dir, workflowId, revising }: EndedPlace,
): Promise<Report> {
  const chunks = await store.chunks.list(ended.batchId);
  const { accept } = JSON.parse(ended.optionsJson) as { accept: readonly string[] };
  const report = await reportFrom(store, ended, {
    ...{ chunks, workflowId, reportDir: dir, accepted: accept },
    ...(revising === undefined ? {} : { revising }),
  });
  await writeReport({
    dir,
    report,
    pages: reportRowPages(store, ended, chunks),
    refused: ended.ingestId === null ? [] : store.staging.refused(ended.ingestId),
  });
  return report;
}
