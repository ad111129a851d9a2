import { needsSecondRead } from '../../domain/settling/payout-outcomes.ts';
import { type MassPayout, MerchantApiError } from '@bursar/merchant-api';
import type { ChunkRecord } from '../../store/batches/chunks.ts';
import { isAboutQuestion, readPayout } from './read-payout.ts';
import type { Service } from './service.ts';

/**
 * The result of reading a chunk's mass payout. `refused`: the service answers, and does not show it. `unanswered`:
 * there is no result this time. `unsure`: two reads in a row disagree.
 */
export type PayoutReading = MassPayout | 'refused' | 'unanswered' | 'unsure';

/** A mass payout in state FAILED is read again before its rows count as failed; both reads must agree. */
export async function readTwiceIfNeeded(
  service: Service,
  chunk: ChunkRecord,
): Promise<PayoutReading> {
  const first = await read(service, chunk);
  if (typeof first === 'string' || !needsSecondRead(first)) return first;
  const second = await read(service, chunk);
  return typeof second === 'string' || second.state === first.state ? second : 'unsure';
}

/** A read that fails changes nothing: the mass payout is read again later. */
async function read(
  { api }: Service,
  { massPayoutId, idempotencyKey }: ChunkRecord,
): Promise<Exclude<PayoutReading, 'unsure'>> {
  if (massPayoutId === null) return 'refused';
  try {
    return (await readPayout(api, { id: massPayoutId, idempotencyKey })) ?? 'refused';
  } catch (error) {
    if (!(error instanceof MerchantApiError)) throw error;
    // Half an answer proves nothing about the mass payout: the next read may bring all of it.
    if (error.kind === 'unreadable') return 'unanswered';
    return isAboutQuestion(error) ? 'refused' : 'unanswered';
  }
}
