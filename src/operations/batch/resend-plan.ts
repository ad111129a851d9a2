import { hasPaidNothing } from '../engine/engine.ts';
import { readSnapshot } from './standing.ts';
import type { Sources } from './types.ts';
import type { BatchRecord } from '../../store/batches/types.ts';
import type { EndState } from '../../domain/batch/batch-state.ts';
import { BursarError } from '../../domain/errors/bursar-error.ts';
import { resendIdOf } from '../../domain/lineage/resend-id.ts';
import {
  type Amount,
  addAmounts,
  formatAmount,
  parseAmount,
  ZERO,
} from '../../domain/money/amount.ts';
import { createRowsHash } from '../../report/rows-hash.ts';
import { type UnclearRow, type UnpaidRow, unpaidRows } from '../../report/unpaid-rows.ts';
import type { Store } from '../../store/index.ts';

/** Reasons, and rows of each, that are listed; all are counted. */
const REASONS_MAX = 100;
const ROWS_LISTED_MAX = 20;

/** Rows that failed alike. */
export type ReasonGroup = {
  readonly outcome: string;
  readonly reason: string;
  rows: number;
  readonly first: number[];
};

/** The rows that a resend would pay, and those that it leaves out. */
/** The rows that a resend sends, counted. */
type ResendCount = Readonly<{
  rows: number;
  /** A hash of these rows. */
  rowsSha256: string;
  currencies: readonly Readonly<{ currency: string; rows: number; total: string }>[];
  reasons: readonly ReasonGroup[];
}>;

export type ResendPlan = ResendCount &
  Readonly<{
    /** The id that the resend will have. */
    batchId: string;
    parentBatchId: string;
    generation: number;
    /** The batches before it, the root first. */
    lineage: readonly Readonly<{ batchId: string; generation: number; state: EndState | null }>[];
    file: Readonly<{ name: string; sha256: string }>;
    /** Rows that are left out, since they may have been paid. */
    unclear: Readonly<{ rows: number; first: readonly UnclearRow[] }>;
  }>;

/**
 * Finds the rows of an ended batch that may be sent again: those that no batch of its lineage has paid. Throws
 * RESEND_REJECTED, RESEND_NOTHING, and RESEND_EXISTS: a resend starts from the newest batch of a lineage, which alone
 * has the outcomes of all rows.
 */
export async function planResend(
  store: Store,
  parent: BatchRecord,
  id: string | null,
): Promise<ResendPlan> {
  const { batchId: parentBatchId } = parent;
  if (parent.endState === 'REJECTED' && parent.generation === 0) {
    throw new BursarError('RESEND_REJECTED', { batchId: parentBatchId });
  }
  const line = await store.lineage.line(parentBatchId);
  const [root = parent] = line;
  const newest = line.at(-1);
  if (newest !== undefined && newest.batchId !== parentBatchId) {
    throw new BursarError('RESEND_EXISTS', { batchId: parentBatchId, child: newest.batchId });
  }
  const unclear: UnclearRow[] = [];
  let unclearRows = 0;
  const count = await countRows(
    unpaidRows(store, line, (row) => {
      unclearRows += 1;
      if (unclear.length < ROWS_LISTED_MAX) unclear.push(row);
    }),
  );
  if (count.rows === 0) {
    throw new BursarError('RESEND_NOTHING', { batchId: parentBatchId, unclear: unclearRows });
  }
  const generation = parent.generation + 1;
  return {
    batchId: id ?? resendIdOf(root.batchId, generation),
    parentBatchId,
    generation,
    lineage: line.map((one) => ({
      batchId: one.batchId,
      generation: one.generation,
      state: one.endState,
    })),
    file: { name: parent.fileName, sha256: parent.fileSha256 },
    ...count,
    unclear: { rows: unclearRows, first: unclear },
  };
}

async function countRows(unpaid: AsyncIterable<UnpaidRow>): Promise<ResendCount> {
  const currencies = new Map<string, { rows: number; sum: Amount }>();
  const reasons = new Map<string, ReasonGroup>();
  const hash = createRowsHash();
  let rows = 0;
  for await (const { line, reason, outcome } of unpaid) {
    const { row, currency, amount } = line.row;
    rows += 1;
    hash.add(line.row);
    const { rows: before, sum } = currencies.get(currency) ?? { rows: 0, sum: ZERO };
    currencies.set(currency, { rows: before + 1, sum: addAmounts(sum, parseAmount(amount)) });
    const name = reasons.size < REASONS_MAX ? reason : 'other reasons';
    const key = JSON.stringify([outcome, name]);
    const group = reasons.get(key) ?? { outcome, reason: name, rows: 0, first: [] };
    group.rows += 1;
    if (group.first.length < ROWS_LISTED_MAX) group.first.push(row);
    reasons.set(key, group);
  }
  return {
    rows,
    rowsSha256: hash.sha256(),
    currencies: [...currencies].map(([currency, { rows: count, sum }]) => ({
      currency,
      rows: count,
      total: formatAmount(sum),
    })),
    reasons: [...reasons.values()].sort((a, b) => b.rows - a.rows),
  };
}

/** Refuses a batch that has not ended, in the state that `status` shows. Throws BATCH_OPEN, TEMPORAL_UNREACHABLE. */
export async function refuseOpen(sources: Sources, record: BatchRecord): Promise<void> {
  if (record.endState !== null) return;
  const { batchId } = record;
  const { state } = (await readSnapshot(sources, batchId)).view;
  throw new BursarError('BATCH_OPEN', { batchId, state });
}

/**
 * Refuses a resend of a batch that has a resend in Temporal which the store does not have, since the store is an older
 * copy. Throws RESEND_FORGOTTEN.
 */
export async function refuseForgotten(
  { store, engine: open }: Sources,
  parent: BatchRecord,
): Promise<void> {
  if ((await store.restores.of(parent.batchId)) === undefined) return;
  const engine = await open();
  for (const child of await engine.recovery.batchIds()) {
    if ((await store.batches.find(child)) !== undefined) continue;
    const execution = await engine.describe(child);
    if (execution === undefined || hasPaidNothing(execution)) continue;
    if (execution.resend?.parentBatchId !== parent.batchId) continue;
    throw new BursarError('RESEND_FORGOTTEN', { batchId: parent.batchId, child });
  }
}
