import { REOPENED_MAX } from '../../src/domain/lineage/follow.ts';
import {
  withdrawalsOf,
  coversAllRows,
  recheckOutcomes,
} from '../../src/domain/lineage/recheck-outcomes.ts';
import { keyRecheckOf } from '../../src/domain/lineage/key-recheck.ts';
import {
  giveUpOutcomes,
  type ReportedOutcomes,
  mergeRecheck,
  unknownStaysAfter,
} from '../../src/domain/lineage/merge-recheck.ts';
import type { ChunkProof } from '../../src/domain/lineage/resend-book.ts';
import { unpaidProof } from '../../src/domain/lineage/row-proof.ts';
import { isSoftEnd, type WithdrawalLookup } from '../../src/domain/settling/payout-outcomes.ts';
import { payoutFingerprint } from '../../src/domain/settling/withdrawal-lookups.ts';
import { createRowFinder } from '../../src/domain/settling/withdrawals.ts';
import { isInDoubt } from '../../src/domain/sending/doubt.ts';
import { distrust, type Engine } from './engine.ts';
import { lookUpKey, proveAgain, seenPayout } from './look-up.ts';
import { BATCH_CODE, lookUpWithdrawal, readPayout } from './settle.ts';
import type { Outcome } from '../../src/domain/settling/outcome.ts';
import type { SimChunk } from './store.ts';
import type { Steps } from './workers.ts';

/** Rechecks a chunk of an ended batch, stores the changes, and returns what the read proves. */
export function* recheckChunk(
  engine: Engine,
  chunk: SimChunk,
  chunks: readonly SimChunk[],
): Steps<ChunkProof> {
  const { state } = engine.store.facts(chunk.key).send;
  if (state === 'CREATED') return yield* recheckPayout(engine, chunk);
  if (state === 'REJECTED' || state === 'NOT_SENT') return yield* recheckKey(engine, chunk, chunks);
  return { kind: 'hidden' };
}

function* recheckPayout(engine: Engine, chunk: SimChunk): Steps<ChunkProof> {
  const { world, store } = engine;
  const was = { ...store.facts(chunk.key) };
  const id = was.send.record.payout?.id;
  if (id === undefined || was.reopened > REOPENED_MAX) return { kind: 'hidden' };
  const payout = yield* readPayout(engine, id);
  if (payout === undefined) return { kind: 'unanswered' };
  if (payout === 'refused') return { kind: 'hidden' };
  const lookups = new Map<string, WithdrawalLookup>();
  for (const withdrawalId of withdrawalsOf(payout)) {
    lookups.set(withdrawalId, yield* lookUpWithdrawal(engine, withdrawalId));
  }
  const fresh = recheckOutcomes({
    payout,
    lookups,
    findRows: createRowFinder(chunk.rows, BATCH_CODE),
  });
  const known = {
    defaultOutcome: was.outcomes.defaultOutcome,
    rows: new Map(was.outcomes.rows.map((each) => [each.row, each])),
  };
  const later = {
    fresh,
    coversAllRows: coversAllRows({ payout, lookups }, was.outcomes),
    rows: chunk.rows.map(({ row }) => row),
    unknownStays: unknownStaysAfter(was.changes),
  };
  const first = mergeRecheck(engine.careless === 'forgets-paid' ? forgotten(known) : known, later);
  const isTooOften = was.final && was.reopened >= REOPENED_MAX && first.changes.length > 0;
  const merged = isTooOften ? giveUpOutcomes(known, later.rows, fresh.massPayoutState) : first;
  if (merged.changes.length > 0) {
    const facts = store.facts(chunk.key);
    if (facts.final !== was.final || facts.reopened !== was.reopened) return { kind: 'unanswered' };
    world.count('late change');
    world.note(() => `engine: recheck of ${chunk.key} ${JSON.stringify(merged)}`);
    facts.outcomes = merged.merged;
    facts.changes = [...facts.changes, ...merged.changes];
    facts.final = merged.merged.final;
    facts.payoutFingerprint = isSoftEnd(merged.merged) ? payoutFingerprint(payout) : null;
    facts.reopened += was.final ? 1 : 0;
    engine.shown.note(chunk, merged.merged);
  }
  return { kind: 'read', proves: unpaidProof(later, merged) };
}

/** What a careless engine merges a new read with: nothing that was PAID. */
const forgotten = (known: ReportedOutcomes): ReportedOutcomes => ({
  defaultOutcome: {
    ...known.defaultOutcome,
    outcome: forgottenOutcome(known.defaultOutcome.outcome),
  },
  rows: new Map(
    [...known.rows].map(([row, each]) => [
      row,
      { ...each, outcome: forgottenOutcome(each.outcome) },
    ]),
  ),
});

const forgottenOutcome = (outcome: Outcome): Outcome =>
  outcome === 'PAID' || outcome === 'UNKNOWN' ? 'IN_FLIGHT' : outcome;

function* recheckKey(
  engine: Engine,
  chunk: SimChunk,
  chunks: readonly SimChunk[],
): Steps<ChunkProof> {
  const { world, store } = engine;
  const lookup = yield* lookUpKey(engine, chunk.key);
  const known = store.facts(chunk.key).send;
  let result = keyRecheckOf(known, lookup.result);
  if (result === 'verify-lookup') {
    const { result: lookupCheck } = yield* proveAgain(engine, chunks);
    result = keyRecheckOf(known, lookup.result, lookupCheck);
  }
  if (lookup.payout !== undefined) {
    world.count('late change');
    if (isInDoubt(known.record)) distrust(engine);
    store.apply(chunk.key, { kind: 'payout-read', payout: seenPayout(chunk, lookup.payout) });
  }
  if (result === 'unpaid') return { kind: 'read', proves: () => 'unpaid' };
  return { kind: result === 'unanswered' ? 'unanswered' : 'hidden' };
}
