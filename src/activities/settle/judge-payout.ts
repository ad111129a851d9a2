import { laterWord } from '../../domain/lineage/later-word.ts';
import { strangenessOf } from '../../domain/sending/verify.ts';
import { isLookedThrough, isSoftEnd, judgeChunk, namedBy } from '../../domain/settling/judge.ts';
import { isPatienceOver, looksThatCount, saidOf } from '../../domain/settling/looks.ts';
import type { ChunkVerdict, RowVerdict } from '../../domain/settling/outcome.ts';
import { createRowFinder, type SentRow } from '../../domain/settling/withdrawals.ts';
import type { MassPayout } from '@bursar/merchant-api';
import type { StoredRowVerdict } from '../../store/settlement/settlements.ts';
import { sentRows } from '../send/payload.ts';
import type { Change, Open, SettleDeps } from './settling.ts';
import { feeText } from '../service/verify-payout.ts';
import { lookFurther } from './withdrawal-looks.ts';

/** Stores the conclusions from a read of an open chunk's mass payout; undefined when there is no change. */
export const judgePayout = (
  deps: SettleDeps,
  open: Open,
  payout: MassPayout,
): Promise<Change | undefined> =>
  namedBy(payout).length === 0 ? settleWhole(deps, open, payout) : settleNamed(deps, open, payout);

/** Ends a chunk whose mass payout changed its state too often: its rows become UNKNOWN. */
export function giveUp(
  deps: SettleDeps,
  open: Open,
  payout: MassPayout,
): Promise<Change | undefined> {
  const reason = 'the service keeps changing what it says of this mass payout';
  const rest = { outcome: 'UNKNOWN', reason } as const;
  const verdict = { massPayoutState: payout.state, final: true, rest, rows: [] };
  return save(deps, open, { payout, verdict, rows: [], unclearSinceMs: null });
}

/** Whether the service returns another mass payout than the chunk's own under its id: then a person must check. */
export async function isStrange(
  deps: SettleDeps,
  open: Open,
  payout: MassPayout,
): Promise<boolean> {
  const differences = await strangenessNow(deps, open, payout);
  if (differences.length === 0) return false;
  await deps.store.settlements.disown(open.at, differences);
  return true;
}

/** How a mass payout differs from the chunk's own. One that a person adopted may have another key; that is why it was adopted. */
export async function strangenessNow(
  { store }: Readonly<{ store: Pick<SettleDeps['store'], 'sends'> }>,
  { at, batch, chunk }: Pick<Open, 'at' | 'batch' | 'chunk'>,
  payout: MassPayout,
): Promise<string[]> {
  const intent = { ...chunk, account: batch.account };
  const differences = strangenessOf(intent, payout);
  if (differences.length === 0) return [];
  const { answer } = await store.sends.record({ ...at, idempotencyKey: chunk.idempotencyKey });
  const adopted = answer?.kind === 'adopt' && answer.massPayoutId === payout.id;
  return adopted ? strangenessOf(intent, { ...payout, idempotencyKey: undefined }) : differences;
}

/** Settles a mass payout that speaks for all its rows alike. */
async function settleWhole(
  deps: SettleDeps,
  open: Open,
  payout: MassPayout,
): Promise<Change | undefined> {
  const nothing = { findRows: () => [], looks: new Map(), patienceOver: false };
  const verdict = judgeChunk({ payout, ...nothing });
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
  const { at, batch, chunk, options, looksMax } = open;
  const { account } = batch;
  const kept = await lookFurther(deps, { at, account, payout, max: looksMax });
  const rows = await rowsOfChunk(deps, open);
  const looks = looksThatCount(payout, kept);
  const isThrough = isLookedThrough({ payout, looks });
  const unclearSinceMs = isThrough ? (chunk.unclearSinceMs ?? deps.nowMs()) : null;
  const verdict = judgeChunk({
    payout,
    findRows: createRowFinder(rows, batch.code),
    looks,
    // What stays unclear is waited for as long as one slow poll takes.
    patienceOver:
      unclearSinceMs !== null &&
      isPatienceOver(payout, kept, { sinceMs: unclearSinceMs, patienceMs: options.pollMaxMs }),
  });
  return save(deps, open, { payout, verdict, rows, unclearSinceMs });
}

type Judged = Readonly<{
  payout: MassPayout;
  verdict: ChunkVerdict;
  rows: readonly SentRow[];
  unclearSinceMs: number | null;
}>;

/** Stores a verdict; undefined when another worker has changed the chunk since its mass payout was read. */
async function save(
  deps: SettleDeps,
  open: Open,
  { payout, verdict: fresh, rows: read, unclearSinceMs }: Judged,
): Promise<Change | undefined> {
  const { store } = deps;
  const { at, chunk } = open;
  const isFirst = chunk.reopened === 0;
  const rows = isFirst ? read : await rowsOfChunk(deps, open);
  const verdict = isFirst ? fresh : await mergedWith(deps, open, { fresh, rows });
  const withAmount = amountsOf(chunk, rows);
  const saved = await store.settlements.save(at, {
    ...verdict,
    rows: verdict.rows.map(withAmount),
    fee: feeText(payout),
    unclearSinceMs: verdict.final ? null : unclearSinceMs,
    // Withdrawals that are named no more may meet another fate before they are named again.
    keepsLooks: !verdict.final && namedBy(payout).length > 0,
    said: isSoftEnd(verdict) ? saidOf(payout) : null,
    reopened: chunk.reopened,
  });
  if (!saved) return undefined;
  return verdict.final ? 'settled' : 'moved';
}

/** A verdict that follows one that was taken back: the rows that were PAID are never called unpaid. */
async function mergedWith(
  { store }: SettleDeps,
  { at, chunk }: Open,
  { fresh, rows }: Readonly<{ fresh: ChunkVerdict; rows: readonly SentRow[] }>,
): Promise<ChunkVerdict> {
  const known = {
    rest: { outcome: chunk.restOutcome, reason: chunk.restReason },
    rows: await store.settlements.ofChunk(at.batchId, at.chunk),
  };
  const numbers = rows.map(({ row }) => row);
  const { verdict } = laterWord(known, {
    fresh,
    isAllTold: true,
    rows: numbers,
    unknownStays: () => true,
  });
  return { ...verdict, final: fresh.final };
}

/** The rows of a chunk as they were sent. */
export async function rowsOfChunk(
  { store }: SettleDeps,
  { batch, chunk, options }: Open,
): Promise<SentRow[]> {
  const staged = await store.staging.rows(batch.ingestId, chunk.chunk);
  return sentRows({ code: batch.code, options }, staged);
}

/** Adds to a verdict on a row the amount that the row has. */
export function amountsOf(
  { chunk }: Pick<Open['chunk'], 'chunk'>,
  rows: readonly SentRow[],
): (verdict: RowVerdict) => StoredRowVerdict {
  const amounts = new Map(rows.map(({ row, amount }) => [row, amount]));
  return (verdict) => {
    const amount = amounts.get(verdict.row);
    if (amount === undefined) throw new Error(`row ${verdict.row} is not in chunk ${chunk}`);
    return { ...verdict, chunk, amount };
  };
}
