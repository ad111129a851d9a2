import { REOPENED_MAX } from '../../domain/lineage/follow.ts';
import { saidOf } from '../../domain/settling/looks.ts';
import type { MassPayout } from '@bursar/merchant-api';
import { reopened as reopenedVerdict } from '../../domain/lineage/later-word.ts';
import { amountsOf, giveUp, isStrange, judgePayout, rowsOfChunk } from './judge-payout.ts';
import { readTwiceIfNeeded, type PayoutReading } from '../service/read-twice.ts';
import type { Change, Open, SettleDeps } from './settling.ts';

/**
 * Waits before each try of a read without an answer. A longer absence must not hold up a batch whose ends are stored.
 */
export const READ_DELAYS_MS = [0, 1_000, 5_000, 20_000] as const;

/**
 * Reads a mass payout again whose end people can change in the service's own interface. Withdrawals that they sent
 * again meanwhile are followed to their new end; an unreadable or unchanged mass payout keeps its end.
 */
export async function settleAgain(deps: SettleDeps, open: Open): Promise<Change | undefined> {
  const { at, chunk } = open;
  if (chunk.said === null || chunk.reopened > REOPENED_MAX) return 'settled';
  const told = await readWithPatience(deps, open);
  if (told === 'refused' || told === 'unanswered') return 'settled';
  if (told !== 'unsure' && (await saysTheSame(deps, open, told))) return 'settled';
  const reopened = await reopen(deps, open);
  const now = await deps.store.chunks.get(at.batchId, at.chunk);
  if (!reopened) return now.final ? 'settled' : undefined;
  if (told === 'unsure') return 'moved';
  const again = { ...open, chunk: now };
  const judge = now.reopened > REOPENED_MAX ? giveUp : judgePayout;
  return (await judge(deps, again, told)) ?? 'moved';
}

/** Takes a verdict back. The rows that it called PAID stay PAID meanwhile: people were shown that. */
async function reopen(deps: SettleDeps, open: Open): Promise<boolean> {
  const { at, chunk } = open;
  const rows = await rowsOfChunk(deps, open);
  const known = {
    rest: { outcome: chunk.restOutcome, reason: chunk.restReason },
    rows: await deps.store.settlements.ofChunk(at.batchId, at.chunk),
  };
  const numbers = rows.map(({ row }) => row);
  const { rest, rows: own } = reopenedVerdict(known, {
    rows: numbers,
    unknownStays: () => chunk.reopened > 0,
  });
  const meanwhile = { rest, rows: own.map(amountsOf(chunk, rows)) };
  return deps.store.settlements.reopen(at, chunk.reopened, meanwhile);
}

/** Reads a mass payout, several times where no answer comes. */
export async function readWithPatience(
  { service, pause }: Pick<SettleDeps, 'service' | 'pause'>,
  { chunk }: Pick<Open, 'chunk'>,
): Promise<PayoutReading> {
  let told: PayoutReading = 'unanswered';
  for (const delayMs of READ_DELAYS_MS) {
    if (delayMs > 0) await pause(delayMs);
    told = await readTwiceIfNeeded(service, chunk);
    if (told !== 'unanswered') break;
  }
  return told;
}

/** Whether the answer of the service has no change, or is not about our mass payout. */
const saysTheSame = async (deps: SettleDeps, open: Open, payout: MassPayout): Promise<boolean> =>
  saidOf(payout) === open.chunk.said || (await isStrange(deps, open, payout));
