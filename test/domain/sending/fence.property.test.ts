import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  elapsedMsAt,
  type FencePolicy,
  wasBeyondFence,
} from '../../../src/domain/sending/fence.ts';
import type { Attempt, Lookup } from '../../../src/domain/sending/send-record.ts';

/*
 * A model of the service's clocks. Nodes that accept creates lie within half of the margin of true time. Others may show
 * any Date, and a Date may jump. Our wall clock is off and is set now and then; workers run on several machines.
 */
const START_MS = 1_800_000_000_000;
const OFF_MS_MAX = 60_000;

/** A lookup after a pause. `date`: what its `Date` is off; null: it shows none. */
type Step = Readonly<{ pauseMs: number; host: number; waitMs: number; date: number | null }>;

const steps = fc.array(
  fc.record({
    pauseMs: fc.oneof(fc.nat(20_000), fc.nat(500)),
    host: fc.nat(2),
    waitMs: fc.nat(3_000),
    date: fc.oneof(
      fc.constant(null),
      fc.integer({ min: -45_000, max: 45_000 }),
      fc.constantFrom(0, 40_000, -40_000),
    ),
  }),
  { minLength: 1, maxLength: 40 },
);

const worlds = fc.record({
  windowMs: fc.constantFrom(6_000, 20_000, 180_000),
  marginMs: fc.constantFrom(2_000, 10_000, 60_000),
  /** In shares of half the margin: how far the slowest node that accepts is behind true time. */
  behind: fc.double({ min: -1, max: 1, noNaN: true }),
  /** How far our wall clock is ahead of true time at the signature, and how far it is set since. */
  wallMs: fc.integer({ min: -OFF_MS_MAX, max: OFF_MS_MAX }),
  setMs: fc.integer({ min: -OFF_MS_MAX, max: OFF_MS_MAX }),
  steps,
});

type Seen = Readonly<{ trueMs: number; isBeyond: boolean }>;

/** Plays lookups after one create in doubt, as activities write them down; times are true ones since the signature. */
function play(
  {
    wallMs,
    setMs,
    steps: looks,
  }: Readonly<{ wallMs: number; setMs: number; steps: readonly Step[] }>,
  policy: FencePolicy,
): readonly Seen[] {
  const read = (host: number, trueMs: number) => ({
    clock: `host-${host}`,
    ms: 1_000_000 + host * 7_000_000 + trueMs,
  });
  const attempt: Attempt = {
    n: 1,
    timestampMs: START_MS + wallMs,
    begun: read(0, 0),
    outcome: 'AMBIGUOUS',
  };
  const lookups: Lookup[] = [];
  let trueMs = 0;
  return looks.map(({ pauseMs, host, waitMs, date }) => {
    trueMs += pauseMs;
    const asked = read(host, trueMs);
    const elapsedMs = elapsedMsAt({ attempts: [attempt], lookups }, asked);
    const seenMs = Math.floor((START_MS + trueMs + waitMs + (date ?? 0)) / 1_000) * 1_000;
    const lookup: Lookup = {
      atMs: START_MS + trueMs + wallMs + setMs,
      attempts: 1,
      result: 'missed',
      asked,
      elapsedMs,
      ...(date === null ? {} : { serverDateMs: seenMs - waitMs }),
    };
    lookups.push(lookup);
    const isBeyond = wasBeyondFence(lookup, { attempts: [attempt], lookups }, policy);
    const seen = { trueMs, isBeyond };
    trueMs += waitMs;
    return seen;
  });
}

it('no lookup is beyond the fence while a node within the trusted bound may still accept, with any Date headers', () => {
  fc.assert(
    fc.property(worlds, ({ windowMs, marginMs, behind, ...world }) => {
      const skewMs = OFF_MS_MAX;
      const policy = {
        timestampWindowMs: windowMs,
        fenceMarginMs: marginMs,
        skewMs,
        lookupLagMs: 0,
      };
      // Our wall clock is trusted for half of the margin at most.
      const wallMs = Math.round((world.wallMs / OFF_MS_MAX) * (marginMs / 2));
      const acceptsUntilMs = windowMs + wallMs + behind * (marginMs / 2);
      for (const { trueMs, isBeyond } of play({ ...world, wallMs }, policy)) {
        if (isBeyond) expect(trueMs).toBeGreaterThan(acceptsUntilMs);
      }
    }),
    { numRuns: 2_000 },
  );
});

it('nor with a wall clock that is a minute off, where no Date is further ahead than half of the margin', () => {
  fc.assert(
    fc.property(worlds, ({ windowMs, marginMs, behind, ...world }) => {
      const policy = {
        timestampWindowMs: windowMs,
        fenceMarginMs: marginMs,
        lookupLagMs: 0,
        skewMs: OFF_MS_MAX,
      };
      const acceptsUntilMs = windowMs + world.wallMs + behind * (marginMs / 2);
      const honest = world.steps.map((step) => ({
        ...step,
        date: step.date === null ? null : Math.min(step.date, marginMs / 2),
      }));
      for (const { trueMs, isBeyond } of play({ ...world, steps: honest }, policy)) {
        if (isBeyond) expect(trueMs).toBeGreaterThanOrEqual(acceptsUntilMs);
      }
    }),
    { numRuns: 2_000 },
  );
});

it('a fence passes in the end: soon after the window, the margin and the difference of the clocks', () => {
  fc.assert(
    fc.property(worlds, ({ windowMs, marginMs, ...world }) => {
      const policy = {
        timestampWindowMs: windowMs,
        fenceMarginMs: marginMs,
        lookupLagMs: 0,
        skewMs: OFF_MS_MAX,
      };
      const last = { pauseMs: 0, host: 1, waitMs: 0, date: 0 };
      const longMs = windowMs + marginMs + 2 * OFF_MS_MAX + 46_000;
      const more = [last, { ...last, pauseMs: longMs }, last, last];
      const seen = play({ ...world, steps: [...world.steps, ...more] }, policy);
      expect(seen.at(-1)?.isBeyond).toBe(true);
    }),
    { numRuns: 500 },
  );
});
