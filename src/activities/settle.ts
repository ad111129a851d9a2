import type { SettleActivities, SweepInput, Swept } from '../contract/activities.ts';
import type { BatchOptions } from '../contract/batch.ts';
import {
  judgeChunk,
  type MassPayoutFacts,
  needsLooks,
  needsSecondRead,
  type WithdrawalLook,
} from '../domain/settling/judge.ts';
import { type ChunkVerdict, type RowVerdict } from '../domain/settling/outcome.ts';
import { createRowFinder, type SentRow } from '../domain/settling/withdrawals.ts';
import { type MassPayout, MerchantApiError } from '../merchant-api/index.ts';
import type { BatchFacts } from '../store/batches.ts';
import type { ChunkRecord } from '../store/chunks.ts';
import type { StoredRowVerdict } from '../store/settlements.ts';
import type { Store } from '../store/store.ts';
import { atBoundary } from './boundary.ts';
import { inParallel } from './in-parallel.ts';
import { sentRows } from './payload.ts';
import type { Service } from './service.ts';
import { feeText } from './verify-payout.ts';
import { lookAtWithdrawals } from './withdrawal-looks.ts';

export type SettleDeps = Readonly<{
  store: Pick<Store, 'batches' | 'chunks' | 'staging' | 'settlements'>;
  service: Service;
  nowMs(): number;
}>;

/** Mass payouts that one sweep reads side by side. */
const READS_IN_PARALLEL = 8;

/** Learns the states of mass payouts by signed reads. Only these change what a row's outcome is. */
export const createSettleActivities = (deps: SettleDeps): SettleActivities => ({
  sweepChunks: (input) => atBoundary(() => sweep(deps, input)),
});

type Change = keyof Swept;

async function sweep(deps: SettleDeps, { batchId, chunks }: SweepInput): Promise<Swept> {
  const batch = await deps.store.batches.facts(batchId);
  const records = await deps.store.chunks.getMany(batchId, chunks);
  const changes = new Map<number, Change>();
  await inParallel(READS_IN_PARALLEL, records, async (chunk) => {
    const change = await settle(deps, batch, chunk);
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

/** Reads one mass payout and writes its verdict down. What was settled before only counts. */
async function settle(
  deps: SettleDeps,
  batch: BatchFacts,
  chunk: ChunkRecord,
): Promise<Change | undefined> {
  if (chunk.final) return 'settled';
  if (chunk.massPayoutId === null) return 'unsent';
  // A mass payout that differs from its chunk waits for a person, whatever becomes of it.
  if (chunk.state !== 'CREATED') return undefined;
  const payout = await readTwiceIfNeeded(deps, chunk.massPayoutId);
  if (payout === undefined) return 'unread';
  const named = needsLooks(payout) ? await readNamed(deps, { batch, chunk, payout }) : undefined;
  const unclearSinceMs = named === undefined ? null : (chunk.unclearSinceMs ?? deps.nowMs());
  const verdict = judgeChunk({
    payout,
    findRows: createRowFinder(named?.rows ?? [], batch.code),
    looks: named?.looks ?? new Map(),
    patienceOver: isPatienceOver(deps, batch, unclearSinceMs),
  });
  if (!verdict.final && verdict.massPayoutState === chunk.massState && unclearSinceMs === null) {
    return undefined;
  }
  await save(
    deps,
    { batch, chunk, unclearSinceMs, payout },
    withAmounts(verdict, chunk, named?.rows),
  );
  return verdict.final ? 'settled' : 'moved';
}

type Named = Readonly<{ rows: SentRow[]; looks: ReadonlyMap<string, WithdrawalLook> }>;

/** The rows of the chunk and the records of the withdrawals that its mass payout names. */
async function readNamed(
  deps: SettleDeps,
  { batch, chunk, payout }: { batch: BatchFacts; chunk: ChunkRecord; payout: MassPayoutFacts },
): Promise<Named> {
  const options = JSON.parse(batch.optionsJson) as BatchOptions;
  const rows = await deps.store.staging.rows(batch.ingestId, chunk.chunk);
  return {
    rows: sentRows({ code: batch.code, options }, rows),
    looks: await lookAtWithdrawals(deps.service, payout.withdrawalErrors),
  };
}

/** A mass payout that says FAILED is read once more before its rows count as failed; both reads must agree. */
async function readTwiceIfNeeded(
  { service }: SettleDeps,
  id: string,
): Promise<MassPayout | undefined> {
  const first = await read(service, id);
  if (first === undefined || !needsSecondRead(first)) return first;
  const second = await read(service, id);
  return second?.state === first.state ? second : undefined;
}

/** A read that fails changes nothing: the mass payout is read again later. */
async function read({ api }: Service, id: string): Promise<MassPayout | undefined> {
  try {
    const { value } = await api.readMassPayout({ id });
    return value.id === id ? value : undefined;
  } catch (error) {
    if (error instanceof MerchantApiError) return undefined;
    throw error;
  }
}

/** Withdrawals that stay unclear are waited for as long as one slow poll takes. */
function isPatienceOver(
  { nowMs }: SettleDeps,
  batch: BatchFacts,
  unclearSinceMs: number | null,
): boolean {
  if (unclearSinceMs === null) return false;
  const { pollMaxMs } = JSON.parse(batch.optionsJson) as BatchOptions;
  return nowMs() - unclearSinceMs >= pollMaxMs;
}

type Saved = Readonly<{
  batch: BatchFacts;
  chunk: ChunkRecord;
  unclearSinceMs: number | null;
  payout: MassPayout;
}>;

type VerdictWithAmounts = Omit<ChunkVerdict, 'rows'> & Readonly<{ rows: StoredRowVerdict[] }>;

const save = (
  { store }: SettleDeps,
  { batch, chunk, unclearSinceMs, payout }: Saved,
  verdict: VerdictWithAmounts,
): Promise<void> =>
  store.settlements.save(
    { batchId: batch.batchId, chunk: chunk.chunk },
    {
      ...verdict,
      fee: feeText(payout),
      unclearSinceMs: verdict.final ? null : unclearSinceMs,
    },
  );

function withAmounts(
  verdict: ChunkVerdict,
  { chunk }: ChunkRecord,
  rows: readonly SentRow[] = [],
): VerdictWithAmounts {
  const amounts = new Map(rows.map(({ row, amount }) => [row, amount]));
  const withAmount = (row: RowVerdict): StoredRowVerdict => {
    const amount = amounts.get(row.row);
    if (amount === undefined) throw new Error(`row ${row.row} is not in chunk ${chunk}`);
    return { ...row, chunk, amount };
  };
  return { ...verdict, rows: verdict.rows.map(withAmount) };
}
