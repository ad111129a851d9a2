import type { SettleActivities, SweepInput, Swept } from '../contract/activities.ts';
import type { BatchOptions } from '../contract/batch.ts';
import { strangenessOf } from '../domain/sending/verify.ts';
import {
  isLookedThrough,
  isSoftEnd,
  judgeChunk,
  namedBy,
  needsSecondRead,
} from '../domain/settling/judge.ts';
import {
  isPatienceOver,
  isSaidBy,
  type KeptLooks,
  looksThatCount,
} from '../domain/settling/looks.ts';
import type { ChunkVerdict, RowVerdict } from '../domain/settling/outcome.ts';
import { createRowFinder, type SentRow } from '../domain/settling/withdrawals.ts';
import { type MassPayout, MerchantApiError } from '../merchant-api/index.ts';
import type { BatchFacts } from '../store/batches.ts';
import type { ChunkRecord } from '../store/chunks.ts';
import type { StoredRowVerdict } from '../store/settlements.ts';
import type { Store } from '../store/store.ts';
import { atBoundary } from './boundary.ts';
import { inParallel } from './in-parallel.ts';
import { sentRows } from './payload.ts';
import { readPayout } from './read-payout.ts';
import type { Service } from './service.ts';
import { feeText } from './verify-payout.ts';
import { lookFurther } from './withdrawal-looks.ts';

export type SettleDeps = Readonly<{
  store: Pick<Store, 'batches' | 'chunks' | 'staging' | 'sends' | 'settlements' | 'looks'>;
  service: Service;
  nowMs(): number;
}>;

/** Mass payouts that one sweep reads side by side. */
const READS_IN_PARALLEL = 8;

/**
 * Withdrawals that one sweep looks up, over all its mass payouts. With one request a second they take a quarter of an
 * hour, well below the time that the workflow gives a sweep; what is left is for the next one.
 */
export const LOOKS_PER_SWEEP_MAX = 1_000;

/** Learns the states of mass payouts by signed reads. Only these change what a row's outcome is. */
export const createSettleActivities = (deps: SettleDeps): SettleActivities => ({
  sweepChunks: (input) => atBoundary(() => sweep(deps, input)),
});

type Change = keyof Swept;

async function sweep(deps: SettleDeps, { batchId, chunks }: SweepInput): Promise<Swept> {
  const batch = await deps.store.batches.facts(batchId);
  const records = await deps.store.chunks.getMany(batchId, chunks);
  const looksMax = Math.max(1, Math.floor(LOOKS_PER_SWEEP_MAX / records.length));
  const changes = new Map<number, Change>();
  await inParallel(READS_IN_PARALLEL, records, async (chunk) => {
    const change = await settle(deps, { batch, chunk, looksMax });
    if (change !== undefined) changes.set(chunk.chunk, change);
  });
  const withChange = (wanted: Change) =>
    [...changes].filter(([, change]) => change === wanted).map(([chunk]) => chunk);
  return {
    settled: withChange('settled'),
    moved: withChange('moved'),
    unread: withChange('unread'),
    unsent: withChange('unsent'),
  };
}

/** One open chunk in a sweep. */
type Open = Readonly<{ batch: BatchFacts; chunk: ChunkRecord; looksMax: number }>;

/** Reads one mass payout and writes its verdict down. What was settled before only counts. */
async function settle(deps: SettleDeps, open: Open): Promise<Change | undefined> {
  const { chunk } = open;
  if (chunk.final) return settleAgain(deps, open);
  // A mass payout that differs from its chunk waits for a person, whatever becomes of it.
  if (chunk.massPayoutId === null || chunk.state !== 'CREATED') return 'unsent';
  const payout = await readTwiceIfNeeded(deps, chunk);
  if (payout === undefined) return 'unread';
  if (await isStrange(deps, open, payout)) return 'unsent';
  return judge(deps, open, payout);
}

const judge = (deps: SettleDeps, open: Open, payout: MassPayout): Promise<Change | undefined> =>
  namedBy(payout).length === 0 ? settleWhole(deps, open, payout) : settleNamed(deps, open, payout);

/**
 * Reads a mass payout again whose end people can change in the service's own interface. What they sent again meanwhile is
 * followed to its new end; what cannot be read, or says what it said, stays as it is.
 */
async function settleAgain(deps: SettleDeps, open: Open): Promise<Change | undefined> {
  const { batch, chunk } = open;
  if (!isSoftEnd(chunk.massState)) return 'settled';
  const payout = await readTwiceIfNeeded(deps, chunk);
  if (payout === undefined || (await isStrange(deps, open, payout))) return 'settled';
  const at = { batchId: batch.batchId, chunk: chunk.chunk };
  if (saysTheSame(payout, chunk, await deps.store.looks.ofChunk(at))) return 'settled';
  await deps.store.settlements.reopen(at);
  const reopened = await deps.store.chunks.get(at.batchId, at.chunk);
  return judge(deps, { ...open, chunk: reopened }, payout);
}

/** Whether a mass payout says what it said when the chunk's verdict was made. */
function saysTheSame(payout: MassPayout, chunk: ChunkRecord, looks: KeptLooks): boolean {
  if (payout.state !== chunk.massState) return false;
  if (namedBy(payout).length > 0) return isSaidBy(payout, looks);
  return judgeChunk({ payout, ...NOTHING_NAMED }).rest.outcome === chunk.restOutcome;
}

