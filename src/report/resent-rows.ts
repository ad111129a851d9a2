import type { BatchRecord } from '../store/batches/types.ts';
import type { RowNumber } from '../domain/rows/row.ts';
import { hasNumber } from '../domain/rows/row-numbers.ts';
import type { Store } from '../store/index.ts';

/** The parts of the store that the rows of one batch are read from. */
export type OwnRowStore = Readonly<{
  settlements: Store['settlements'];
  staging: Store['staging'];
  /** Missing: the rows lack the hashes and fees of the wallet's transactions. */
  transactions?: Store['transactions'];
}>;

/** The parts of the store that the rows of a report are read from. */
export type RowStore = OwnRowStore &
  Readonly<{ chunks: Store['chunks']; rechecks: Store['rechecks']; lineage: Store['lineage'] }>;

/** The rows of a batch that its resends hold. */
export type ResentRows = Readonly<{
  isEmpty: boolean;
  /** Returns the newest resend that holds the row. */
  batchOf(row: RowNumber): string | undefined;
}>;

/** Reads the rows of a batch that its resends hold. Memory takes four bytes for each. */
export async function readResentRows(store: RowStore, batchId: string): Promise<ResentRows> {
  const line = await store.lineage.line(batchId);
  const resends = line.slice(line.findIndex((batch) => batch.batchId === batchId) + 1);
  const held: { batchId: string; rows: Uint32Array }[] = [];
  const changes = resends.length === 0 ? [] : await store.rechecks.all(batchId);
  for (const resend of resends.toReversed()) {
    const hasTakenRows = changes.some(
      ({ change }) => change.kind === 'resent' && change.batchId === resend.batchId,
    );
    if (await mayHoldRows(store, resend, hasTakenRows)) {
      held.push({ batchId: resend.batchId, rows: await readRowNumbers(store, resend) });
    }
  }
  return {
    isEmpty: held.length === 0,
    batchOf: (row) => held.find(({ rows }) => hasNumber(rows, row))?.batchId,
  };
}

/**
 * Whether a resend holds its rows. It does from the moment in which they were proven unpaid for it.
 * A resend that ended before it had a plan sent nothing, and holds none.
 */
const mayHoldRows = async (
  { chunks }: RowStore,
  { batchId, endState }: BatchRecord,
  hasTakenRows: boolean,
): Promise<boolean> =>
  (endState === null && hasTakenRows) || (await chunks.list(batchId)).length > 0;

/** Reads the numbers of all staged rows of a batch, in ascending order. */
export async function readRowNumbers(
  { staging }: Readonly<{ staging: Store['staging'] }>,
  { ingestId }: Readonly<{ ingestId: string | null }>,
): Promise<Uint32Array> {
  if (ingestId === null) return new Uint32Array();
  const heads = await staging.heads(ingestId);
  const numbers = new Uint32Array(heads.reduce((sum, { rowCount }) => sum + rowCount, 0));
  let at = 0;
  for (const { chunk } of heads) {
    for (const { row } of await staging.rows(ingestId, chunk)) numbers[at++] = row;
  }
  return numbers.sort();
}
