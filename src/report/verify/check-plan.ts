import type { BatchRecord } from '../../store/batches/types.ts';
import { formatAmount, parseAmount, sumAmounts } from '../../domain/money/amount.ts';
import { digestOf } from '../../domain/plan/digest.ts';
import { externalIdOf, idempotencyKeyOf } from '../../domain/sending/identity.ts';
import type { ChunkRecord } from '../../store/batches/chunks.ts';
import { plannedFacts } from '../../store/batches/plan-facts.ts';
import type { ChunkHead } from '../../store/rows/staging.ts';
import type { Store } from '../../store/index.ts';
import type { Problems } from './problems.ts';
import type { RowProgress } from './telling.ts';

export type PlanToCheck = Readonly<{ batch: BatchRecord; chunks: readonly ChunkRecord[] }> &
  RowProgress;

/**
 * Reads the rows of every chunk and holds them against their hash, number and total; makes the digest of the plan again; and
 * holds what is sent against the plan. Memory holds the rows of one chunk. Answers with the number of rows.
 */
export async function checkPlan(
  { staging }: Store,
  { batch, chunks, tell }: PlanToCheck,
  problems: Problems,
): Promise<number> {
  const { ingestId, digest } = batch;
  if (ingestId === null) return 0;
  const heads = await staging.heads(ingestId);
  let rows = 0;
  for (const head of heads) {
    await problems.during(`the rows of chunk ${head.chunk}`, async () => {
      const what = await rowsDifference(staging, ingestId, head);
      if (what !== undefined) problems.add('ROWS_CHANGED', { chunk: head.chunk, what });
    });
    rows += head.rowCount;
    tell(rows);
  }
  const facts = digest === null ? undefined : plannedFacts(batch, heads);
  if (facts !== undefined && digest !== null) {
    const made = digestOf(facts);
    if (made !== digest) problems.add('PLAN_CHANGED_SINCE', { digest, made });
  }
  if (chunks.length > 0) checkChunks({ batch, chunks, heads }, problems);
  return rows;
}

async function rowsDifference(
  staging: Store['staging'],
  ingestId: string,
  head: ChunkHead,
): Promise<string | undefined> {
  const { chunk, rowsSha256, rowCount, total, firstRow, lastRow } = head;
  if ((await staging.hashOfRows(ingestId, chunk)) !== rowsSha256)
    return 'its rows have another hash';
  const rows = await staging.rows(ingestId, chunk);
  if (rows.length !== rowCount) return `it has ${rows.length} rows, and ${rowCount} were planned`;
  const sum = formatAmount(sumAmounts(rows.map(({ amount }) => parseAmount(amount))));
  if (sum !== total) return `its rows are ${sum} together, and ${total} was planned`;
  const isInPlace = rows[0]?.row === firstRow && rows.at(-1)?.row === lastRow;
  return isInPlace ? undefined : 'its rows are those of other lines';
}

function checkChunks(
  { batch, chunks, heads }: Omit<PlanToCheck, 'tell'> & Readonly<{ heads: readonly ChunkHead[] }>,
  problems: Problems,
): void {
  const planned = new Map(heads.map((head) => [head.chunk, head]));
  for (const chunk of chunks) {
    const head = planned.get(chunk.chunk);
    planned.delete(chunk.chunk);
    const what =
      head === undefined ? 'the plan has no such chunk' : differenceOf(batch, chunk, head);
    if (what !== undefined) problems.add('ROWS_CHANGED', { chunk: chunk.chunk, what });
  }
  for (const chunk of planned.keys()) {
    problems.add('ROWS_CHANGED', { chunk, what: 'the plan has it, and it is gone' });
  }
}

function differenceOf(batch: BatchRecord, chunk: ChunkRecord, head: ChunkHead): string | undefined {
  const identity = { ...batch, chunk: chunk.chunk };
  const expected = {
    currency: head.currency,
    rowCount: head.rowCount,
    total: head.total,
    firstRow: head.firstRow,
    lastRow: head.lastRow,
    idempotencyKey: idempotencyKeyOf(identity),
    externalId: externalIdOf(identity),
  };
  const names = Object.keys(expected) as (keyof typeof expected)[];
  const changed = names.filter((name) => expected[name] !== chunk[name]);
  return changed.length === 0 ? undefined : `${changed.join(', ')} is another`;
}
