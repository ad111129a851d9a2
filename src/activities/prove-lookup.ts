import { sleep } from '@temporalio/activity';
import type { Reproof } from '../domain/sending/decide.ts';
import { LAG_FACTOR, lagOf, PROOF_DELAYS_MS } from '../domain/sending/fence.ts';
import type { BatchFacts } from '../store/batches.ts';
import { lookUpKey } from './lookup.ts';
import type { SendDeps, Sending } from './sending.ts';

/**
 * Asks for a payout that the service has just accepted, by its key, until it is found. Only then a later miss is worth
 * anything, and only by the operation that found it. A service that answers and never finds it has no proof, nor any more
 * the one from earlier: after an ambiguous create a person decides.
 */
export async function proveLookup(
  { store, service, policy, nowMs }: SendDeps,
  { batch, ref, proof }: Sending,
): Promise<void> {
  const { requestTimeoutMs } = policy;
  const { attempts } = await store.sends.record(ref);
  // How soon one was shown that was found again is known only roughly: nothing to put in the place of what is known better.
  if (proof !== undefined && attempts.at(-1)?.outcome !== 'ACCEPTED') return;
  let answered = false;
  for (const delayMs of PROOF_DELAYS_MS) {
    if (delayMs > 0) await sleep(delayMs);
    const startedMs = nowMs();
    const look = await lookUpKey(service, ref.idempotencyKey);
    answered ||= look.result !== 'failed';
    if (look.result !== 'found') continue;
    const { askedAtMs = startedMs } = look;
    const lagMs = lagOf(attempts, { askedAtMs, requestTimeoutMs });
    // Found after so long, it says nothing of how soon it could have been.
    if (lagMs === undefined) return;
    const { operation } = look;
    const seen = { operation, lagMs, provenAtMs: askedAtMs };
    await store.proofs.save(batch.account, service.baseUrl, seen);
    return;
  }
  if (answered) await store.proofs.forget(batch.account, service.baseUrl);
}

/**
 * Whether a lookup still finds what the service has accepted, asked now for the first mass payout of the latest batch: a
 * proof may be a month old, and nothing else stands between a miss and a second payment. `failed`: no answer this time.
 */
export async function proveLookupAgain(
  {
    store,
    service,
    nowMs,
  }: Pick<SendDeps, 'service' | 'nowMs'> & { store: Pick<SendDeps['store'], 'proofs'> },
  { batch, ref, proof }: Pick<Sending, 'ref' | 'proof'> & { batch: Pick<BatchFacts, 'account'> },
): Promise<Reproof> {
  const witness = await store.proofs.witness(batch.account, ref.idempotencyKey);
  if (witness === undefined || proof === undefined) return { result: 'disproven', atMs: nowMs() };
  const ask = async () => {
    const atMs = nowMs();
    const { result, askedAtMs = atMs } = await lookUpKey(service, witness, proof.operation);
    return { result, atMs: askedAtMs };
  };
  let { result, atMs } = await ask();
  if (result === 'missed') {
    // It may have been accepted a moment ago.
    await sleep(LAG_FACTOR * proof.lagMs);
    ({ result, atMs } = await ask());
  }
  if (result === 'found') return { result: 'proven', atMs };
  if (result === 'failed') return { result, atMs };
  await store.proofs.forget(batch.account, service.baseUrl);
  return { result: 'disproven', atMs };
}
