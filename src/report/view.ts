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
import type { AlarmCase, BatchView, OperatorCase } from '../domain/report/report.ts';
import type { StatedFee } from '../domain/report/stated-fee.ts';
import { type Requested, type Share, type Totals, tieOut } from '../domain/report/totals.ts';
import type { ChunkRecord } from '../store/batches/chunks.ts';
import type { Store } from '../store/index.ts';
import { ON_THEIR_WAY_MS } from '../store/housekeeping/health-checks.ts';
import { readDoublePayments } from './row-history.ts';

/** Where a view comes from, beside the store. */
export type ViewContext = Readonly<{ state: BatchState; workflowId: string; reportDir: string }>;

/** What is known of a batch now, counted from its chunks and rows. Throws TIE_OUT_BROKEN when it does not add up. */
export async function readBatchView(
  store: Store,
  batch: BatchRecord,
  context: ViewContext,
): Promise<BatchView> {
  const chunks = await store.chunks.list(batch.batchId);
  const view = await readView(store, batch, { ...context, chunks });
  const holds = batch.endState === null ? await store.holds.open(batch.batchId) : [];
  const restoredAtMs = await store.watches.restoredAtMsOf(batch);
  const forgotten = restoredAtMs === undefined ? {} : { forgotten: forgottenSince(restoredAtMs) };
  const needsOperator = view.needsOperator.map((one) => ({ ...one, ...forgotten }));
  return { ...view, needsOperator, alarms: alarmsOf(chunks), holds };
}

const forgottenSince = (restoredAtMs: number): NonNullable<OperatorCase['forgotten']> => ({
  since: new Date(restoredAtMs).toISOString(),
  until: new Date(restoredAtMs + ON_THEIR_WAY_MS).toISOString(),
});

/** The same without what only a batch has that is under way. */
export async function readView(
  store: Store,
  batch: BatchRecord,
  { chunks, ...context }: ViewContext & Readonly<{ chunks: readonly ChunkRecord[] }>,
): Promise<Omit<BatchView, 'alarms' | 'holds'>> {
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
    reportDir: context.reportDir,
    error: batch.error,
    generation: batch.generation,
    parentBatchId: batch.parentBatchId,
    childBatchId:
      line.find(({ parentBatchId }) => parentBatchId === batch.batchId)?.batchId ?? null,
    paidTwice: await readDoublePayments(store, line),
    ...(check === null ? {} : { balance: check }),
  };
}

/** The file on one side, the outcomes of its rows on the other. */
export async function readTotals(
  store: Store,
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

/** A batch that has no chunks yet has sent nothing; once it has ended, it never will. */
function unplannedShares({ summary, endState }: BatchRecord): Share[] {
  return (summary?.currencies ?? []).map(({ currency, rows, total }) => ({
    currency,
    outcome: endState === null ? 'NOT_SENT_YET' : 'NOT_SENT',
    rows,
    amount: total,
  }));
}

/**
 * Refused rows are never sent. Their amounts count where amount and currency could be read. Rows come in order, each
 * with all of its reasons in a row, so that sums are all that is kept.
 */
async function refusedShares(
  { staging }: Store,
  { ingestId, summary }: BatchRecord,
): Promise<Share[]> {
  if (ingestId === null || summary === null || summary.refusedRows === 0) return [];
  const shares = new Map<string, { rows: number; amount: Amount }>();
  let lastRow = 0;
  for await (const { row, amount, currency } of staging.refused(ingestId)) {
    if (row === lastRow) continue;
    lastRow = row;
    const known = amount !== undefined && currency !== undefined;
    const key = known ? currency : '';
    const share = shares.get(key) ?? { rows: 0, amount: ZERO };
    const sum = known ? addAmounts(share.amount, parseAmount(amount)) : share.amount;
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

/** The word that people see for a chunk: the state of its mass payout once there is one. */
export const shownState = ({ state, massState }: ChunkRecord): string =>
  state === 'CREATED' ? (massState ?? state) : state;

function countByState(chunks: readonly ChunkRecord[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const chunk of chunks) counts[shownState(chunk)] = (counts[shownState(chunk)] ?? 0) + 1;
  return counts;
}

/** Chunks whose fate is still open. */
export const openChunks = (chunks: readonly ChunkRecord[]): ChunkRecord[] =>
  chunks.filter(({ state, final }) => isOpenChunk(state, final));

/** Open chunks that a sweep has flagged, by reason and state. */
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

/** Everything that a person needs to decide about a chunk: what was sent when, and what to look for. */
async function operatorCase(
  store: Store,
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
