import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { decideSend, type SendPolicy } from '../../../src/domain/sending/decide.ts';
import {
  MISSES_MIN,
  missSpreadMs,
  nextMissMs,
  wasCreatedAgain,
  wasFoundAfterMiss,
  wasSentOnMisses,
} from '../../../src/domain/sending/evidence.ts';
import { wasBeyondFence } from '../../../src/domain/sending/fence.ts';
import type { SendState } from '../../../src/domain/sending/reduce.ts';
import type { Attempt, Lookup, SendRecord } from '../../../src/domain/sending/send-record.ts';
import { FENCE_MS, POLICY as QUICK_POLICY, T0 } from '../support/send-policy.ts';

const POLICY: SendPolicy = { ...QUICK_POLICY, requestTimeoutMs: 30_000 };
const STEP_MS = missSpreadMs(POLICY) / (MISSES_MIN - 1);

const ambiguous: Attempt = { n: 1, timestampMs: T0, outcome: 'AMBIGUOUS', endedMs: T0 };
const look = (result: Lookup['result'], afterMs: number, attempts = 1): Lookup => ({
  atMs: T0 + afterMs,
  attempts,
  result,
  asked: { clock: 'ours', ms: afterMs },
  elapsedMs: afterMs,
});
const misses = (...afterMs: number[]) => afterMs.map((ms) => look('missed', ms));
const evenly = (count: number, stepMs = STEP_MS) =>
  misses(...Array.from({ length: count }, (_, i) => FENCE_MS + 1 + i * stepMs));

const decide = (
  record: Partial<SendRecord>,
  afterMs: number,
  { reason, ...policy }: Partial<SendPolicy> & Pick<SendState, 'reason'> = {},
) => {
  const whole = { attempts: [ambiguous], lookups: [], ...record };
  const asked = reason === undefined ? {} : { state: 'NEEDS_OPERATOR' as const, reason };
  const send: SendState = { record: whole, state: 'SENDING', ...asked };
  return decideSend(send, { ...POLICY, ...policy }, T0 + afterMs);
};

const nextDueMs = (beyond: readonly Lookup[], policy: Parameters<typeof nextMissMs>[1]) =>
  nextMissMs({ beyond, newest: beyond.at(-1) }, policy);

describe('the misses that a second create needs', () => {
  it('are several, spread over a quarter of the margin', () => {
    expect(missSpreadMs(POLICY)).toBe(15_000);
    expect(missSpreadMs({ fenceMarginMs: 1_000, lookupLagMs: 0 })).toBe(250);
    expect(missSpreadMs({ fenceMarginMs: 1_000, lookupLagMs: 4_000 })).toBe(3_000);
  });

  it.each<{ what: string; beyond: Lookup[]; dueAfterMs: number | undefined }>`
    what                             | beyond                                          | dueAfterMs
    ${'none'}                        | ${[]}                                           | ${undefined}
    ${'one'}                         | ${evenly(1)}                                    | ${FENCE_MS + 1 + STEP_MS}
    ${'one too few'}                 | ${evenly(MISSES_MIN - 1)}                       | ${FENCE_MS + 1 + (MISSES_MIN - 1) * STEP_MS}
    ${'enough, too close together'}  | ${evenly(MISSES_MIN, 1)}                        | ${FENCE_MS + MISSES_MIN + STEP_MS}
    ${'one, and one without answer'} | ${[...evenly(1), look('failed', FENCE_MS + 9)]} | ${FENCE_MS + 9 + STEP_MS}
  `('are not there with $what', ({ beyond, dueAfterMs }) => {
    const dueMs = dueAfterMs === undefined ? 0 : T0 + dueAfterMs;
    expect(nextDueMs(beyond, POLICY)).toBe(dueMs);
  });

  it('exist once there are enough of them, with any failures in between', () => {
    expect(nextDueMs(evenly(MISSES_MIN), POLICY)).toBeUndefined();
    const [first, ...rest] = evenly(MISSES_MIN);
    const mixed = [first as Lookup, look('failed', FENCE_MS + 2), ...rest];
    expect(nextDueMs(mixed, POLICY)).toBeUndefined();
  });

  it('are not enough yet when the wall clock was set forward, or another machine measures longer', () => {
    const close = evenly(MISSES_MIN, 1);
    const moved = (by: Partial<Lookup>) =>
      close.map((one, i) => (i === MISSES_MIN - 1 ? { ...one, ...by } : one));
    expect(nextDueMs(moved({ atMs: T0 + FENCE_MS + 60_000 }), POLICY)).toBeDefined();
    expect(nextDueMs(moved({ elapsedMs: FENCE_MS + 60_000 }), POLICY)).toBeDefined();
  });

  it('are looked for soon where the margin is short, and later after a lookup without an answer', () => {
    const short = { fenceMarginMs: 1_000, lookupLagMs: 0 };
    const [one] = evenly(1);
    const atMs = (one as Lookup).atMs;
    expect(nextDueMs([one as Lookup], short)).toBe(atMs + 63);
    const failed = look('failed', FENCE_MS + 1);
    expect(nextDueMs([one as Lookup, failed], short)).toBe(atMs + 2_000);
  });

  it('are waited for, and then looked for', () => {
    const one = { lookups: evenly(1) };
    expect(decide(one, FENCE_MS + 2)).toMatchObject({
      kind: 'wait',
      untilMs: T0 + FENCE_MS + 1 + STEP_MS,
      inDoubt: true,
    });
    expect(decide(one, FENCE_MS + 1 + STEP_MS)).toEqual({ kind: 'lookup' });
  });
});

