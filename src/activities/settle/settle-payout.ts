import { mergeRecheck } from '../../domain/lineage/merge-recheck.ts';
import { identityDifferences } from '../../domain/sending/verify.ts';
import {
  hidesName,
  isEachLookedUp,
  isSoftEnd,
  outcomesOf,
  namedBy,
} from '../../domain/settling/payout-outcomes.ts';
import {
  isPatienceOver,
  countingLookups,
  payoutFingerprint,
} from '../../domain/settling/withdrawal-lookups.ts';
import { type ChunkOutcomes, type RowOutcome, UNSTABLE } from '../../domain/settling/outcome.ts';
import { createRowFinder, type SentRow } from '../../domain/settling/withdrawals.ts';
import type { MassPayout } from '@bursar/merchant-api';
import type { StoredRowOutcome } from '../../store/settlement/settlements.ts';
import { sentRows } from '../send/payload.ts';
import type { Change, ChunkOfBatch, SettleDeps, SweptChunk } from './settling.ts';
import { feeText } from '../service/verify-payout.ts';
import { lookUpNext } from './look-up-withdrawals.ts';

/** Stores the conclusions from a read of an open chunk's mass payout; undefined when there is no change. */
export const settlePayout = (
  deps: SettleDeps,
  swept: SweptChunk,
  payout: MassPayout,
): Promise<Change | undefined> =>
  namedBy(payout).length === 0 && !hidesName(payout)
    ? settleWhole(deps, swept, payout)
    : settleNamed(deps, swept, payout);

/** Ends a chunk whose mass payout changed its state too often: its rows become UNKNOWN. */
export function giveUp(
  deps: SettleDeps,
  swept: SweptChunk,
  payout: MassPayout,
): Promise<Change | undefined> {
  const outcomes = {
    massPayoutState: payout.state,
    final: true,
    defaultOutcome: UNSTABLE,
    rows: [],
  };
  return save(deps, swept, { payout, outcomes, rows: [], unclearSinceMs: null });
}

/** Whether the service returns another mass payout than the chunk's own under its id: then a person must check. */
export async function isAnotherPayout(
  deps: SettleDeps,
  swept: SweptChunk,
  payout: MassPayout,
): Promise<boolean> {
  const differences = await currentDifferences(deps, swept, payout);
  if (differences.length === 0) return false;
  await deps.store.settlements.disown(swept.at, differences);
  return true;
}

/** How a mass payout differs from the chunk's own. One that a person adopted may have another key; that is why it was adopted. */
export async function currentDifferences(
  { store }: Readonly<{ store: Pick<SettleDeps['store'], 'sends'> }>,
  { at, batch, chunk }: ChunkOfBatch,
  payout: MassPayout,
): Promise<string[]> {
  const intent = { ...chunk, account: batch.account };
  const differences = identityDifferences(intent, payout);
  if (differences.length === 0) return [];
  const { answer } = await store.sends.record({ ...at, idempotencyKey: chunk.idempotencyKey });
  const adopted = answer?.kind === 'adopt' && answer.massPayoutId === payout.id;
  return adopted
    ? identityDifferences(intent, { ...payout, idempotencyKey: undefined })
    : differences;
}

/** Settles a mass payout that speaks for all its rows alike. */
async function settleWhole(
  deps: SettleDeps,
  swept: SweptChunk,
  payout: MassPayout,
): Promise<Change | undefined> {
  const nothing = { findRows: () => [], lookups: new Map(), patienceOver: false };
  const outcomes = outcomesOf({ payout, ...nothing });
  const { massState, unclearSinceMs } = swept.chunk;
  if (!outcomes.final && outcomes.massPayoutState === massState && unclearSinceMs === null) {
    return undefined;
  }
  return save(deps, swept, { payout, outcomes: outcomes, rows: [], unclearSinceMs: null });
}

/**
 * Settles a mass payout that names some of its withdrawals, or may name some where it cannot be read. Each is looked up, a bounded
 * number in one sweep.
 */
