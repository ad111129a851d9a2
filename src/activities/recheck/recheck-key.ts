import type { RecheckDeps, RecheckResult, FinishedChunk } from './types.ts';
import { isInDoubt } from '../../domain/sending/doubt.ts';
import { keyRecheckOf, mayExist } from '../../domain/lineage/key-recheck.ts';
import { rowsOf, withAmounts } from './recheck-payout.ts';
import { type KeyLookup, lookUpKey } from '../service/lookup.ts';
import type { LookupOperation } from '../../store/sending/lookup-verification.ts';
import { verifyLookupAgain } from '../service/verify-lookups.ts';
import { distrust } from '../service/distrust.ts';
import { READ_DELAYS_MS } from '../settle/settle-again.ts';
import { foundPayout } from '../service/verify-payout.ts';

/**
 * Looks up the key of a chunk again that was refused, or never sent. A mass payout that is found belongs to the chunk
 * after all, and is followed to its end; nothing of it may be sent again.
 */
export async function recheckKey(
  deps: RecheckDeps,
  finished: FinishedChunk,
): Promise<RecheckResult> {
  const { at, chunk, batch } = finished;
  const ref = { ...at, idempotencyKey: chunk.idempotencyKey };
  const known = await deps.store.sends.state(ref);
  const trust = await deps.store.lookupVerification.trust(batch.account, deps.service.lookupName);
  // Where no send may have arrived, an answer that cannot be read is as good as a miss.
  const answering = mayExist(known) ? trust.answering : [];
  const lookup = await lookUpWithRetries(deps, chunk.idempotencyKey, answering);
  if (lookup.payout !== undefined) {
    // Its rows were called unpaid because lookups missed the mass payout that they find now.
    if (isInDoubt(known.record)) await distrust(deps, batch, { ...at, reason: 'FOUND_AFTER_MISS' });
    return adopt(deps, finished, foundPayout(batch.account, chunk, lookup.payout));
  }
  let result = keyRecheckOf(known, lookup.result);
  if (result === 'verify-lookup') {
    const { result: lookupCheck } = await verifyLookupAgain(deps, { batch, ref, trust });
    result = keyRecheckOf(known, lookup.result, lookupCheck);
  }
  if (result === 'unpaid') return UNPAID;
  return { kind: result === 'unanswered' ? 'unanswered' : 'hidden' };
}

const UNPAID: RecheckResult = { kind: 'read', changes: [], proves: () => 'unpaid' };

async function lookUpWithRetries(
  { service, pause }: RecheckDeps,
  key: string,
  answering: readonly LookupOperation[],
): Promise<Pick<KeyLookup, 'result' | 'payout'>> {
  let lookup: Pick<KeyLookup, 'result' | 'payout'> = { result: 'failed' };
  for (const delayMs of READ_DELAYS_MS) {
    if (delayMs > 0) await pause(delayMs);
    lookup = await lookUpKey(service, key, { answering, isThorough: true });
    if (lookup.result !== 'failed') break;
  }
  return lookup;
}

async function adopt(
  deps: RecheckDeps,
  finished: FinishedChunk,
  found: ReturnType<typeof foundPayout>,
): Promise<RecheckResult> {
  const { at, chunk } = finished;
  const rows = await rowsOf(deps, finished);
  const changesTo = (after: 'IN_FLIGHT' | 'UNKNOWN') => {
    const changes = rows.map(({ row }) => ({ row, before: chunk.defaultOutcome, after }));
    return withAmounts(finished, rows, { changes });
  };
  const after = await deps.store.rechecks.adopt(
    { ...at, idempotencyKey: chunk.idempotencyKey },
    { found, currency: chunk.currency, changesTo, atMs: deps.nowMs() },
  );
  if (after === undefined) return { kind: 'unanswered' };
  return { kind: 'read', changes: changesTo(after), proves: () => after };
}
