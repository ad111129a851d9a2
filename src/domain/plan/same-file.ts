import type { EndState } from '../batch/batch-state.ts';
import type { IngestSummary } from '../rows/staging.ts';
import type { Finding } from './finding.ts';

/** A batch whose rows are all those of another one. */
type Earlier = Readonly<{ batchId: string; endState: EndState | null }>;

/** The finding that the rows were submitted before; none when they were not. */
export const sameFileFindings = (
  { rows, refusedRows }: Pick<IngestSummary, 'rows' | 'refusedRows'>,
  earlier: Earlier | undefined,
): Finding[] => {
  if (earlier === undefined) return [];
  const detail = `batch ${earlier.batchId} (${earlier.endState ?? 'not ended yet'})`;
  return [{ code: 'SAME_FILE_AGAIN', count: rows - refusedRows, examples: [{ row: 0, detail }] }];
};
