import type { SendDeps, Sending } from '../send/types.ts';
import { isBursarError } from '../../domain/errors/bursar-error.ts';
import { differencesOf, readAmount } from '../../domain/sending/verify.ts';
import type { MassPayout } from '@bursar/merchant-api';
import type { ChunkRecord } from '../../store/batches/chunks.ts';
import type { LookedUpPayout } from '../../store/sending/sends.ts';
import { isRefusal } from '../shared/boundary.ts';
import { readPayout } from './read-payout.ts';
import { callService, type Service } from './service.ts';

/** The service's mass payout beside the chunk that it should be. */
export const foundPayout = (
  account: string,
  chunk: ChunkRecord,
  payout: MassPayout,
): LookedUpPayout => ({
  id: payout.id,
  state: payout.state,
  fee: feeText(payout),
  differences: differencesOf({ ...chunk, account }, payout),
});

/** The fee by the service; none when it is no amount that can be counted. */
export const feeText = ({ totalFee }: Pick<MassPayout, 'totalFee'>): string | null =>
  totalFee === undefined || readAmount(totalFee) === undefined ? null : totalFee;

/**
 * Reads the mass payout that an operator names for a chunk, and compares it; undefined when the service does not have
 * it. Its key is not compared: an operator adopts just because the key did not lead to it.
 */
export async function namedPayout(
  service: Service,
  { account, chunk }: Readonly<{ account: string; chunk: ChunkRecord }>,
  massPayoutId: string,
): Promise<LookedUpPayout | undefined> {
  const payout = await callService(service, (api) => readPayout(api, { id: massPayoutId }));
  if (payout === undefined) return undefined;
  const { idempotencyKey } = chunk;
  const unreadableParts = payout.unreadableParts.filter(({ path }) => path !== 'idempotencyKey');
  return foundPayout(account, chunk, { ...payout, idempotencyKey, unreadableParts });
}

/** Believes an operator's answer, once it is compared. One that leads to nothing is dropped, so that the chunk waits for another. */
export async function readAdopted(
  { service, store }: SendDeps,
  { batch, chunk, ref }: Sending,
  massPayoutId: string,
): Promise<void> {
  try {
    const found = await namedPayout(service, { account: batch.account, chunk }, massPayoutId);
    if (found !== undefined) await store.sends.setPayout(ref, found);
    // One that differs after all is for a person once more.
    const { payout } = await store.sends.record(ref);
    if (payout?.id !== massPayoutId || payout.differences.length > 0) {
      await store.sends.clearAdoption(ref, massPayoutId);
    }
  } catch (error) {
    // An error that passes by itself proves nothing about the answer.
    if (!isBursarError(error) || !isRefusal(error)) throw error;
    await store.sends.clearAdoption(ref, massPayoutId);
  }
}
