import { REOPENED_MAX } from '../../src/domain/lineage/follow.ts';
import { idsToLookAt, isAllTold, judgeAgain } from '../../src/domain/lineage/judge-again.ts';
import { keyProofOf } from '../../src/domain/lineage/key-proof.ts';
import {
  givenUp,
  type Known,
  laterWord,
  unknownStaysAfter,
} from '../../src/domain/lineage/later-word.ts';
import type { ChunkProof } from '../../src/domain/lineage/resend-book.ts';
import { proofBy } from '../../src/domain/lineage/row-proof.ts';
import { isSoftEnd, type WithdrawalLook } from '../../src/domain/settling/judge.ts';
import { saidOf } from '../../src/domain/settling/looks.ts';
import { createRowFinder } from '../../src/domain/settling/withdrawals.ts';
import { isInDoubt } from '../../src/domain/sending/doubt.ts';
import { distrust, type Engine } from './engine.ts';
import { lookUpKey, proveAgain, seenPayout } from './look-up.ts';
import { BATCH_CODE, lookAtWithdrawal, readPayout } from './settle.ts';
import type { Outcome } from '../../src/domain/settling/outcome.ts';
import type { SimChunk } from './store.ts';
import type { Steps } from './workers.ts';

/** Looks once more at a chunk of a batch that is over, writes down what is news, and says what it proves. */
export function* lookAgain(
  engine: Engine,
  chunk: SimChunk,
  chunks: readonly SimChunk[],
): Steps<ChunkProof> {
  const { state } = engine.store.facts(chunk.key).send;
  if (state === 'CREATED') return yield* lookAtCreated(engine, chunk);
  if (state === 'REJECTED' || state === 'NOT_SENT') return yield* lookForKey(engine, chunk, chunks);
  return { kind: 'hidden' };
}

function* lookAtCreated(engine: Engine, chunk: SimChunk): Steps<ChunkProof> {
  const { world, store } = engine;
  const was = { ...store.facts(chunk.key) };
  const id = was.send.record.payout?.id;
  if (id === undefined || was.reopened > REOPENED_MAX) return { kind: 'hidden' };
  const payout = yield* readPayout(engine, id);
  if (payout === undefined) return { kind: 'unanswered' };
  if (payout === 'refused') return { kind: 'hidden' };
  const looks = new Map<string, WithdrawalLook>();
  for (const withdrawalId of idsToLookAt(payout)) {
    looks.set(withdrawalId, yield* lookAtWithdrawal(engine, withdrawalId));
  }
  const fresh = judgeAgain({
    payout,
    looks,
    findRows: createRowFinder(chunk.rows, BATCH_CODE),
  });
  const known = {
    rest: was.verdict.rest,
    rows: new Map(was.verdict.rows.map((each) => [each.row, each])),
  };
  const later = {
    fresh,
    isAllTold: isAllTold({ payout, looks }, was.verdict),
    rows: chunk.rows.map(({ row }) => row),
    unknownStays: unknownStaysAfter(was.changes),
  };
  const first = laterWord(engine.careless === 'forgets-paid' ? forgotten(known) : known, later);
  const isTooOften = was.final && was.reopened >= REOPENED_MAX && first.changes.length > 0;
  const word = isTooOften ? givenUp(known, later.rows, fresh.massPayoutState) : first;
  if (word.changes.length > 0) {
    const facts = store.facts(chunk.key);
    if (facts.final !== was.final || facts.reopened !== was.reopened) return { kind: 'unanswered' };
    world.count('late change');
    world.note(() => `engine: late word on ${chunk.key} ${JSON.stringify(word)}`);
    facts.verdict = word.verdict;
    facts.changes = [...facts.changes, ...word.changes];
    facts.final = word.verdict.final;
    facts.said = isSoftEnd(word.verdict) ? saidOf(payout) : null;
    facts.reopened += was.final ? 1 : 0;
    engine.shown.note(chunk, word.verdict);
  }
  return { kind: 'told', proves: proofBy(later, word) };
}

/** What a careless engine holds against the new verdict: nothing that was PAID. */
const forgotten = (known: Known): Known => ({
  rest: { ...known.rest, outcome: forgottenOutcome(known.rest.outcome) },
  rows: new Map(
    [...known.rows].map(([row, each]) => [
      row,
      { ...each, outcome: forgottenOutcome(each.outcome) },
    ]),
  ),
});

const forgottenOutcome = (outcome: Outcome): Outcome =>
  outcome === 'PAID' || outcome === 'UNKNOWN' ? 'IN_FLIGHT' : outcome;

function* lookForKey(
  engine: Engine,
  chunk: SimChunk,
  chunks: readonly SimChunk[],
): Steps<ChunkProof> {
  const { world, store } = engine;
  const look = yield* lookUpKey(engine, chunk.key);
  const known = store.facts(chunk.key).send;
  let said = keyProofOf(known, look.result);
  if (said === 'prove') {
    const { result: reproof } = yield* proveAgain(engine, chunks);
    said = keyProofOf(known, look.result, reproof);
  }
  if (look.payout !== undefined) {
    world.count('late change');
    if (isInDoubt(known.record)) distrust(engine);
    store.apply(chunk.key, { kind: 'payout-read', payout: seenPayout(chunk, look.payout) });
  }
  if (said === 'unpaid') return { kind: 'told', proves: () => 'unpaid' };
  return { kind: said === 'unanswered' ? 'unanswered' : 'hidden' };
}
