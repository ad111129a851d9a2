import { FINDING_EXAMPLES_MAX, type Finding } from '../../domain/plan/finding.ts';

/** The rows that a batch shares with another one. */
export type Overlap = Readonly<{
  batchId: string;
  source: string;
  shared: number;
  /** Whether both batches have exactly the same rows. */
  isSame: boolean;
}>;

/**
 * The number and share of common rows from which one finding names the batch instead of each row.
 * Example: 10 of 40 rows are 25 %, so the finding names the batch. Of 3 rows in a file of 40, it
 * names each row.
 */
export const OVERLAP_MINIMA: readonly Readonly<{ rows: number; percent: number }>[] = [
  { rows: 10, percent: 20 },
  { rows: 3, percent: 50 },
];

export const isOverlap = (
  { shared, isSame }: Readonly<{ shared: number; isSame: boolean }>,
  rows: number,
): boolean =>
  isSame || OVERLAP_MINIMA.some((min) => shared >= min.rows && shared * 100 >= rows * min.percent);

/** Returns the finding on overlaps. Its count is that of the batch with the most common rows. */
export function overlapFinding(overlaps: readonly Overlap[], rows: number): Finding[] {
  if (overlaps.length === 0) return [];
  const byShare = [...overlaps].sort((a, b) => b.shared - a.shared);
  const examples = byShare.slice(0, FINDING_EXAMPLES_MAX).map(({ batchId, source, shared }) => {
    const percent = Math.floor((shared * 100) / rows);
    const detail = `${shared} of ${rows} rows (${percent} %) are in ${source}`;
    return { row: 0, detail, earlier: { batchId } };
  });
  return [{ code: 'OVERLAP', count: byShare[0]?.shared ?? 0, examples }];
}
