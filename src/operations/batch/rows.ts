import { SHOWN_OUTCOMES, type ShownOutcome } from '../../domain/settling/outcome.ts';
import { type ShownRow, shownRows } from '../../report/report-rows.ts';
import { findRecord } from './find-record.ts';
import type { Sources } from './types.ts';

/** Which rows of a batch. `after`: only those behind this row. `limit`: at most so many; missing: all. */
export type RowsInput = Readonly<{
  batchId: string;
  outcomes?: readonly ShownOutcome[] | undefined;
  after?: number | undefined;
  limit?: number | undefined;
}>;

/** Reads rows with their outcomes so far, in the order of the file. @throws BATCH_NOT_FOUND before the first row */
export async function readRows(
  { store }: Sources,
  { batchId, outcomes = SHOWN_OUTCOMES, after = 0, limit = Number.POSITIVE_INFINITY }: RowsInput,
): Promise<AsyncIterable<ShownRow>> {
  const record = await findRecord({ store }, batchId);
  const chunks = await store.chunks.list(batchId);
  const behind = chunks.filter(({ lastRow }) => lastRow > after);
  return chosen(shownRows(store, record, behind), { outcomes, after, limit });
}

async function* chosen(
  all: AsyncIterable<ShownRow>,
  {
    outcomes,
    after,
    limit,
  }: Readonly<{ outcomes: readonly ShownOutcome[]; after: number; limit: number }>,
): AsyncGenerator<ShownRow> {
  let left = limit;
  for await (const row of all) {
    if (row.row <= after || !outcomes.includes(row.outcome)) continue;
    yield row;
    left -= 1;
    if (left === 0) return;
  }
}
