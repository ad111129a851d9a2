import type { RowNumber } from '../rows/row.ts';
import { hasNumber, hasNumberWithin } from '../rows/row-numbers.ts';
import type { ProvesUnpaid } from './row-proof.ts';

/** The present read of a chunk of an earlier batch. */
export type ChunkProof = Readonly<
  { kind: 'read'; proves: ProvesUnpaid } | { kind: 'unanswered' | 'hidden' }
>;

/** Rows of one batch, by number. */
export type BatchRows = Readonly<{ batchId: string; rows: readonly RowNumber[] }>;

/** Wanted rows that a chunk of an earlier batch holds. `name`: what people find the chunk by, in the service. */
export type HeldRows = BatchRows & Readonly<{ name: string }>;

/** An earlier batch that may have paid a row, and in words why. */
export type MayBePaid = Readonly<{ batchId: string; why: string }>;

/** What stands against a resend: rows that may be paid, and the chunks of which nothing could be learnt. */
export type ResendObjections = Readonly<{
  missing: number;
  paid: ReadonlyMap<RowNumber, MayBePaid>;
  unread: ReadonlySet<string>;
}>;

export type ResendBook = ReturnType<typeof createResendBook>;

/**
 * Collects the reads of rows that are to be paid again; each must be proven unpaid by every earlier batch that holds
 * it. `wanted`: their numbers, in order.
 */
export function createResendBook(wanted: Uint32Array) {
  const byBatch = new Map<string, number>();
  const seen = new Set<RowNumber>();
  const paid = new Map<RowNumber, MayBePaid>();
  const unread = new Set<string>();
  const add = (rows: readonly RowNumber[], why: MayBePaid): void => {
    for (const row of rows) if (!paid.has(row)) paid.set(row, why);
  };
  return {
    /** How many of the rows each earlier batch holds. */
    byBatch: byBatch as ReadonlyMap<string, number>,
    mayConcern: ({ firstRow, lastRow }: Readonly<{ firstRow: RowNumber; lastRow: RowNumber }>) =>
      hasNumberWithin(wanted, firstRow, lastRow),
    wantedOf: (rows: readonly RowNumber[]) => rows.filter((row) => hasNumber(wanted, row)),
    note({ batchId, rows, name }: HeldRows, read: ChunkProof): void {
      byBatch.set(batchId, (byBatch.get(batchId) ?? 0) + rows.length);
      for (const row of rows) {
        seen.add(row);
        const result = read.kind === 'read' ? read.proves(row) : read.kind;
        if (result === 'unpaid') continue;
        if (result === 'unread' || result === 'unanswered') {
          unread.add(name);
          continue;
        }
        const why = `${result === 'hidden' ? 'not shown by the service' : result} in ${batchId}`;
        paid.set(row, { batchId, why });
      }
    },
    /** The transactions of the wallet's list that a reconciliation found. */
    shown({ batchId, rows }: BatchRows): void {
      const why = `paid by the wallet, as "bursar reconcile ${batchId}" found`;
      add(rows, { batchId, why });
    },
    /** Rows that proved to be paid, or in doubt, since the resend was begun. */
    block({ batchId, rows }: BatchRows): void {
      add(rows, { batchId, why: `changed in ${batchId}` });
    },
    objections: (): ResendObjections => ({ missing: wanted.length - seen.size, paid, unread }),
  };
}
