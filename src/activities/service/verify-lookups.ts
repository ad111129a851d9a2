import type { SendDeps, Sending } from '../send/types.ts';
import { sleep } from '@temporalio/activity';
import type { LookupCheck } from '../../domain/sending/lookups.ts';
import { HITS_MIN } from '../../domain/sending/evidence.ts';
import { isRoughLag, LAG_FACTOR, lagOf, nextVerifyDelayMs } from '../../domain/sending/fence.ts';
import type { BatchFacts } from '../../store/batches/batches.ts';
import type { LookupOperation, LookupTrust } from '../../store/sending/lookup-verification.ts';
import type { Witness } from '../../store/sending/witnesses.ts';
import type { Disproof } from '../../store/sending/disproofs.ts';
import type { Store } from '../../store/index.ts';
import { type KeyLookup, lookUpKey } from './lookup.ts';
import type { Service } from './service.ts';
import { foundPayout } from './verify-payout.ts';

type LookupVerificationDeps = Readonly<{
  store: Store;
  service: Service;
  nowMs(): number;
  /** Waits between two questions; by default as an activity sleeps. */
  pause?(delayMs: number): Promise<void>;
}>;

/** Wait after a question without an answer, in milliseconds. */
const FAILED_PAUSE_MS = 1_000;

/**
 * The shortest wait before a second lookup of what exists, in milliseconds. Example: the verification measured a lag of 2 ms, and the
 * service shows the newest mass payout after 100 ms. A second lookup 6 ms after the first would disprove the lookups.
 */
const SECOND_LOOKUP_MS = 1_000;

/** Stores which operations answered readably, where that changes. */
export async function noteAnswers(
  { store, service, nowMs }: LookupVerificationDeps,
  { batch, trust }: Readonly<{ batch: Pick<BatchFacts, 'account'>; trust: LookupTrust }>,
  { answers }: Pick<KeyLookup, 'answers'>,
): Promise<void> {
  for (const { operation, result } of answers) {
    const hasFound = result === 'found';
    const isKnown = (hasFound ? trust.finding : trust.answering).includes(operation);
    if ((!hasFound && result !== 'missed') || isKnown) continue;
    const answer = { operation, hasFound, atMs: nowMs() };
    await store.lookupVerification.noteAnswer(batch.account, service.lookupName, answer);
  }
}

/**
 * Looks up a payout that the service has just accepted, by its key, until it is found. Only then a later miss counts. A
 * service that misses it every time, readably, loses its proof: after an ambiguous create a person decides. Returns
 * whether the service showed another mass payout, which is stored.
 */
export async function verifyLookup(
  { store, service, policy, nowMs, pause = sleep }: SendDeps,
  { batch, chunk, ref, trust }: Sending,
): Promise<boolean> {
  const { requestTimeoutMs } = policy;
  const { attempts, payout: known } = await store.sends.record(ref);
  // The lag of a mass payout that was found again is known only roughly: it does not replace a better one.
  if (trust.verified !== undefined && attempts.at(-1)?.outcome !== 'ACCEPTED') return false;
  let hasMissed = false;
  let last: KeyLookup['result'] | undefined;
  for (let asked = 0; ; asked += 1) {
    const delayMs = nextVerifyDelayMs(asked, last);
    if (delayMs === undefined) break;
    if (delayMs > 0) await pause(delayMs);
    const startedMs = nowMs();
    const care = { answering: trust.answering, isThorough: true };
    const lookup = await lookUpKey(service, ref.idempotencyKey, care);
    await noteAnswers({ store, service, nowMs }, { batch, trust }, lookup);
    last = lookup.result;
    hasMissed ||= last === 'missed';
    const { payout, others, askedAtMs = startedMs } = lookup;
    if (payout === undefined) continue;
    const unexpected = [payout, ...others].filter(({ id }) => id !== known?.id);
    for (const one of unexpected) {
      await store.sends.setPayout(ref, foundPayout(batch.account, chunk, one));
    }
    if (unexpected.length > 0) return true;
    const lagMs = lagOf(attempts, { askedAtMs, requestTimeoutMs });
    // Found after so long, it shows no lag.
    if (lagMs === undefined) return false;
    if (trust.verified !== undefined && isRoughLag(lagMs, asked)) return false;
    const { operation } = lookup;
    const seen = { operation, lagMs, provenAtMs: askedAtMs };
    await store.lookupVerification.save(batch.account, service.lookupName, seen);
    return false;
  }
  if (hasMissed) await store.lookupVerification.forget(batch.account, service.lookupName);
  return false;
}

