import { SHOWN_OUTCOMES, type ShownOutcome } from '../../domain/settling/outcome.ts';
import { type ShownRow, shownRows } from '../../report/report-rows.ts';
import { findRecord } from './find-record.ts';
import type { Sources } from './types.ts';

/** Which rows of a batch. `limit`: at most so many; missing: all. */
export type RowsInput = Readonly<{
  batchId: string;
  outcomes?: readonly ShownOutcome[] | undefined;
  limit?: number | undefined;
}>;

/** Reads rows with their outcomes so far, in the order of the file. @throws BATCH_NOT_FOUND before the first row */
export async function readRows(
  { store }: Sources,
  { batchId, outcomes = SHOWN_OUTCOMES, limit = Number.POSITIVE_INFINITY }: RowsInput,
): Promise<AsyncIterable<ShownRow>> {
  const record = await findRecord({ store }, batchId);
  const chunks = await store.chunks.list(batchId);
  return chosen(shownRows(store, record, chunks), outcomes, limit);
}

async function* chosen(
  all: AsyncIterable<ShownRow>,
  outcomes: readonly ShownOutcome[],
  limit: number,
): AsyncGenerator<ShownRow> {
  let left = limit;
  for await (const row of all) {
    if (!outcomes.includes(row.outcome)) continue;
    yield row;
    left -= 1;
    if (left === 0) return;
  }
}
