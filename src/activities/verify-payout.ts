import { isBursarError } from '../domain/errors/bursar-error.ts';
import { differencesOf, readAmount } from '../domain/sending/verify.ts';
import type { MassPayout } from '../merchant-api/index.ts';
import type { ChunkRecord } from '../store/chunks.ts';
import type { FoundPayout } from '../store/sends.ts';
import { readPayout } from './read-payout.ts';
import type { SendDeps, Sending } from './sending.ts';
import { callService } from './service.ts';

/** The service's mass payout beside the chunk that it should be. */
export const foundPayout = (
  account: string,
  chunk: Pick<ChunkRecord, 'idempotencyKey' | 'currency' | 'total' | 'externalId'>,
  payout: MassPayout,
): FoundPayout => ({
  id: payout.id,
  state: payout.state,
  fee: feeText(payout),
  differences: differencesOf({ ...chunk, account }, payout),
});

/** The fee that the service told; none when it is no amount that can be counted. */
export const feeText = ({ totalFee }: Pick<MassPayout, 'totalFee'>): string | null =>
  totalFee === undefined || readAmount(totalFee) === undefined ? null : totalFee;

/**
 * Reads the mass payout that an operator says is this chunk, and compares it before it is believed. Its key is not
 * compared: an operator adopts just because the key did not lead to it. An answer that leads to nothing is dropped,
 * so that the chunk waits for another one.
 */
export async function readAdopted(
  { service, store }: SendDeps,
  { batch, chunk, ref }: Sending,
  massPayoutId: string,
): Promise<void> {
  try {
    const payout = await callService(service, (api) => readPayout(api, { id: massPayoutId }));
    if (payout === undefined) {
      await store.sends.clearAnswer(ref);
      return;
    }
    const sameKey = { ...payout, idempotencyKey: chunk.idempotencyKey };
    await store.sends.setPayout(ref, foundPayout(batch.account, chunk, sameKey));
  } catch (error) {
    if (!isBursarError(error) || error.code === 'SERVICE_UNREACHABLE') throw error;
    await store.sends.clearAnswer(ref);
  }
}
