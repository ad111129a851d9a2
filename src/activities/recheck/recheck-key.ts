import type { LateDeps, LateLook, Past } from './types.ts';
import { isInDoubt } from '../../domain/sending/doubt.ts';
import { keyProofOf, mayExist } from '../../domain/lineage/key-proof.ts';
import { rowsOf, withAmounts } from './recheck-payout.ts';
import { type KeyLook, lookUpKey } from '../service/lookup.ts';
import type { LookupOperation } from '../../store/sending/lookup-verification.ts';
import { proveLookupAgain } from '../service/verify-lookups.ts';
import { distrust } from '../service/distrust.ts';
import { READ_DELAYS_MS } from '../settle/settle-again.ts';
import { foundPayout } from '../service/verify-payout.ts';

/**
 * Looks up the key of a chunk again that was refused, or never sent. A mass payout that is found belongs to the chunk
 * after all, and is followed to its end; nothing of it may be sent again.
 */
export async function lookForKey(deps: LateDeps, past: Past): Promise<LateLook> {
  const { at, chunk, batch } = past;
  const ref = { ...at, idempotencyKey: chunk.idempotencyKey };
  const known = await deps.store.sends.state(ref);
  const trust = await deps.store.proofs.trust(batch.account, deps.service.baseUrl);
  // Where no send may have arrived, an answer that cannot be read is as good as a miss.
  const answering = mayExist(known) ? trust.answering : [];
  const look = await askWithPatience(deps, chunk.idempotencyKey, answering);
  if (look.payout !== undefined) {
    // Its rows were called unpaid because lookups missed the mass payout that they find now.
    if (isInDoubt(known.record)) await distrust(deps, batch, { ...at, reason: 'FOUND_AFTER_MISS' });
    return adopt(deps, past, foundPayout(batch.account, chunk, look.payout));
  }
  let said = keyProofOf(known, look.result);
  if (said === 'prove') {
    const { result: reproof } = await proveLookupAgain(deps, { batch, ref, trust });
    said = keyProofOf(known, look.result, reproof);
  }
  if (said === 'unpaid') return UNPAID;
  return { kind: said === 'unanswered' ? 'unanswered' : 'hidden' };
}

const UNPAID: LateLook = { kind: 'told', changes: [], proves: () => 'unpaid' };

async function askWithPatience(
  { service, pause }: LateDeps,
  key: string,
  answering: readonly LookupOperation[],
): Promise<Pick<KeyLook, 'result' | 'payout'>> {
  let look: Pick<KeyLook, 'result' | 'payout'> = { result: 'failed' };
  for (const delayMs of READ_DELAYS_MS) {
    if (delayMs > 0) await pause(delayMs);
    look = await lookUpKey(service, key, { answering, isThorough: true });
    if (look.result !== 'failed') break;
  }
  return look;
}

async function adopt(
  deps: LateDeps,
  past: Past,
  found: ReturnType<typeof foundPayout>,
): Promise<LateLook> {
  const { at, chunk } = past;
  const rows = await rowsOf(deps, past);
  const changesTo = (after: 'IN_FLIGHT' | 'UNKNOWN') => {
    const changes = rows.map(({ row }) => ({ row, before: chunk.restOutcome, after }));
    return withAmounts(past, rows, { changes });
  };
  const after = await deps.store.late.adopt(
    { ...at, idempotencyKey: chunk.idempotencyKey },
    { found, currency: chunk.currency, changesTo, atMs: deps.nowMs() },
  );
  if (after === undefined) return { kind: 'unanswered' };
  return { kind: 'told', changes: changesTo(after), proves: () => after };
}
