import type { BatchRecord } from '../store/batches/types.ts';
import { type ReportedChange, totalsBefore } from '../domain/lineage/change.ts';
import type { Revision } from '../domain/report/report.ts';
import type { Totals } from '../domain/report/totals.ts';
import type { NotedChange } from '../store/recheck/rechecks.ts';
import type { Store } from '../store/index.ts';

/** A version of a report, and the changes for which it was written. */
export type Revising = Readonly<{ version: number; noted: readonly NotedChange[] }>;

/** Rows that a report lists as changed; it counts all. */
const CHANGES_LISTED_MAX = 1_000;

/** The newest version of a report as the store has it. Batches that ended before versions were counted have the first. */
export async function readRevision(
  { late }: Store,
  { batchId, reportVersion }: BatchRecord,
): Promise<Revising> {
  const noted = reportVersion > 1 ? await late.toldIn(batchId, reportVersion) : [];
  return { version: Math.max(1, reportVersion), noted };
}

export function revisionOf({ version, noted }: Revising, totals: Totals): Revision {
  const all = noted.flatMap(({ change }) => (change.kind === 'outcomes' ? change.rows : []));
  const changes = collapsed(all);
  const { rows, amounts } = totals;
  const isFirst = version === 1;
  return {
    version,
    previousVersion: isFirst ? null : version - 1,
    changedAt: isFirst
      ? null
      : new Date(Math.max(0, ...noted.map(({ atMs }) => atMs))).toISOString(),
    before: isFirst ? null : totalsBefore({ rows, amounts }, changes),
    changedRows: changes.length,
    changes: changes.slice(0, CHANGES_LISTED_MAX),
    resent: movesOf(noted, 'resent'),
    returned: movesOf(noted, 'returned'),
  };
}

const movesOf = (noted: readonly NotedChange[], kind: 'resent' | 'returned') =>
  noted.flatMap(({ change }) =>
    change.kind === kind ? [{ batchId: change.batchId, rows: change.rows }] : [],
  );

/** What changed from the first to the last, row by row: a row may have been on its way again in between. */
function collapsed(all: readonly ReportedChange[]): ReportedChange[] {
  const byRow = new Map<number, ReportedChange>();
  for (const change of all) {
    const before = byRow.get(change.row)?.before ?? change.before;
    byRow.set(change.row, { ...change, before });
  }
  return [...byRow.values()]
    .filter(({ before, after }) => before !== after)
    .sort((a, b) => a.row - b.row);
}
