import { FINDING_EXAMPLES_MAX, type Finding } from '../../domain/plan/finding.ts';

/** Rows that a batch shares with an earlier one. */
export type Overlap = Readonly<{
  source: string;
  shared: number;
  /** Whether the two have the same rows, and no others. */
  isSame: boolean;
}>;

/**
 * From so many rows on that are so large a share, one finding names the batch instead of each row. Of a small file that
 * needs half of it; of one or two rows people want to see which they are.
 */
export const OVERLAP_MINIMA: readonly Readonly<{ rows: number; percent: number }>[] = [
  { rows: 10, percent: 20 },
  { rows: 3, percent: 50 },
];

export const isOverlap = (
  { shared, isSame }: Pick<Overlap, 'shared' | 'isSame'>,
  rows: number,
): boolean =>
  isSame || OVERLAP_MINIMA.some((min) => shared >= min.rows && shared * 100 >= rows * min.percent);

/** The finding about overlaps of a batch of so many rows; it counts those of the batch that has most of them. */
export function overlapFinding(overlaps: readonly Overlap[], rows: number): Finding[] {
  if (overlaps.length === 0) return [];
  const byShare = [...overlaps].sort((a, b) => b.shared - a.shared);
  const examples = byShare.slice(0, FINDING_EXAMPLES_MAX).map(({ source, shared }) => {
    const percent = Math.floor((shared * 100) / rows);
    return { row: 0, detail: `${shared} of ${rows} rows (${percent} %) are in ${source}` };
  });
  return [{ code: 'OVERLAP', count: byShare[0]?.shared ?? 0, examples }];
}
