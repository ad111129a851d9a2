import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { decideSend, type SendPolicy } from '../../../src/domain/sending/decide.ts';
import type { Attempt, Lookup, SendRecord } from '../../../src/domain/sending/send-record.ts';

/**
 * A model of one chunk and a service that ignores idempotency keys, in virtual time: requests arrive late or never,
 * answers get lost, workers crash between any two steps and freeze between writing and sending, lookups lag and fail,
 * the two clocks differ. Whatever happens, at most one mass payout may come to be.
 */
const WINDOW_MS = 180_000;

type World = Readonly<{
  skewMs: number;
  lagMs: number;
  showsDate: boolean;
  /** One entry is used for each thing that can go one way or another. */
  chances: readonly number[];
}>;

const world = fc.record({
  skewMs: fc.integer({ min: -WINDOW_MS, max: WINDOW_MS }),
  lagMs: fc.integer({ min: 0, max: 20_000 }),
  showsDate: fc.boolean(),
  chances: fc.array(fc.double({ min: 0, max: 0.999, noNaN: true }), {
    minLength: 30,
    maxLength: 120,
  }),
});

it('creates at most one mass payout, in any order of delays, crashes and lost answers', () => {
  fc.assert(
    fc.property(world, (given) => {
      expect(run(given).created).toBeLessThanOrEqual(1);
    }),
    { numRuns: 3_000 },
  );
});

it('reaches worlds in which a create is sent again, so the law above is not empty', () => {
  const runs = fc.sample(world, { numRuns: 2_000, seed: 7 }).map((w) => run(w));
  expect(runs.some(({ sends, created }) => sends > 1 && created === 1)).toBe(true);
  expect(runs.some(({ recovered }) => recovered)).toBe(true);
});

it('would be broken by a policy without a fence, so the model can find duplicates', () => {
  const careless = { fenceMarginMs: -WINDOW_MS, timestampWindowMs: 0 };
  const runs = fc.sample(world, { numRuns: 2_000, seed: 7 }).map((w) => run(w, careless));
  expect(runs.some(({ created }) => created > 1)).toBe(true);
});

function run(given: World, careless: Partial<SendPolicy> = {}) {
  let next = 0;
  const chance = (): number => given.chances[next++] ?? 0.5;
  let nowMs = 1_800_000_000_000;
  let record: SendRecord = { attempts: [], lookups: [] };
  const arrivals: { atMs: number; timestampMs: number }[] = [];
  const payouts: number[] = [];
  let sends = 0;
  let recovered = false;
  const policy: SendPolicy = {
    timestampWindowMs: WINDOW_MS,
    fenceMarginMs: 60_000,
    skewMs: WINDOW_MS,
    lookupLagMs: given.lagMs,
    resend: 'auto',
    lookupProven: true,
    wasCreated: false,
    stopping: false,
    ...careless,
  };
  const serverMs = (): number => nowMs + given.skewMs;
  const advance = (byMs: number): void => {
    nowMs += byMs;
    for (const arrival of arrivals.splice(0)) {
      if (arrival.atMs > nowMs) arrivals.push(arrival);
      else accept(arrival.timestampMs, arrival.atMs);
    }
  };
  const accept = (timestampMs: number, atMs: number): void => {
    if (Math.abs(atMs + given.skewMs - timestampMs) <= WINDOW_MS) payouts.push(atMs);
  };
  const put = (attempt: Attempt): void => {
    const others = record.attempts.filter(({ n }) => n !== attempt.n);
    record = { ...record, attempts: [...others, attempt] };
  };

  for (let step = 0; step < 200 && next < given.chances.length; step += 1) {
    const command = decideSend(record, policy, nowMs);
    if (command.kind === 'wait') advance(Math.max(1, command.untilMs - nowMs));
    else if (command.kind === 'lookup') {
      advance(Math.floor(chance() * 2_000));
      const seen = payouts.some((atMs) => nowMs - atMs >= given.lagMs);
      const failed = chance() > 0.9;
      const lookup: Lookup = {
        atMs: nowMs,
        attempts: record.attempts.length,
        result: failed ? 'failed' : seen ? 'found' : 'missed',
        ...(given.showsDate && !failed ? { serverDateMs: serverMs() } : {}),
      };
      record = { ...record, lookups: [...record.lookups, lookup] };
      if (lookup.result === 'found') {
        recovered ||= record.attempts.some(({ outcome }) => outcome !== 'ACCEPTED');
        record = { ...record, payout: { id: 'mp', differences: [] } };
      }
    } else if (command.kind === 'attempt') {
      const attempt: Attempt = { n: command.n, timestampMs: nowMs, outcome: 'PENDING' };
      put(attempt);
      sends += 1;
      const fate = chance();
      // A frozen worker still sends, minutes later, what it wrote down before: the server must be the judge.
      const delayMs = fate < 0.3 ? 50 : Math.floor(chance() * 600_000);
      const arrives = chance() > 0.2;
      if (arrives) arrivals.push({ atMs: nowMs + delayMs, timestampMs: attempt.timestampMs });
      const before = payouts.length;
      advance(delayMs <= 30_000 ? delayMs : 30_000);
      const answered = payouts.length > before && chance() > 0.4;
      if (answered) {
        put({ ...attempt, outcome: 'ACCEPTED', endedMs: nowMs });
        record = { ...record, payout: { id: 'mp', differences: [] } };
      } else if (chance() > 0.5) {
        put({ ...attempt, outcome: 'AMBIGUOUS', endedMs: nowMs });
      }
    } else break;
  }
  advance(2 * WINDOW_MS + 600_000);
  return { created: payouts.length, sends, recovered };
}
