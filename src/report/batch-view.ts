import type { BatchRecord } from '../store/batches/types.ts';
import { isOpenChunk } from '../domain/batch/chunk-state.ts';
import type { BatchState } from '../domain/batch/batch-state.ts';
import {
  type Amount,
  addAmounts,
  formatAmount,
  parseAmount,
  ZERO,
} from '../domain/money/amount.ts';
import { parseSignedAmount } from '../domain/money/signed-amount.ts';
import type {
  AlarmCase,
  BatchView,
  EndedBatchView,
  OperatorCase,
} from '../domain/report/report.ts';
import type { StatedFee } from '../domain/report/stated-fee.ts';
import { type Requested, type Share, type Totals, tieOut } from '../domain/report/totals.ts';
import type { ChunkRecord } from '../store/batches/chunks.ts';
import type { StoreParts } from '../store/index.ts';
import { ON_THEIR_WAY_MS } from '../domain/restore/beginning.ts';
import { readDoublePayments } from './row-history.ts';

/** The parts of a view that the store does not hold. */
export type ViewContext = Readonly<{ state: BatchState; workflowId: string }>;

/**
 * Reads the current view of a batch, counted from its chunks and rows.
 * @throws TIE_OUT_BROKEN when rows and amounts do not add up to the file.
 */
export async function readBatchView(
  store: StoreParts,
  batch: BatchRecord,
  {
    reportDir,
    reportUrl,
    ...context
  }: ViewContext & Readonly<{ reportDir: string; reportUrl: string | null }>,
): Promise<BatchView> {
  const chunks = await store.chunks.list(batch.batchId);
  const view = await readView(store, batch, { ...context, chunks });
  const holds = batch.endState === null ? await store.holds.open(batch.batchId) : [];
  const restore = await store.restores.of(batch.batchId);
  const forgotten = restore === undefined ? {} : { forgotten: forgottenSince(restore.atMs) };
  const needsOperator = view.needsOperator.map((one) => ({ ...one, ...forgotten }));
  const verifying = await store.restores.progress(batch.batchId);
  return {
    ...view,
    reportDir,
    reportUrl,
    needsOperator,
    alarms: alarmsOf(chunks),
    holds,
    ...(verifying === null ? {} : { verifying }),
  };
}

const forgottenSince = (restoredAtMs: number): NonNullable<OperatorCase['forgotten']> => ({
  since: new Date(restoredAtMs).toISOString(),
  until: new Date(restoredAtMs + ON_THEIR_WAY_MS).toISOString(),
});

/** Reads the view of a batch without alarms and holds, which only an open batch has. */
export async function readView(
  store: StoreParts,
  batch: BatchRecord,
  { chunks, ...context }: ViewContext & Readonly<{ chunks: readonly ChunkRecord[] }>,
): Promise<EndedBatchView> {
  const totals = await readTotals(store, batch, chunks);
  const line = await store.lineage.line(batch.batchId);
  const check = (await store.balances.find(batch.batchId))?.check ?? null;
  return {
    schema: 'bursar.batch/v1',
    batchId: batch.batchId,
    workflowId: context.workflowId,
    state: context.state,
    digest: batch.digest,
    rows: totals.rows,
    amounts: totals.amounts,
    chunks: { total: chunks.length, byState: countByState(chunks) },
    needsOperator: await Promise.all(
      chunks
        .filter(({ state }) => state === 'NEEDS_OPERATOR')
        .map((chunk) => operatorCase(store, batch.batchId, chunk)),
    ),
    error: batch.error,
    generation: batch.generation,
    parentBatchId: batch.parentBatchId,
    childBatchId:
      line.find(({ parentBatchId }) => parentBatchId === batch.batchId)?.batchId ?? null,
    paidTwice: await readDoublePayments(store, line),
    ...(check === null ? {} : { balance: check }),
  };
}

/**
 * Counts the rows and amounts of a batch by outcome, and compares them with its file.
 * @throws TIE_OUT_BROKEN when they do not add up.
 */
export async function readTotals(
  store: StoreParts,
  batch: BatchRecord,
  chunks: readonly ChunkRecord[],
): Promise<Totals> {
  const { summary } = batch;
  if (summary === null) return { rows: NO_ROWS, amounts: [] };
  const refused = await refusedShares(store, batch);
  const planned = chunks.length > 0;
  const shares = planned ? await store.settlements.shares(batch.batchId) : unplannedShares(batch);
  const fees = await store.settlements.fees(batch.batchId);
  const requested: Requested = {
    rows: summary.rows,
    amounts: requestedAmounts(batch, refused, fees),
  };
  return tieOut(batch.batchId, requested, [...shares, ...refused]);
}

const NO_ROWS = { total: 0, paid: 0, failed: 0, unknown: 0, notSent: 0, inFlight: 0 };

