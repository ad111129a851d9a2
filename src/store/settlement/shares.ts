import type { ChunkState } from '../../domain/batch/chunk-state.ts';
import {
  formatAmount,
  parseAmount,
  subtractAmounts,
  sumAmounts,
} from '../../domain/money/amount.ts';
import { parseSignedAmount } from '../../domain/money/signed-amount.ts';
import type { Share } from '../../domain/report/totals.ts';
import { type Outcome, shownOutcome } from '../../domain/settling/outcome.ts';
import type { Db } from '../database/db.ts';
import type { Schema } from '../database/schema.ts';

/** Rows and amounts by currency and outcome: of all chunks of a batch, or of some. */
export async function sharesOfChunks(
  db: Db,
  batchId: string,
  some?: readonly number[],
): Promise<Share[]> {
  const chunks = await db
    .selectFrom('chunk')
    .select(['chunk', 'state', 'currency', 'row_count', 'total', 'default_outcome'])
    .where('batch_id', '=', batchId)
    .$if(some !== undefined, (query) => query.where('chunk', 'in', some ?? []))
    .execute();
  const rowOutcomes = await db
    .selectFrom('row_outcome')
    .select(['chunk', 'outcome', 'amount'])
    .where('batch_id', '=', batchId)
    .$if(some !== undefined, (query) => query.where('chunk', 'in', some ?? []))
    .execute();
  const byChunk = groupBy(rowOutcomes, (outcomes) => outcomes.chunk);
  return chunks.flatMap((chunk) => sharesOf(chunk, byChunk.get(chunk.chunk) ?? []));
}

/** As `Map.groupBy`, which Node.js 20 does not have. */
export function groupBy<Item, Key>(
  items: readonly Item[],
  keyOf: (item: Item) => Key,
): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return groups;
}

type ChunkShare = Pick<
  Schema['chunk'],
  'state' | 'currency' | 'row_count' | 'total' | 'default_outcome'
>;

/** The same of one chunk. `rowOutcomes`: all that it has. */
export function sharesOf(
  chunk: ChunkShare,
  rowOutcomes: readonly Pick<Schema['row_outcome'], 'outcome' | 'amount'>[],
): Share[] {
  const { currency } = chunk;
  const named = rowOutcomes.map(
    (outcomes): Share => ({
      currency,
      outcome: outcomes.outcome as Outcome,
      rows: 1,
      amount: outcomes.amount,
    }),
  );
  const namedSum = sumAmounts(rowOutcomes.map((outcomes) => parseAmount(outcomes.amount)));
  const defaultOutcome: Share = {
    currency,
    outcome: shownOutcome(chunk.default_outcome as Outcome, chunk.state as ChunkState),
    rows: chunk.row_count - rowOutcomes.length,
    amount: formatAmount(subtractAmounts(parseSignedAmount(chunk.total), namedSum)),
  };
  return [defaultOutcome, ...named];
}