const OUTCOMES: Attempt['outcome'][] = ['PENDING', 'AMBIGUOUS', 'VOID', 'NOT_SENT', 'ACCEPTED'];
const anyLooks = fc.array(
  fc.record({
    result: fc.constantFrom<Lookup['result']>(
      'missed',
      'missed',
      'missed',
      'failed',
      'unavailable',
    ),
    afterMs: fc.integer({ min: FENCE_MS - 30_000, max: FENCE_MS + 60_000 }),
  }),
  { maxLength: 12 },
);

it('no second create is ever decided without fresh misses beyond the fence, enough and far enough apart', () => {
  let sent = 0;
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...OUTCOMES), { minLength: 1, maxLength: 3 }),
      anyLooks,
      fc.constantFrom('auto' as const, 'fenced' as const),
      fc.integer({ min: 0, max: 40_000 }),
      (outcomes, looks, resend, laterMs) => {
        const attempts = outcomes.map((outcome, i): Attempt => {
          return { n: i + 1, timestampMs: T0 + i, outcome, endedMs: T0 + i };
        });
        const all = looks
          .map(({ result, afterMs }) => look(result, afterMs, attempts.length))
          .sort((a, b) => a.atMs - b.atMs);
        const nowMs = (all.at(-1)?.atMs ?? T0) + laterMs;
        const policy = {
          ...POLICY,
          resend,
          lookupCheck: { result: 'found' as const, atMs: nowMs },
        };
        const command = decideSend(
          { record: { attempts, lookups: all }, state: 'SENDING' },
          policy,
          nowMs,
        );
        const mayHaveArrived = outcomes.some((one) => one === 'PENDING' || one === 'AMBIGUOUS');
        if (command.kind !== 'attempt' || !mayHaveArrived) return;
        sent += 1;
        const counting = all.filter(
          (one) =>
            one.result === 'missed' && wasBeyondFence(one, { attempts, lookups: all }, policy),
        );
        const [first] = counting;
        const last = counting.at(-1);
        expect(counting.length).toBeGreaterThanOrEqual(MISSES_MIN);
        expect((last?.atMs ?? 0) - (first?.atMs ?? 0)).toBeGreaterThanOrEqual(15_000);
        expect(nowMs - (all.at(-1)?.atMs ?? 0)).toBeLessThanOrEqual(40_000);
        expect(all.at(-1)?.result).toBe('missed');
      },
    ),
    { numRuns: 20_000, seed: 22 },
  );
  expect(sent).toBeGreaterThan(20);
});

it('misses count no more when a node that is further behind answers', () => {
  const dated = (lookup: Lookup, behindMs: number): Lookup => ({
    ...lookup,
    serverDateMs: lookup.atMs - behindMs,
  });
  const enough = evenly(MISSES_MIN, STEP_MS * 2).map((one) => dated(one, 0));
  const lastMs = FENCE_MS + 1 + (MISSES_MIN - 1) * STEP_MS * 2;
  const lookupCheck = { result: 'found', atMs: T0 + lastMs } as const;
  expect(decide({ lookups: enough }, lastMs + 2, { lookupCheck: lookupCheck })).toEqual({
    kind: 'attempt',
    n: 2,
  });
  const behind = dated(look('missed', lastMs + 1), 40_000);
  const lookups = [...enough, behind];
  expect(decide({ lookups }, lastMs + 2, { lookupCheck: lookupCheck })).toMatchObject({
    kind: 'wait',
  });
});

