import { afterAll, beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { CHUNK_STATES, type ChunkState } from '../../../src/domain/batch/chunk-state.ts';
import { reduceSend, type SendEvent, type SendState } from '../../../src/domain/sending/reduce.ts';
import type { Attempt, Lookup, OperatorAnswer } from '../../../src/domain/sending/send-record.ts';
import type { AttemptEnd, ChunkRef, LookedUpPayout } from '../../../src/store/sending/sends.ts';
import type { Store } from '../../../src/store/index.ts';
import { ACCOUNT, planBatch } from '../../support/store-fixtures.ts';
import { openTestStore } from '../../support/test-database.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/*
 * What the domain says of a chunk after an event, and what the store has written down after the same one, are the same: the
 * simulation, which knows only the domain, speaks of the engine that has only the store.
 */
const EVENTS_MAX = 14;
const CHUNKS = 120;

let store: Store;
let next = 0;

beforeAll(async () => {
  store = await openTestStore(temporaryFolder());
  await planBatch(store, 'b', CHUNKS);
});
afterAll(() => store.close());

/** An event by the facts that are known when it happens; small numbers choose among them. */
type Draft = Readonly<{ kind: number; a: number; b: number }>;
const drafts = fc.array(fc.record({ kind: fc.nat(15), a: fc.nat(9), b: fc.nat(2) }), {
  minLength: 3,
  maxLength: EVENTS_MAX,
});

const OUTCOMES = ['VOID', 'NOT_SENT', 'ACCEPTED', 'REJECTED', 'THROTTLED', 'AMBIGUOUS'] as const;
const RESULTS = ['missed', 'failed', 'unavailable'] as const;
const FROM = ['SENDING', 'PLANNED', 'NEEDS_OPERATOR', 'REJECTED'] as const;

const begunBy = (a: number) => (a === 0 ? {} : { begun: { clock: 'host', ms: a } });

function eventOf({ kind, a, b }: Draft, { record, state }: SendState, atMs: number): SendEvent {
  const known = record.attempts.length;
  // Now and then somebody has changed the state since it was read.
  const from = b === 2 ? (FROM[a % FROM.length] as ChunkState) : state;
  // Now and then the service shows a second mass payout.
  const id = a % 4 === 3 ? `mp-${next}-second` : `mp-${next}`;
  const payout = { id, differences: b === 0 ? ['total'] : [] };
  const answers: OperatorAnswer[] = [
    { kind: 'adopt', massPayoutId: a % 2 === 0 ? 'mp-x' : `mp-${next}-second`, atMs },
    { kind: 'not-created', attempts: known, atMs },
    { kind: 'abandon', atMs },
  ];
  const end = {
    n: Math.max(known, 1),
    outcome: OUTCOMES[a % OUTCOMES.length] as Attempt['outcome'],
    endedMs: atMs,
    httpStatus: 400 + a,
  };
  const lookup: Lookup = {
    atMs,
    attempts: known,
    result: RESULTS[b] as Lookup['result'],
    serverDateMs: atMs + a,
    // Older versions wrote no reading of a clock.
    ...(b === 0 ? {} : { asked: { clock: `host-${a}`, ms: a }, elapsedMs: a * b }),
  };
  const verified: SendEvent = {
    kind: 'verified',
    by: a % 2 === 0 ? 'lookups' : 'refusal',
    attempts: b === 0 ? a : known,
    from,
  };
  const events: SendEvent[] = [
    // Now and then two workers write down the same attempt.
    {
      kind: 'attempt-began',
      n: b === 0 ? Math.max(known, 1) : known + 1,
      timestampMs: atMs,
      ...begunBy(a),
    },
    { kind: 'attempt-ended', end, ...(a === 0 ? { payout } : {}) },
    a === 0
      ? { kind: 'looked-up', lookup: { ...lookup, result: 'found' }, payout }
      : { kind: 'looked-up', lookup },
    { kind: 'payout-read', payout },
    {
      kind: 'asked-operator',
      attempts: b === 0 ? a : known,
      from,
      reason: a % 3 === 0 ? 'ATTEMPTS_USED_UP' : 'LOOKUP_UNPROVEN',
    },
    { kind: 'answered', answer: answers[b] as OperatorAnswer },
    { kind: 'answer-dropped', massPayoutId: a === 0 ? 'mp-y' : 'mp-x' },
    { kind: 'rejected', attempts: b === 0 ? known : a, from },
    { kind: 'not-sent', attempts: b === 0 ? known : a, from },
    { kind: 'abandoned' },
    { kind: 'question-withdrawn', attempts: b === 0 ? a : known },
    { kind: 'store-restored' },
    verified,
    verified,
    verified,
    { kind: 'lookups-disproven' },
  ];
  return events[kind] as SendEvent;
}

const found = (
  payout: Readonly<{ id: string; differences: readonly string[] }>,
): LookedUpPayout => ({
  ...payout,
  state: 'CONFIRMED',
  fee: null,
});

/** Lets the store write the event down; answers whether it counted. */
async function write(ref: ChunkRef, event: SendEvent): Promise<boolean> {
  const { sends } = store;
  const intent = { payload: 'p', payloadSha256: 'sha' };
  const payout = 'payout' in event && event.payout !== undefined ? found(event.payout) : undefined;
  switch (event.kind) {
    case 'attempt-began': {
      const { kind: _, ...noted } = event;
      return (await sends.beginAttempt(ref, { ...noted, bodySha256: 'b', intent })) === 'begun';
    }
    case 'attempt-ended':
      return sends.endAttempt(ref, event.end as AttemptEnd, payout).then(() => true);
    case 'looked-up':
      return sends.recordLookup(ref, event.lookup, payout).then(() => true);
    case 'payout-read':
      return sends.setPayout(ref, found(event.payout)).then(() => true);
    case 'asked-operator':
      return sends.setNeedsOperator(ref, event, 1);
    case 'answered':
      return sends.setAnswer(ref, event.answer).then(
        () => true,
        (error: { code?: string }) => {
          if (error.code !== 'CHUNK_NOT_WAITING') throw error;
          return false;
        },
      );
    case 'answer-dropped':
      return sends.clearAdoption(ref, event.massPayoutId).then(() => true);
    case 'rejected':
    case 'not-sent': {
      const decided = { attempts: event.attempts, from: event.from, reason: 'x' };
      const conclude = event.kind === 'rejected' ? sends.setRejected : sends.setNotSent;
      return conclude(ref, decided);
    }
    case 'question-withdrawn':
      return sends.withdrawQuestion(ref, event.attempts);
    case 'abandoned':
      return sends.setAbandoned(ref, 'x').then(() => true);
    case 'store-restored':
      return store.restores.raise({ atMs: 1, reason: 'x' }).then(() => true);
    case 'verified': {
      const epoch = (await store.restores.of('b'))?.epoch ?? 0;
      const where = { account: ACCOUNT, baseUrl: 'https://other', atMs: 1 };
      return store.restores.verify(ref, { ...event, ...where, epoch });
    }
    case 'lookups-disproven': {
      disproofs += 1;
      const disproof = { batchId: 'b', chunk: 0, reason: 'TWO_PAYOUTS', atMs: disproofs } as const;
      return store.lookupVerification.disprove(ACCOUNT, 'https://pay', disproof).then(() => true);
    }
  }
}

const written = (ref: ChunkRef): Promise<SendState> => store.sends.state(ref);

const states = new Set<string>();
const verifications = new Set<string | undefined>();
let disproofs = 0;

it('the store writes the result of the domain for every event, and refuses the events that it refuses', async () => {
  await fc.assert(
    fc.asyncProperty(drafts, async (given) => {
      const chunk = next++;
      const { idempotencyKey } = await store.chunks.get('b', chunk);
      const ref = { batchId: 'b', chunk, idempotencyKey };
      // Older copies that came during an earlier run concern this chunk, too.
      let state = await written(ref);
      for (const [at, draft] of given.entries()) {
        const event = eventOf(draft, state, 1_000 + at);
        const reduced = reduceSend(state, event);
        const counted = await write(ref, event);
        // The same answer once more changes nothing and is no mistake either.
        if (event.kind !== 'answered')
          expect([event, counted]).toEqual([event, reduced !== undefined]);
        state = reduced ?? state;
        states.add(state.state);
        verifications.add(state.verification);
        expect(await written(ref)).toEqual(state);
      }
    }),
    { numRuns: CHUNKS, endOnFailure: true, seed: 20 },
  );
  expect([...states].sort()).toEqual([...CHUNK_STATES].sort());
  expect(verifications).toEqual(new Set([undefined, 'due', 'by-lookups']));
});