/** The rows of a batch without chunks. They are not sent yet, or never will be after its end. */
function unplannedShares({ summary, endState }: BatchRecord): Share[] {
  return (summary?.currencies ?? []).map(({ currency, rows, total }) => ({
    currency,
    outcome: endState === null ? 'NOT_SENT_YET' : 'NOT_SENT',
    rows,
    amount: total,
  }));
}

/**
 * Sums up the refused rows, which are never sent.
 * An amount counts when amount and currency are readable. The store returns the reasons of one row
 * one after the other, so that memory holds sums only.
 */
async function refusedShares(
  { staging }: StoreParts,
  { ingestId, summary }: BatchRecord,
): Promise<Share[]> {
  if (ingestId === null || summary === null || summary.refusedRows === 0) return [];
  const shares = new Map<string, { rows: number; amount: Amount }>();
  let lastRow = 0;
  for await (const { row, amount, currency } of staging.refused(ingestId)) {
    if (row === lastRow) continue;
    lastRow = row;
    const isReadable = amount !== undefined && currency !== undefined;
    const key = isReadable ? currency : '';
    const share = shares.get(key) ?? { rows: 0, amount: ZERO };
    const sum = isReadable ? addAmounts(share.amount, parseAmount(amount)) : share.amount;
    shares.set(key, { rows: share.rows + 1, amount: sum });
  }
  return [...shares].map(([currency, { rows, amount }]) => ({
    currency,
    outcome: 'NOT_SENT',
    rows,
    amount: formatAmount(amount),
  }));
}

function requestedAmounts(
  { summary }: BatchRecord,
  refused: readonly Share[],
  fees: ReadonlyMap<string, StatedFee>,
): Requested['amounts'] {
  const totals = new Map(
    (summary?.currencies ?? []).map(({ currency, total }) => [currency, parseSignedAmount(total)]),
  );
  for (const { currency, amount } of refused) {
    if (amount === '0') continue;
    totals.set(currency, addAmounts(totals.get(currency) ?? ZERO, parseSignedAmount(amount)));
  }
  return [...totals].map(([currency, total]) => ({
    currency,
    requested: formatAmount(total),
    fee: fees.get(currency)?.fee ?? '0',
    ...(fees.get(currency)?.includesUnpaid === true ? { feeIncludesUnpaid: true as const } : {}),
  }));
}

/** The state of a chunk for people: the state of its mass payout after the create. */
export const shownState = ({ state, massState }: ChunkRecord): string =>
  state === 'CREATED' ? (massState ?? state) : state;

function countByState(chunks: readonly ChunkRecord[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const chunk of chunks) counts[shownState(chunk)] = (counts[shownState(chunk)] ?? 0) + 1;
  return counts;
}

/** Returns the chunks that have not ended. */
export const openChunks = (chunks: readonly ChunkRecord[]): ChunkRecord[] =>
  chunks.filter(({ state, final }) => isOpenChunk(state, final));

/** Returns the open chunks with an alarm, grouped by reason and state. */
function alarmsOf(chunks: readonly ChunkRecord[]): AlarmCase[] {
  const cases = new Map<string, { reason: string; state: string; ms: number; chunks: number[] }>();
  for (const chunk of chunks) {
    const { state, attentionReason: reason, attentionSinceMs } = chunk;
    if (state !== 'CREATED' || reason === null) continue;
    const shown = shownState(chunk);
    const key = `${reason} ${shown}`;
    const ms = attentionSinceMs ?? 0;
    const one = cases.get(key) ?? { reason, state: shown, ms, chunks: [] };
    one.chunks.push(chunk.chunk);
    cases.set(key, { ...one, ms: Math.min(one.ms, ms) });
  }
  return [...cases.values()].map(({ ms, ...one }) => ({
    ...one,
    since: new Date(ms).toISOString(),
  }));
}

/**
 * Returns the facts for a person who decides about a chunk: its ids, and all attempts with times.
 */
async function operatorCase(
  store: StoreParts,
  batchId: string,
  chunk: ChunkRecord,
): Promise<OperatorCase> {
  const { chunk: number, idempotencyKey } = chunk;
  const { attempts } = await store.sends.record({ batchId, chunk: number, idempotencyKey });
  return {
    chunk: number,
    reason: chunk.attentionReason ?? '',
    since: new Date(chunk.attentionSinceMs ?? 0).toISOString(),
    idempotencyKey,
    externalId: chunk.externalId,
    rows: chunk.rowCount,
    currency: chunk.currency,
    total: chunk.total,
    attempts: attempts.map(({ n, timestampMs, outcome, httpStatus, errorCode, traceId }) => ({
      n,
      signedAt: new Date(timestampMs).toISOString(),
      outcome,
      ...(httpStatus === undefined ? {} : { httpStatus }),
      ...(errorCode === undefined ? {} : { errorCode }),
      ...(traceId === undefined ? {} : { traceId }),
    })),
  };
}