/** What a mass payout is judged by that names no withdrawal. */
const NOTHING_NAMED = { findRows: () => [], looks: new Map(), patienceOver: false };

/** Settles a mass payout that speaks for all its rows alike. */
async function settleWhole(
  deps: SettleDeps,
  open: Open,
  payout: MassPayout,
): Promise<Change | undefined> {
  const verdict = judgeChunk({ payout, ...NOTHING_NAMED });
  const { massState, unclearSinceMs } = open.chunk;
  if (!verdict.final && verdict.massPayoutState === massState && unclearSinceMs === null) {
    return undefined;
  }
  return save(deps, open, { payout, verdict, rows: [], unclearSinceMs: null });
}

/** Settles a mass payout that names some of its withdrawals: each is looked up, a bounded number in one sweep. */
async function settleNamed(
  deps: SettleDeps,
  open: Open,
  payout: MassPayout,
): Promise<Change | undefined> {
  const { batch, chunk, looksMax } = open;
  const options = JSON.parse(batch.optionsJson) as BatchOptions;
  const at = { batchId: batch.batchId, chunk: chunk.chunk };
  const kept = await lookFurther(deps, { at, payout, max: looksMax });
  const staged = await deps.store.staging.rows(batch.ingestId, chunk.chunk);
  const rows = sentRows({ code: batch.code, options }, staged);
  const looks = looksThatCount(payout, kept);
  const isThrough = isLookedThrough({ payout, looks });
  const unclearSinceMs = isThrough ? (chunk.unclearSinceMs ?? deps.nowMs()) : null;
  const verdict = judgeChunk({
    payout,
    findRows: createRowFinder(rows, batch.code),
    looks,
    // What stays unclear is waited for as long as one slow poll takes.
    patienceOver:
      unclearSinceMs !== null && isPatienceOver(payout, kept, unclearSinceMs + options.pollMaxMs),
  });
  return save(deps, open, { payout, verdict, rows, unclearSinceMs });
}

/**
 * Whether the service tells another mass payout than the chunk's own under the id that it gave for it: then a person
 * must look. One that a person adopted may have another key; that is why it was adopted.
 */
async function isStrange(
  { store }: SettleDeps,
  { batch, chunk }: Open,
  payout: MassPayout,
): Promise<boolean> {
  const intent = { ...chunk, account: batch.account };
  if (strangenessOf(intent, payout).length === 0) return false;
  const at = { batchId: batch.batchId, chunk: chunk.chunk };
  const { answer } = await store.sends.record({ ...at, idempotencyKey: chunk.idempotencyKey });
  const adopted = answer?.kind === 'adopt' && answer.massPayoutId === payout.id;
  const told = adopted ? { ...payout, idempotencyKey: undefined } : payout;
  const differences = strangenessOf(intent, told);
  if (differences.length === 0) return false;
  await store.settlements.disown(at, differences);
  return true;
}

/** A mass payout that says FAILED is read once more before its rows count as failed; both reads must agree. */
async function readTwiceIfNeeded(
  { service }: SettleDeps,
  chunk: ChunkRecord,
): Promise<MassPayout | undefined> {
  const first = await read(service, chunk);
  if (first === undefined || !needsSecondRead(first)) return first;
  const second = await read(service, chunk);
  return second?.state === first.state ? second : undefined;
}

/** A read that fails changes nothing: the mass payout is read again later. */
async function read(
  { api }: Service,
  { massPayoutId, idempotencyKey }: ChunkRecord,
): Promise<MassPayout | undefined> {
  if (massPayoutId === null) return undefined;
  try {
    return await readPayout(api, { id: massPayoutId, idempotencyKey });
  } catch (error) {
    if (error instanceof MerchantApiError) return undefined;
    throw error;
  }
}

type Judged = Readonly<{
  payout: MassPayout;
  verdict: ChunkVerdict;
  rows: readonly SentRow[];
  unclearSinceMs: number | null;
}>;

async function save(
  { store }: SettleDeps,
  { batch, chunk }: Open,
  { payout, verdict, rows, unclearSinceMs }: Judged,
): Promise<Change> {
  const amounts = new Map(rows.map(({ row, amount }) => [row, amount]));
  const withAmount = (row: RowVerdict): StoredRowVerdict => {
    const amount = amounts.get(row.row);
    if (amount === undefined) throw new Error(`row ${row.row} is not in chunk ${chunk.chunk}`);
    return { ...row, chunk: chunk.chunk, amount };
  };
  await store.settlements.save(
    { batchId: batch.batchId, chunk: chunk.chunk },
    {
      ...verdict,
      rows: verdict.rows.map(withAmount),
      fee: feeText(payout),
      unclearSinceMs: verdict.final ? null : unclearSinceMs,
      // Withdrawals that are named no more may meet another fate before they are named again. At an end that can change,
      // the looks tell later what has changed.
      keepsLooks: namedBy(payout).length > 0 && (!verdict.final || isSoftEnd(payout.state)),
    },
  );
  return verdict.final ? 'settled' : 'moved';
}