/** Whether lookups still find existing mass payouts, and their contradiction, if there is one. */
export type VerifiedAgain = LookupCheck & Readonly<{ contradiction?: Omit<Disproof, 'atMs'> }>;

type Again = Readonly<{
  batch: Pick<BatchFacts, 'account'>;
  ref: Sending['ref'];
  trust: LookupTrust;
  /** Whether a create that was signed then must be visible by now. */
  isOld?: (signedAtMs: number) => boolean;
}>;

/**
 * Whether lookups still find accepted mass payouts. A proof may be a month old, and nothing else stands between a miss
 * and a second payment. The first and the newest mass payout are looked up in turn, and must be found as often as
 * misses are needed. `failed`: too few answers this time.
 */
export async function verifyLookupAgain(
  deps: LookupVerificationDeps,
  again: Again,
): Promise<VerifiedAgain> {
  const { store, service, nowMs, pause = sleep } = deps;
  const { batch, ref, trust } = again;
  const atMs = nowMs();
  const witnesses = await store.lookupVerification.witnesses(batch.account, ref.idempotencyKey);
  if (witnesses.length === 0 || trust.verified === undefined) return { result: 'missed', atMs };
  const seen = new Set<string>();
  let failures = 0;
  for (let hits = 0, turn = 0; hits < HITS_MIN; turn += 1) {
    const witness = witnesses[turn % witnesses.length] as Witness;
    const { batchId, chunk, idempotencyKey } = witness;
    const wasSeen = seen.has(idempotencyKey);
    const answer = await lookUpWitness(deps, again, { witness, wasSeen });
    switch (answer.kind) {
      case 'found':
        hits += 1;
        failures = 0;
        seen.add(idempotencyKey);
        break;
      case 'failed':
        failures += 1;
        if (failures >= HITS_MIN) return { result: 'failed', atMs };
        // A service that takes few requests a second would refuse the next one as well.
        await pause(FAILED_PAUSE_MS);
        break;
      case 'lost':
        await store.lookupVerification.forget(batch.account, service.lookupName, answer.operation);
        return { result: 'missed', atMs };
      case 'contradicted': {
        const contradiction = { batchId, chunk, reason: answer.reason };
        return { result: 'missed', atMs, contradiction };
      }
    }
  }
  await store.lookupVerification.noteVerifiedAgain(batch.account, service.lookupName, atMs);
  return { result: 'found', atMs };
}

type WitnessAnswer = Readonly<
  | { kind: 'found' | 'failed' }
  | { kind: 'lost'; operation: LookupOperation }
  | { kind: 'contradicted'; reason: Disproof['reason'] }
>;

/**
 * Looks up an existing mass payout by every operation that has found anything, and again after the lag where one missed
 * it.
 */
async function lookUpWitness(
  { service, pause = sleep }: LookupVerificationDeps,
  { trust, isOld = () => false }: Again,
  { witness, wasSeen }: Readonly<{ witness: Witness; wasSeen: boolean }>,
): Promise<WitnessAnswer> {
  const { verified, finding, answering } = trust;
  const operations = finding.length > 0 ? finding : [verified?.operation ?? 'LOOKUP'];
  const ask = () =>
    lookUpKey(service, witness.idempotencyKey, { operations, answering, isThorough: true });
  const missed = ({ answers }: KeyLookup) => answers.find(({ result }) => result === 'missed');
  // Judged before the miss: the process may be frozen between the two lookups.
  const mustBeSeen = wasSeen || (witness.signedAtMs !== null && isOld(witness.signedAtMs));
  const first = await ask();
  if (first.others.length > 0) return { kind: 'contradicted', reason: 'TWO_PAYOUTS' };
  if (missed(first) === undefined) return { kind: isWhole(first) ? 'found' : 'failed' };
  // It may have been accepted a moment ago.
  await pause(Math.max(SECOND_LOOKUP_MS, LAG_FACTOR * (verified?.lagMs ?? 0)));
  const second = await ask();
  const stillMissed = missed(second);
  if (stillMissed !== undefined) return { kind: 'lost', operation: stillMissed.operation };
  if (!isWhole(second)) return { kind: 'failed' };
  return mustBeSeen ? { kind: 'contradicted', reason: 'FOUND_AFTER_MISS' } : { kind: 'found' };
}

const isWhole = ({ answers }: KeyLookup): boolean =>
  answers.length > 0 && answers.every(({ result }) => result === 'found');
