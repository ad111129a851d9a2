import type { BatchRecord } from '../store/batches/types.ts';
import type { RowNumber } from '../domain/rows/row.ts';
import { hasNumber } from '../domain/rows/row-numbers.ts';
import type { Store } from '../store/index.ts';

export type TakenStore = Pick<Store, 'lineage' | 'chunks' | 'staging' | 'late'>;

/** Rows that later generations hold. */
export type TakenRows = Readonly<{
  isEmpty: boolean;
  /** The newest batch that holds the row. */
  by(row: RowNumber): string | undefined;
}>;

/** Reads which rows of a batch its resends hold; four bytes a row. */
export async function readTakenRows(store: TakenStore, batchId: string): Promise<TakenRows> {
  const line = await store.lineage.line(batchId);
  const later = line.slice(line.findIndex((batch) => batch.batchId === batchId) + 1);
  const held: { batchId: string; rows: Uint32Array }[] = [];
  const noted = later.length === 0 ? [] : await store.late.all(batchId);
  for (const batch of later.toReversed()) {
    const isNoted = noted.some(
      ({ change }) => change.kind === 'resent' && change.batchId === batch.batchId,
    );
    if (await mayHold(store, batch, isNoted)) {
      held.push({ batchId: batch.batchId, rows: await readRowNumbers(store, batch) });
    }
  }
  return {
    isEmpty: held.length === 0,
    by: (row) => held.find(({ rows }) => hasNumber(rows, row))?.batchId,
  };
}

/**
 * Whether a later batch has taken rows over: from the moment on in which they were proven unpaid for it. One that was refused
 * before it had a plan never had a key, and holds nothing.
 */
const mayHold = async (
  { chunks }: TakenStore,
  { batchId, endState }: BatchRecord,
  isNoted: boolean,
): Promise<boolean> => (endState === null && isNoted) || (await chunks.list(batchId)).length > 0;

/** The numbers of all staged rows of a batch, in order. */
export async function readRowNumbers(
  { staging }: Pick<Store, 'staging'>,
  { ingestId }: Pick<BatchRecord, 'ingestId'>,
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