async function settleNamed(
  deps: SettleDeps,
  swept: SweptChunk,
  payout: MassPayout,
): Promise<Change | undefined> {
  const { at, batch, chunk, options, lookupsMax } = swept;
  const { account } = batch;
  const kept = await lookUpNext(deps, { at, account, payout, max: lookupsMax });
  const rows = await rowsOfChunk(deps, swept);
  const lookups = countingLookups(payout, kept);
  const isThrough = isEachLookedUp({ payout, lookups });
  const nowMs = deps.nowMs();
  const unclearSinceMs = isThrough ? (chunk.unclearSinceMs ?? nowMs) : null;
  const outcomes = outcomesOf({
    payout,
    findRows: createRowFinder(rows, batch.code),
    lookups,
    // What stays unclear is waited for as long as one slow poll takes.
    patienceOver:
      unclearSinceMs !== null &&
      isPatienceOver(payout, kept, {
        sinceMs: unclearSinceMs,
        patienceMs: options.pollMaxMs,
        nowMs,
      }),
  });
  return save(deps, swept, { payout, outcomes: outcomes, rows, unclearSinceMs });
}

type ReadOutcomes = Readonly<{
  payout: MassPayout;
  outcomes: ChunkOutcomes;
  rows: readonly SentRow[];
  unclearSinceMs: number | null;
}>;

/** Stores outcomes. Returns undefined when another worker has changed the chunk since its mass payout was read. */
async function save(
  deps: SettleDeps,
  swept: SweptChunk,
  { payout, outcomes: fresh, rows: read, unclearSinceMs }: ReadOutcomes,
): Promise<Change | undefined> {
  const { store } = deps;
  const { at, chunk } = swept;
  const isFirst = chunk.reopened === 0;
  const rows = isFirst ? read : await rowsOfChunk(deps, swept);
  const outcomes = isFirst ? fresh : await mergedWith(deps, swept, { fresh, rows });
  const withAmount = amountsOf(chunk, rows);
  const saved = await store.settlements.save(at, {
    ...outcomes,
    rows: outcomes.rows.map(withAmount),
    fee: feeText(payout),
    unclearSinceMs: outcomes.final ? null : unclearSinceMs,
    // Withdrawals that are named no more may meet another fate before they are named again.
    keepsLookups: !outcomes.final && namedBy(payout).length > 0,
    payoutFingerprint: isSoftEnd(outcomes) ? payoutFingerprint(payout) : null,
    reopened: chunk.reopened,
  });
  if (!saved) return undefined;
  return outcomes.final ? 'settled' : 'moved';
}

/** The outcomes of a reopened chunk. A row that was PAID never becomes unpaid. */
async function mergedWith(
  { store }: SettleDeps,
  { at, chunk }: SweptChunk,
  { fresh, rows }: Readonly<{ fresh: ChunkOutcomes; rows: readonly SentRow[] }>,
): Promise<ChunkOutcomes> {
  const known = {
    defaultOutcome: { outcome: chunk.defaultOutcome, reason: chunk.defaultReason },
    rows: await store.settlements.ofChunk(at.batchId, at.chunk),
  };
  const numbers = rows.map(({ row }) => row);
  const { merged: outcomes } = mergeRecheck(known, {
    fresh,
    coversAllRows: true,
    rows: numbers,
    unknownStays: () => true,
  });
  return { ...outcomes, final: fresh.final };
}

/** The rows of a chunk as they were sent. */
export async function rowsOfChunk(
  { store }: SettleDeps,
  { batch, chunk, options }: SweptChunk,
): Promise<SentRow[]> {
  const staged = await store.staging.rows(batch.ingestId, chunk.chunk);
  return sentRows({ code: batch.code, options }, staged);
}

/** Adds the amount of its row to an outcome. */
export function amountsOf(
  { chunk }: Pick<SweptChunk['chunk'], 'chunk'>,
  rows: readonly SentRow[],
): (outcomes: RowOutcome) => StoredRowOutcome {
  const amounts = new Map(rows.map(({ row, amount }) => [row, amount]));
  return (outcomes) => {
    const amount = amounts.get(outcomes.row);
    if (amount === undefined) throw new Error(`row ${outcomes.row} is not in chunk ${chunk}`);
    return { ...outcomes, chunk, amount };
  };
}
