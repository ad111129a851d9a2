import type { BatchRecord } from '../../store/batches/types.ts';
import { formatAmount, parseAmount, sumAmounts } from '../../domain/money/amount.ts';
import { digestOf } from '../../domain/plan/digest.ts';
import { externalIdOf, idempotencyKeyOf } from '../../domain/sending/identity.ts';
import type { ChunkRecord } from '../../store/batches/chunks.ts';
import { plannedFacts } from '../../store/batches/plan-facts.ts';
import type { ChunkHead } from '../../store/rows/staging.ts';
import type { StoreParts } from '../../store/index.ts';
import type { Problems } from './problems.ts';
import type { RowProgress } from './verification-state.ts';

/** `isPruned`: its rows are gone, and each chunk keeps their hash, number and total. */
export type PlanToCheck = BatchChunks & RowProgress & Readonly<{ isPruned: boolean }>;

type BatchChunks = Readonly<{ batch: BatchRecord; chunks: readonly ChunkRecord[] }>;

/**
 * Compares the rows of every chunk with their hash, number and total. Then computes the digest of
 * the plan again, and compares the chunks with the plan. Returns the number of rows.
 * Memory holds the rows of one chunk.
 */
export async function checkPlan(
  { staging }: StoreParts,
  { batch, chunks, isPruned, onRows }: PlanToCheck,
  problems: Problems,
): Promise<number> {
  const { ingestId, digest } = batch;
  if (ingestId === null) return 0;
  const heads = await staging.heads(ingestId);
  let rows = 0;
  for (const head of heads) {
    const check = async (): Promise<void> => {
      const what = await rowsDifference(staging, ingestId, head);
      if (what !== undefined) problems.add('ROWS_CHANGED', { chunk: head.chunk, what });
    };
    if (!isPruned) await problems.during(`the rows of chunk ${head.chunk}`, check);
    rows += head.rowCount;
    onRows(rows);
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
  staging: StoreParts['staging'],
  ingestId: string,
  head: ChunkHead,
): Promise<string | undefined> {
  const { chunk, rowsSha256, rowCount, total, firstRow, lastRow } = head;
  if ((await staging.stagedRows(ingestId, chunk)).sha256 !== rowsSha256)
    return 'its rows have another hash';
  const rows = await staging.rows(ingestId, chunk);
  if (rows.length !== rowCount) return `it has ${rows.length} rows, and the plan has ${rowCount}`;
  const sum = formatAmount(sumAmounts(rows.map(({ amount }) => parseAmount(amount))));
  if (sum !== total) return `its rows add up to ${sum}, and the plan has ${total}`;
  const isInPlace = rows[0]?.row === firstRow && rows.at(-1)?.row === lastRow;
  return isInPlace ? undefined : 'its rows have other line numbers';
}

function checkChunks(
  { batch, chunks, heads }: BatchChunks & Readonly<{ heads: readonly ChunkHead[] }>,
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
    problems.add('ROWS_CHANGED', { chunk, what: 'the plan has it, and the store does not' });
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
  return changed.length === 0 ? undefined : `it differs from the plan in ${changed.join(', ')}`;
}
