import type { BatchRecord } from '../store/batches/types.ts';
import { type ReportedChange, totalsBefore } from '../domain/lineage/change.ts';
import type { Revision } from '../domain/report/report.ts';
import type { Totals } from '../domain/report/totals.ts';
import type { NotedChange } from '../store/recheck/rechecks.ts';
import type { Store } from '../store/index.ts';

/** A version of a report, and the changes that it reports. */
export type ReportVersion = Readonly<{ version: number; changes: readonly NotedChange[] }>;

/** Changed rows that a report lists. It counts all. */
const CHANGES_LISTED_MAX = 1_000;

/** Reads the newest version of a report. A batch from before versions has version 1. */
export async function readReportVersion(
  { rechecks }: Store,
  { batchId, reportVersion }: BatchRecord,
): Promise<ReportVersion> {
  const changes = reportVersion > 1 ? await rechecks.toldIn(batchId, reportVersion) : [];
  return { version: Math.max(1, reportVersion), changes };
}

/** Returns the part of a report that compares it with the version before. */
export function revisionOf({ version, changes }: ReportVersion, totals: Totals): Revision {
  const all = changes.flatMap(({ change }) => (change.kind === 'outcomes' ? change.rows : []));
  const changedRows = netChanges(all);
  const { rows, amounts } = totals;
  const isFirst = version === 1;
  return {
    version,
    previousVersion: isFirst ? null : version - 1,
    changedAt: isFirst
      ? null
      : new Date(Math.max(0, ...changes.map(({ atMs }) => atMs))).toISOString(),
    before: isFirst ? null : totalsBefore({ rows, amounts }, changedRows),
    changedRows: changedRows.length,
    changes: changedRows.slice(0, CHANGES_LISTED_MAX),
    resent: movesOf(changes, 'resent'),
    returned: movesOf(changes, 'returned'),
  };
}

const movesOf = (changes: readonly NotedChange[], kind: 'resent' | 'returned') =>
  changes.flatMap(({ change }) =>
    change.kind === kind ? [{ batchId: change.batchId, rows: change.rows }] : [],
  );

/**
 * Returns one change for each row, from its first to its last outcome.
 * Example: FAILED, then IN_FLIGHT, then PAID becomes one change from FAILED to PAID.
 */
function netChanges(all: readonly ReportedChange[]): ReportedChange[] {
  const byRow = new Map<number, ReportedChange>();
  for (const change of all) {
    const before = byRow.get(change.row)?.before ?? change.before;
    byRow.set(change.row, { ...change, before });
  }
  return [...byRow.values()]
    .filter(({ before, after }) => before !== after)
    .sort((a, b) => a.row - b.row);
}