describe('lookups that contradicted themselves', () => {
  const enough = evenly(MISSES_MIN);
  const AT_MS = FENCE_MS + 2 + (MISSES_MIN - 1) * STEP_MS;
  const lookupCheck = { result: 'found', atMs: T0 + AT_MS - 1 } as const;

  it.each(['auto', 'fenced'] as const)(
    'lead to no second create without a person (%s)',
    (resend) => {
      const trusted = decide({ lookups: enough }, AT_MS, { resend, lookupCheck: lookupCheck });
      expect(trusted).toEqual({ kind: 'attempt', n: 2 });
      const policy = { resend, lookupCheck, lookupVerified: false, distrusted: true };
      const distrusted = decide({ lookups: enough }, AT_MS, policy);
      expect(distrusted).toEqual({ kind: 'needs-operator', reason: 'LOOKUP_DISPROVEN' });
      const stopping = decide({ lookups: enough }, AT_MS, { ...policy, stopping: true });
      expect(stopping).toEqual({ kind: 'needs-operator', reason: 'LOOKUP_DISPROVEN' });
    },
  );

  it('still lead to a first create: nothing can be on its way', () => {
    const record = { attempts: [], lookups: [look('missed', 0, 0)] };
    const policy = { lookupVerified: false, distrusted: true };
    expect(decide(record, 5, policy)).toEqual({ kind: 'attempt', n: 1 });
  });

  const found = look('found', FENCE_MS + 9_000);
  it.each<{ what: string; looks: Lookup[]; isContradiction: boolean }>`
    what                                         | looks                                                               | isContradiction
    ${'found at once'}                           | ${[found]}                                                          | ${false}
    ${'missed while it may yet be accepted'}     | ${[look('missed', FENCE_MS), found]}                                | ${false}
    ${'missed beyond the fence, then found'}     | ${[look('missed', FENCE_MS + 1), found]}                            | ${true}
    ${'found, and missed later'}                 | ${[look('missed', FENCE_MS + 10_000), found]}                       | ${false}
    ${'no answer beyond the fence, then found'}  | ${[look('failed', FENCE_MS + 1), found]}                            | ${false}
    ${'missed before the last send'}             | ${[look('missed', FENCE_MS + 1, 0), found]}                         | ${false}
    ${'never found'}                             | ${[look('missed', FENCE_MS + 1)]}                                   | ${false}
    ${'missed beyond the fence, no answer then'} | ${[look('missed', FENCE_MS + 1), look('failed', FENCE_MS + 9_000)]} | ${false}
  `('$what: a contradiction is $isContradiction', ({ looks, isContradiction }) => {
    const record = { attempts: [ambiguous], lookups: looks };
    expect(wasFoundAfterMiss(record, POLICY)).toBe(isContradiction);
  });

  it.each<{ what: string; outcome: Attempt['outcome']; isContradiction: boolean }>`
    what                      | outcome        | isContradiction
    ${'is being sent'}        | ${'PENDING'}   | ${false}
    ${'got no clear answer'}  | ${'AMBIGUOUS'} | ${false}
    ${'was accepted'}         | ${'ACCEPTED'}  | ${false}
    ${'was refused for good'} | ${'REJECTED'}  | ${true}
    ${'never left'}           | ${'NOT_SENT'}  | ${true}
    ${'was too old to leave'} | ${'VOID'}      | ${true}
  `(
    'a worker that knows of the first create alone finds a mass payout, and a second one $what: a contradiction is $isContradiction',
    ({ outcome, isContradiction }) => {
      const second: Attempt = { n: 2, timestampMs: T0 + FENCE_MS + 8_000, outcome };
      const lookups = [...misses(FENCE_MS + 1, FENCE_MS + 5_000), found];
      const attempts = [ambiguous, second];
      expect(wasFoundAfterMiss({ attempts, lookups }, POLICY)).toBe(isContradiction);
    },
  );

  it('contradict the misses after a second create, too', () => {
    const second: Attempt = { n: 2, timestampMs: T0 + 1, outcome: 'AMBIGUOUS', endedMs: T0 + 1 };
    const lookups = [look('missed', FENCE_MS + 2, 2), { ...found, attempts: 2 }];
    expect(wasFoundAfterMiss({ attempts: [ambiguous, second], lookups }, POLICY)).toBe(true);
  });

  it('change nothing where nothing may have arrived', () => {
    const attempts: Attempt[] = [{ ...ambiguous, outcome: 'NOT_SENT' }];
    const record = { attempts, lookups: [look('missed', FENCE_MS + 1), found] };
    expect(wasFoundAfterMiss(record, POLICY)).toBe(false);
  });
});

describe('a chunk with a second mass payout', () => {
  const payout = { id: 'mp-1', differences: ['the service has a second one for it, mp-2'] };
  const record = { payout, others: ['mp-2'] };

  it('needs an operator, who may adopt one of the two', () => {
    expect(decide(record, 1)).toEqual({ kind: 'needs-operator', reason: 'TWO_PAYOUTS' });
    const answer = { kind: 'adopt', massPayoutId: 'mp-2', atMs: T0 } as const;
    expect(decide({ ...record, answer }, 1)).toEqual({ kind: 'read', massPayoutId: 'mp-2' });
  });

  it('needs an operator for that reason, also where another question was open', () => {
    const command = decide(record, 1, { reason: 'LOOKUP_UNPROVEN' });
    expect(command).toEqual({ kind: 'needs-operator', reason: 'TWO_PAYOUTS' });
    expect(decide(record, 1, { reason: 'TWO_PAYOUTS' })).toEqual({ kind: 'asked' });
  });
});

