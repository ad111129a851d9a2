import { FINDING_EXAMPLES_MAX, type Finding } from '../../domain/plan/finding.ts';

/** Rows that a batch shares with an earlier one. */
export type Overlap = Readonly<{
  source: string;
  shared: number;
  /** Whether the two have the same rows, and no others. */
  isSame: boolean;
}>;

/** From so many rows on that are so large a share, people are told of the batch instead of each row. */
export const OVERLAP_ROWS_MIN = 10;
export const OVERLAP_PERCENT_MIN = 20;

export const isOverlap = (
  { shared, isSame }: Pick<Overlap, 'shared' | 'isSame'>,
  rows: number,
): boolean => isSame || (shared >= OVERLAP_ROWS_MIN && shared * 100 >= rows * OVERLAP_PERCENT_MIN);

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
