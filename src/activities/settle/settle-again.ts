import { REOPENED_MAX } from '../../domain/lineage/follow.ts';
import { hidesName } from '../../domain/settling/payout-outcomes.ts';
import { payoutFingerprint } from '../../domain/settling/withdrawal-lookups.ts';
import type { MassPayout } from '@bursar/merchant-api';
import { reopenOutcomes as reopenedVerdict } from '../../domain/lineage/merge-recheck.ts';
import { amountsOf, giveUp, isAnotherPayout, settlePayout, rowsOfChunk } from './settle-payout.ts';
import { readTwiceIfNeeded, type PayoutReading } from '../service/read-twice.ts';
import type { Change, SweptChunk, SettleDeps } from './settling.ts';

/**
 * Waits before each try of a read without an answer. A longer absence must not hold up a batch whose ends are stored.
 */
export const READ_DELAYS_MS = [0, 1_000, 5_000, 20_000] as const;

/**
 * Reads a mass payout again whose end people can change in the service's own interface. Withdrawals that they sent
 * again meanwhile are followed to their new end; an unreadable or unchanged mass payout keeps its end. So does one with a part that may
 * hide the name of a withdrawal: the next read may show it.
 */
export async function settleAgain(
  deps: SettleDeps,
  swept: SweptChunk,
): Promise<Change | undefined> {
  const { at, chunk } = swept;
  if (chunk.payoutFingerprint === null || chunk.reopened > REOPENED_MAX) return 'settled';
  const payout = await readWithPatience(deps, swept);
  if (payout === 'refused' || payout === 'unanswered') return 'settled';
  if (payout !== 'unsure' && hidesName(payout)) return 'settled';
  if (payout !== 'unsure' && (await isUnchanged(deps, swept, payout))) return 'settled';
  const reopened = await reopen(deps, swept);
  const now = await deps.store.chunks.get(at.batchId, at.chunk);
  if (!reopened) return now.final ? 'settled' : undefined;
  if (payout === 'unsure') return 'moved';
  const again = { ...swept, chunk: now };
  const settleAs = now.reopened > REOPENED_MAX ? giveUp : settlePayout;
  return (await settleAs(deps, again, payout)) ?? 'moved';
}

/** Reopens a chunk. Its PAID rows stay PAID meanwhile: people have seen that. */
async function reopen(deps: SettleDeps, swept: SweptChunk): Promise<boolean> {
  const { at, chunk } = swept;
  const rows = await rowsOfChunk(deps, swept);
  const known = {
    defaultOutcome: { outcome: chunk.defaultOutcome, reason: chunk.defaultReason },
    rows: await deps.store.settlements.ofChunk(at.batchId, at.chunk),
  };
  const numbers = rows.map(({ row }) => row);
  const { defaultOutcome, rows: own } = reopenedVerdict(known, {
    rows: numbers,
    unknownStays: () => chunk.reopened > 0,
  });
  const meanwhile = { defaultOutcome, rows: own.map(amountsOf(chunk, rows)) };
  return deps.store.settlements.reopen(at, chunk.reopened, meanwhile);
}

/** Reads a mass payout, several times where no answer comes. */
export async function readWithPatience(
  { service, pause }: Pick<SettleDeps, 'service' | 'pause'>,
  { chunk }: Pick<SweptChunk, 'chunk'>,
): Promise<PayoutReading> {
  let payout: PayoutReading = 'unanswered';
  for (const delayMs of READ_DELAYS_MS) {
    if (delayMs > 0) await pause(delayMs);
    payout = await readTwiceIfNeeded(service, chunk);
    if (payout !== 'unanswered') break;
  }
  return payout;
}

/** Whether the answer of the service has no change, or is not about our mass payout. */
const isUnchanged = async (
  deps: SettleDeps,
  swept: SweptChunk,
  payout: MassPayout,
): Promise<boolean> =>
  payoutFingerprint(payout) === swept.chunk.payoutFingerprint ||
  (await isAnotherPayout(deps, swept, payout));
