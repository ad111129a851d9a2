import type { BatchReport } from '../domain/report/report.ts';
import { ENGINE } from '../store/audit/audited.ts';
import type { Store } from '../store/index.ts';
import { type EndedBatch, reportFrom } from './compose.ts';
import { reportRowPages } from './report-rows.ts';
import type { Revising } from './revision.ts';
import { writeReport } from './write-report.ts';

/** As what the audit log tells of a report. */
export const REPORT_WRITTEN = 'report';

export type EndedPlace = Readonly<{
  dir: string;
  workflowId: string;
  /** Who has it written, and when; by default the engine does. */
  by?: string;
  atMs: number;
  /** The version that is being made; by default the one that the store names. */
  revising?: Revising;
}>;

/** Writes the report of a batch that is over from what the store holds; the audit log keeps the hash of each file. */
export async function writeEnded(
  store: Store,
  ended: EndedBatch,
  { dir, workflowId, revising, by: actor = ENGINE, atMs }: EndedPlace,
): Promise<BatchReport> {
  const chunks = await store.chunks.list(ended.batchId);
  const { accept } = JSON.parse(ended.optionsJson) as { accept: readonly string[] };
  const report = await reportFrom(store, ended, {
    chunks,
    workflowId,
    reportDir: dir,
    accepted: accept,
    ...(revising === undefined ? {} : { revising }),
  });
  await writeReport({
    dir,
    report,
    pages: reportRowPages(store, ended, chunks),
    refused: ended.ingestId === null ? [] : store.staging.refused(ended.ingestId),
    tell: async (written) => {
      const { batchId } = ended;
      const files = Object.fromEntries(written.map(({ name, sha256 }) => [name, sha256]));
      const detail = { version: report.revision.version, files };
      await store.audit.append({ atMs, batchId, actor, action: REPORT_WRITTEN, detail });
    },
  });
  return report;
}