describe('a question whose only reason is a missing proof, or a missing answer', () => {
  const enough = evenly(MISSES_MIN);
  const AT_MS = FENCE_MS + 2 + (MISSES_MIN - 1) * STEP_MS;
  const proven = { lookupCheck: { result: 'found', atMs: T0 + AT_MS - 1 } } as const;
  const lookups = enough;

  it.each(['LOOKUP_UNPROVEN', 'LOOKUP_FAILING'] as const)(
    '%s: is withdrawn once all conditions of a second create are met, and not before',
    (reason) => {
      expect(decide({ lookups }, AT_MS, { reason })).toEqual({ kind: 'verify-lookup' });
      expect(decide({ lookups }, AT_MS, { reason, ...proven })).toEqual({ kind: 'withdraw' });
      const disproven = {
        reason,
        lookupCheck: { ...proven.lookupCheck, result: 'missed' },
      } as const;
      expect(decide({ lookups }, AT_MS, disproven)).toEqual({ kind: 'asked' });
      const unproven = { reason, lookupVerified: false };
      expect(decide({ lookups }, AT_MS, unproven)).toEqual({ kind: 'asked' });
      expect(decide({ lookups: enough.slice(1) }, AT_MS, { reason })).toEqual({ kind: 'asked' });
    },
  );

  it('is not withdrawn to call rows unpaid: a person may be paying them', () => {
    const policy = { reason: 'LOOKUP_UNPROVEN', stopping: true, ...proven } as const;
    expect(decide({ lookups }, AT_MS, policy)).toEqual({ kind: 'asked' });
  });

  it.each([
    'PAYOUT_DIFFERS',
    'TWO_PAYOUTS',
    'LOOKUP_DISPROVEN',
    'RESEND_BY_OPERATOR',
    'REJECTED_AFTER_DOUBT',
    'ATTEMPTS_USED_UP',
    'CREATED_NOT_FOUND',
  ] as const)('%s: stays open', (reason) => {
    expect(decide({ lookups }, AT_MS, { reason, ...proven })).toEqual({ kind: 'asked' });
  });

  it('is withdrawn before a first create, when the service answers again', () => {
    const record = { attempts: [], lookups: [look('missed', 0, 0)] };
    expect(decide(record, 5, { reason: 'LOOKUP_FAILING' })).toEqual({ kind: 'withdraw' });
  });
});

it.each<[Attempt['outcome'][], boolean]>([
  [['ACCEPTED'], false],
  [['NOT_SENT', 'VOID', 'ACCEPTED'], false],
  [['THROTTLED', 'ACCEPTED'], false],
  [['AMBIGUOUS', 'ACCEPTED'], true],
  [['PENDING', 'AMBIGUOUS'], true],
])('after %j, a second create left: %s', (outcomes, isAgain) => {
  const attempts = outcomes.map((outcome, i): Attempt => ({ ...ambiguous, n: i + 1, outcome }));
  expect(wasCreatedAgain({ attempts })).toBe(isAgain);
});

describe('a second create', () => {
  const attempts = (...outcomes: readonly Attempt['outcome'][]): Attempt[] =>
    outcomes.map((outcome, i) => ({ n: i + 1, timestampMs: T0 + i, outcome }));
  const twice = attempts('AMBIGUOUS', 'ACCEPTED');
  const notCreated = (cleared: number) =>
    ({ kind: 'not-created', attempts: cleared, atMs: T0 }) as const;

  it.each<[string, Pick<SendRecord, 'attempts' | 'answer'>, boolean]>([
    ['is none after one create', { attempts: attempts('ACCEPTED') }, false],
    ['rested on misses that no person confirmed', { attempts: twice }, true],
    [
      'rested on the answer of a person that the first created nothing',
      { attempts: twice, answer: notCreated(1) },
      false,
    ],
    [
      'rested on misses where the person spoke of no create',
      { attempts: twice, answer: notCreated(0) },
      true,
    ],
    [
      'rested on misses where it left after those that the person spoke of',
      { attempts: attempts('AMBIGUOUS', 'AMBIGUOUS', 'ACCEPTED'), answer: notCreated(1) },
      true,
    ],
    [
      'counts no more once a person has adopted a mass payout',
      { attempts: twice, answer: { kind: 'adopt', massPayoutId: 'mp', atMs: T0 } },
      false,
    ],
    [
      'rested on misses where a person gave the chunk up',
      { attempts: twice, answer: { kind: 'abandon', atMs: T0 } },
      true,
    ],
  ])('%s', (_what, record, expected) => {
    expect(wasSentOnMisses(record)).toBe(expected);
  });
});
