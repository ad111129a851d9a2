import {
  areOthersDue,
  HITS_MIN,
  wasCreatedAgain,
  wasSentOnMisses,
} from '../../domain/sending/evidence.ts';
import { HIDDEN_TEXT } from '../../domain/sending/reduce.ts';
import { distrust } from '../service/distrust.ts';
import { lookUpKey } from '../service/lookup.ts';
import type { ChunkOfBatch, SettleDeps } from './settling.ts';
import { foundPayout } from '../service/verify-payout.ts';

/** Wait after a lookup without an answer, in milliseconds. */
const FAILED_PAUSE_MS = 1_000;

type OtherPayoutsDeps = Pick<
  SettleDeps,
  'store' | 'service' | 'fence' | 'nowMs' | 'readClock' | 'pause' | 'notify'
>;

/**
 * Looks up the key of a chunk again, several times, before its rows get their outcomes. Only where a second create left
 * after one that may have arrived. Example: the first create was accepted, and five lookups went to a replica that did
 * not have it. The second create was accepted as well, so the rows may be paid twice. `others`: a person must check,
 * and that is stored. Either another mass payout was found, or a lookup misses the existing one and would miss another
 * one too. `unanswered`: try again later. `early`: the lookup is not due yet.
 */
export async function findOtherPayouts(
  deps: OtherPayoutsDeps,
  { at, batch, chunk }: ChunkOfBatch,
): Promise<'alone' | 'others' | 'unanswered' | 'early'> {
  const { store, service, fence, nowMs, readClock, pause } = deps;
  const ref = { ...at, idempotencyKey: chunk.idempotencyKey };
  const record = await store.sends.record(ref);
  if (!wasCreatedAgain(record)) return 'alone';
  if (!areOthersDue(record, fence, { nowMs: nowMs(), reading: readClock() })) return 'early';
  const { finding, answering } = await store.lookupVerification.trust(
    batch.account,
    service.lookupName,
  );
  const operations = finding.length > 0 ? finding : answering;
  // Where no lookup ever answered there is no operation to call.
  if (operations.length === 0) return 'alone';
  const mustBeFound = fence.resend !== 'fenced' && wasSentOnMisses(record);
  const known = new Set([chunk.massPayoutId, ...chunk.otherPayouts]);
  const care = { operations, answering, isThorough: true };
  let failures = 0;
  for (let answers = 0; answers < HITS_MIN; ) {
    const lookup = await lookUpKey(service, chunk.idempotencyKey, care);
    const shown = lookup.payout === undefined ? [] : [lookup.payout, ...lookup.others];
    const others = shown.filter(({ id }) => !known.has(id));
    for (const other of others) {
      await store.sends.setPayout(ref, foundPayout(batch.account, chunk, other));
    }
    if (others.length > 0) return 'others';
    if (mustBeFound && lookup.answers.some(({ result }) => result === 'missed')) {
      await distrust(deps, batch, { ...at, reason: 'FOUND_AFTER_MISS' });
      await store.settlements.disown(at, [HIDDEN_TEXT]);
      return 'others';
    }
    failures = lookup.result === 'failed' ? failures + 1 : 0;
    if (failures >= HITS_MIN) return 'unanswered';
    if (failures === 0) answers += 1;
    // A service that takes few requests a second would refuse the next one as well.
    else await pause(FAILED_PAUSE_MS);
  }
  return 'alone';
}
