import { describe, expect, it } from '@jest/globals';
import { decideSend, type SendPolicy } from '../../../src/domain/sending/decide.ts';
import type { LookupCheck } from '../../../src/domain/sending/lookups.ts';
import { MISSES_MIN } from '../../../src/domain/sending/evidence.ts';
import type { SendState } from '../../../src/domain/sending/reduce.ts';
import type { Attempt, Lookup, SendRecord } from '../../../src/domain/sending/send-record.ts';
import { FENCE_MS, LATE_MS, POLICY, T0 } from '../support/send-policy.ts';

const attempt = (outcome: Attempt['outcome'], more: Partial<Attempt> = {}): Attempt => ({
  n: 1,
  timestampMs: T0,
  outcome,
  ...(outcome === 'PENDING' ? {} : { endedMs: T0 }),
  begun: { clock: 'ours', ms: (more.timestampMs ?? T0) - T0 },
  ...more,
});

/** A lookup `afterMs` after T0, answered by a service whose clock is ours. */
const lookup = (result: Lookup['result'], afterMs: number, attempts = 1): Lookup => ({
  atMs: T0 + afterMs,
  attempts,
  result,
  ...(result === 'failed' ? {} : { serverDateMs: T0 + afterMs }),
  asked: { clock: 'ours', ms: afterMs },
  elapsedMs: afterMs,
});

/** A lookup whose answer does not show the clock of the service. */
const withoutDate = ({ atMs, attempts, result, asked, elapsedMs }: Lookup): Lookup => ({
  atMs,
  attempts,
  result,
  ...(asked === undefined || elapsedMs === undefined ? {} : { asked, elapsedMs }),
});

/** As many misses as a second create needs, as far apart as it needs them, the last one then. */
const misses = (untilMs: number, attempts = 1): Lookup[] =>
  Array.from({ length: MISSES_MIN }, (_, i) =>
    lookup('missed', untilMs - (MISSES_MIN - 1 - i) * 4_000, attempts),
  );

/** Misses each minute for an hour until then. */
const everyMinute = (untilMs: number, attempts: number): Lookup[] =>
  Array.from({ length: 61 }, (_, minute) =>
    lookup('missed', untilMs - (60 - minute) * 60_000, attempts),
  );

const decide = (
  { state = 'SENDING', ...record }: Partial<SendRecord & Pick<SendState, 'state'>>,
  afterMs: number,
  policy: Partial<SendPolicy> = {},
) =>
  decideSend(
    { record: { attempts: [], lookups: [], ...record }, state },
    { ...POLICY, ...policy },
    T0 + afterMs,
  );

describe('a refusal after more than the time for which a timestamp counts', () => {
  const late = attempt('REJECTED', { httpStatus: 400, endedMs: T0 + 190_000 });
  const lookups = [lookup('missed', 191_000)];

  it('leads to another create with a new timestamp, since nothing may be wrong with the rows', () => {
    expect(decide({ attempts: [late], lookups }, 191_001)).toEqual({ kind: 'attempt', n: 2 });
  });

  it('counts as late by the trusted difference of the clocks', () => {
    const endedAfter = (ms: number) => [{ ...late, endedMs: T0 + ms }];
    const inTime = endedAfter(149_999);
    const refused = { kind: 'rejected', attempt: inTime[0] };
    expect(decide({ attempts: inTime, lookups }, 191_001)).toEqual(refused);
    const tooLate = endedAfter(150_000);
    expect(decide({ attempts: tooLate, lookups }, 191_001)).toEqual({ kind: 'attempt', n: 2 });
  });

  it('is looked up first', () => {
    expect(decide({ attempts: [late] }, 191_001)).toEqual({ kind: 'lookup' });
    const failed = [lookup('failed', 191_000)];
    expect(decide({ attempts: [late], lookups: failed }, 191_001).kind).not.toBe('attempt');
  });

  it.each<[string, Partial<SendRecord>, Partial<SendPolicy>, object]>([
    [
      'the third one in a row',
      { attempts: [1, 2, 3].map((n) => ({ ...late, n })), lookups: [lookup('missed', 191_000, 3)] },
      {},
      { kind: 'rejected' },
    ],
    [
      'one of a stopped batch',
      { attempts: [late], lookups },
      { stopping: true },
      { kind: 'rejected' },
    ],
    [
      'one after an ambiguous create',
      {
        attempts: [attempt('AMBIGUOUS'), { ...late, n: 2 }],
        lookups: [lookup('missed', 191_000, 2)],
      },
      {},
      { kind: 'needs-operator', reason: 'REJECTED_AFTER_DOUBT' },
    ],
  ])('leads to no other create: %s', (_, record, policy, expected) => {
    expect(decide(record, 191_001, policy)).toMatchObject(expected);
  });
});

describe('an ended chunk', () => {
  it('stays refused', () => {
    const refused = attempt('REJECTED');
    const record = { state: 'REJECTED', attempts: [refused] } as const;
    expect(decide(record, 3_600_000)).toEqual({ kind: 'rejected', attempt: refused });
  });

  it('stays closed', () => {
    const record = { state: 'NOT_SENT' } as const;
    expect(decide(record, 3_600_000)).toEqual({ kind: 'closed' });
  });
});

describe('while an operator must answer, who may pay in another way', () => {
  const state = 'NEEDS_OPERATOR';
  const AT_MS = 3_600_000;
  const doubtful = { state, attempts: [attempt('AMBIGUOUS')] } as const;
  const beyond = misses(AT_MS);
  const proven = { lookupCheck: { result: 'found', atMs: T0 + AT_MS } } as const;

  it('sends nothing, though it would send by all present facts', () => {
    const lookups = beyond;
    const sent = decide({ ...doubtful, state: 'SENDING', lookups }, AT_MS + 1, proven);
    expect(sent).toEqual({ kind: 'attempt', n: 2 });
    expect(decide({ ...doubtful, lookups }, AT_MS + 1, proven)).toEqual({ kind: 'asked' });
    const first = { state, lookups: [lookup('missed', 0, 0)] } as const;
    expect(decide(first, 5)).toEqual({ kind: 'asked' });
  });

  it('calls no chunk unpaid that may have arrived, when the batch is stopped', () => {
    const stopped = { ...proven, stopping: true };
    const lookups = beyond;
    const closed = decide({ ...doubtful, state: 'SENDING', lookups }, AT_MS + 1, stopped);
    expect(closed).toEqual({ kind: 'closed' });
    expect(decide({ ...doubtful, lookups }, AT_MS + 1, stopped)).toEqual({ kind: 'asked' });
  });

  it('closes a chunk that never left, when the batch is stopped', () => {
    expect(decide({ state }, AT_MS, { stopping: true })).toEqual({ kind: 'closed' });
    const voided = { state, attempts: [attempt('VOID')] } as const;
    expect(decide(voided, AT_MS, { stopping: true })).toEqual({ kind: 'closed' });
  });

  it('looks the chunk up again, once a minute at most', () => {
    const lookups = [lookup('failed', AT_MS)];
    const operator = { resend: 'operator' } as const;
    for (const policy of [{}, operator, { lookupVerified: false }]) {
      expect(decide({ ...doubtful, lookups }, AT_MS + 60_000, policy)).toEqual({ kind: 'asked' });
      expect(decide({ ...doubtful, lookups }, AT_MS + 60_001, policy)).toEqual({ kind: 'lookup' });
    }
  });

  it('adopts a mass payout that becomes visible, and counts a refusal', () => {
    const payout = { id: 'mp', differences: [] };
    expect(decide({ state, payout }, AT_MS)).toEqual({ kind: 'created' });
    const refused = {
      state,
      attempts: [attempt('REJECTED')],
      lookups: [lookup('missed', 1)],
    } as const;
    expect(decide(refused, 2)).toMatchObject({ kind: 'rejected' });
  });

  it('looks nothing up where the mass payout is known and differs', () => {
    const payout = { id: 'mp', differences: ['total'] };
    expect(decide({ state, payout }, AT_MS)).toEqual({ kind: 'asked' });
  });

  it('follows the answer once there is one', () => {
    const answer = { kind: 'not-created', attempts: 1, atMs: T0 + AT_MS } as const;
    const told = { ...doubtful, state: 'SENDING', answer, lookups: beyond } as const;
    expect(decide(told, AT_MS + 1, proven)).toEqual({ kind: 'attempt', n: 2 });
  });
});

describe('before the first send', () => {
  it('looks the key up', () => {
    expect(decide({}, 0)).toEqual({ kind: 'lookup' });
  });

  it('sends after a fresh miss', () => {
    expect(decide({ lookups: [lookup('missed', 0, 0)] }, 5)).toEqual({ kind: 'attempt', n: 1 });
  });

  it('sends to a service that has no lookup, because nothing can be on its way', () => {
    const lookups = [lookup('unavailable', 0, 0)];
    expect(decide({ lookups }, 5, { lookupVerified: false })).toEqual({ kind: 'attempt', n: 1 });
  });

  it('waits while the clock of this machine is too far off to send anything', () => {
    const lookups = [lookup('missed', 0, 0)];
    const command = decide({ lookups }, 5, { clockSkewMs: -61_000 });
    expect(command).toMatchObject({ kind: 'wait', untilMs: T0 + 30_005, inDoubt: false });
    expect(decide({ lookups }, 5, { clockSkewMs: 59_000 })).toEqual({ kind: 'attempt', n: 1 });
  });

  it('waits for its clock after a person stated that nothing was created, and the service gives no answer', () => {
    const lookups = [lookup('failed', 0, 0)];
    const answer = { kind: 'not-created', attempts: 0, atMs: T0 } as const;
    expect(decide({ lookups, answer }, 5)).toEqual({ kind: 'attempt', n: 1 });
    expect(decide({ lookups, answer }, 5, { clockSkewMs: 61_000 })).toMatchObject({ kind: 'wait' });
  });

  it('looks the key up again when the miss has grown old', () => {
    expect(decide({ lookups: [lookup('missed', 0, 0)] }, 10_001)).toEqual({ kind: 'lookup' });
  });

  it('does not send while the lookup fails', () => {
    const command = decide({ lookups: [lookup('failed', 0, 0)] }, 5);
    expect(command).toMatchObject({ kind: 'wait', inDoubt: false });
  });

  it('needs an operator when the lookup has failed for a quarter of an hour, and follows the answer', () => {
    const lookups = Array.from({ length: 17 }, (_, minute) =>
      lookup('failed', minute * 60_000 - 59_998, 0),
    );
    expect(decide({ lookups }, 900_003)).toEqual({
      kind: 'needs-operator',
      reason: 'LOOKUP_FAILING',
    });
    const answer = { kind: 'not-created', attempts: 0, atMs: T0 + 900_005 } as const;
    expect(decide({ lookups, answer }, 900_006)).toEqual({ kind: 'attempt', n: 1 });
  });

  it('needs no operator when lookups fail now and then, over any time', () => {
    const mixed = Array.from({ length: 100 }, (_, i) =>
      lookup(i % 3 === 0 ? 'missed' : 'failed', i * 60_000, 0),
    );
    expect(decide({ lookups: mixed.slice(0, -1) }, 98 * 60_000 + 1)).toMatchObject({
      kind: 'wait',
    });
  });

  it('closes the chunk when the batch was stopped', () => {
    expect(decide({}, 0, { stopping: true })).toEqual({ kind: 'closed' });
  });
});

describe('after a send that certainly did not arrive', () => {
  it.each(['VOID', 'NOT_SENT'] as const)('looks the key up and sends again after %s', (outcome) => {
    const attempts = [attempt(outcome)];
    expect(decide({ attempts }, 60_000)).toEqual({ kind: 'lookup' });
    const lookups = [lookup('missed', 60_000)];
    expect(decide({ attempts, lookups }, 60_001)).toEqual({ kind: 'attempt', n: 2 });
  });

  it('waits longer after each refused connection', () => {
    const attempts = [1, 2, 3].map((n) => attempt('NOT_SENT', { n }));
    expect(decide({ attempts }, 1)).toMatchObject({ kind: 'wait', untilMs: T0 + 2_000 });
  });

  it('waits as long as the service demands after 429, but never more than a minute', () => {
    const attempts = [attempt('THROTTLED', { retryAfterMs: 3_600_000 })];
    expect(decide({ attempts }, 1)).toMatchObject({ kind: 'wait', untilMs: T0 + 60_000 });
  });

  it('waits after 429 for three times as long as the lookup was seen to lag', () => {
    const attempts = [attempt('THROTTLED')];
    const command = decide({ attempts }, 1, { lookupLagMs: 20_000 });
    expect(command).toMatchObject({ kind: 'wait', untilMs: T0 + 60_000 });
  });

  it('counts 429 as ambiguous where lookups are not verified', () => {
    const attempts = [attempt('THROTTLED')];
    expect(decide({ attempts }, 100_000, { lookupVerified: false })).toEqual({ kind: 'lookup' });
    const lookups = [lookup('missed', 100_000)];
    const later = decide({ attempts, lookups }, 100_001, { lookupVerified: false });
    expect(later).toMatchObject({ kind: 'wait', inDoubt: true });
  });
});

describe('a batch that is stopped', () => {
  it('does not take a throttled create for one that was not accepted', () => {
    const attempts = [attempt('THROTTLED')];
    const lookups = [lookup('missed', 5)];
    expect(decide({ attempts, lookups }, 6, { stopping: true })).toMatchObject({
      kind: 'wait',
      inDoubt: true,
    });
  });

  it('closes nothing on an unverified miss, though the settings would send again on it', () => {
    const attempts = [attempt('AMBIGUOUS')];
    const lookups = misses(LATE_MS);
    const policy = { resend: 'fenced', lookupVerified: false, stopping: true } as const;
    expect(decide({ attempts, lookups }, LATE_MS + 1, policy)).toEqual({
      kind: 'needs-operator',
      reason: 'LOOKUP_UNPROVEN',
    });
  });
});

describe('a chunk that the batch saw created, in a store without it', () => {
  const forgotten = { wasCreated: true } as const;

  it.each([{ stopping: false }, { stopping: true }])('is looked up first (%j)', (policy) => {
    expect(decide({}, 0, { ...forgotten, ...policy })).toEqual({ kind: 'lookup' });
  });

  it.each([
    ['missed', false],
    ['missed', true],
    ['unavailable', false],
    ['unavailable', true],
  ] as const)(
    '%s, is neither sent nor closed but needs an operator (stopping: %s)',
    (result, stopping) => {
      const lookups = [lookup(result, 0, 0)];
      expect(decide({ lookups }, 5, { ...forgotten, stopping })).toEqual({
        kind: 'needs-operator',
        reason: 'CREATED_NOT_FOUND',
      });
    },
  );

  it('is looked up again while the lookup fails', () => {
    const lookups = [lookup('failed', 0, 0)];
    expect(decide({ lookups }, 5, forgotten)).toMatchObject({ kind: 'wait' });
  });

  it('is not sent again for an old ambiguous attempt either, once its fence has passed', () => {
    const record = { attempts: [attempt('AMBIGUOUS')], lookups: [lookup('missed', FENCE_MS + 1)] };
    expect(decide(record, FENCE_MS + 2, forgotten)).toMatchObject({ kind: 'needs-operator' });
  });

  it('is created when it is found', () => {
    const payout = { id: 'mp', differences: [] };
    expect(decide({ payout }, 5, forgotten)).toEqual({ kind: 'created' });
  });

  it('is sent once a person states that it does not exist', () => {
    const answer = { kind: 'not-created', attempts: 0, atMs: T0 } as const;
    const lookups = [lookup('missed', 0, 0)];
    expect(decide({ lookups, answer }, 5, forgotten)).toEqual({ kind: 'attempt', n: 1 });
  });
});

describe('a clock that was set back', () => {
  it('takes an answer for fresh that took as long as an answer may', () => {
    const slow = { requestTimeoutMs: 30_000 };
    const lookups = [lookup('missed', 0, 0)];
    expect(decide({ lookups }, 40_000, slow)).toEqual({ kind: 'attempt', n: 1 });
    expect(decide({ lookups }, 40_001, slow)).toEqual({ kind: 'lookup' });
  });

  it('makes no lookup of the future fresh', () => {
    const lookups = [lookup('missed', 300_000, 0)];
    expect(decide({ lookups }, 0)).toEqual({ kind: 'lookup' });
  });

  it('goes on from the lookup before one of the future, and ends its lookups', () => {
    const attempts = [attempt('VOID')];
    const lookups = [lookup('missed', 1_000), lookup('missed', 60_000)];
    expect(decide({ attempts, lookups }, 2_000)).toEqual({ kind: 'attempt', n: 2 });
  });

  it('lets no lookup of the future count as beyond the fence', () => {
    const attempts = [attempt('AMBIGUOUS')];
    const lookups = [lookup('missed', FENCE_MS + 300_000)];
    expect(decide({ attempts, lookups }, 1_000)).not.toMatchObject({ kind: 'attempt' });
  });
});

describe('after a refusal', () => {
  const unauthorized = [attempt('REJECTED', { httpStatus: 401 })];
  const failing = (untilMs: number): Lookup[] =>
    Array.from({ length: 17 }, (_, minute) => lookup('failed', untilMs - (16 - minute) * 60_000));

  it('needs an operator when the service gave no answer for a quarter of an hour', () => {
    const lookups = [lookup('failed', 1)];
    expect(decide({ attempts: unauthorized, lookups }, 2)).toMatchObject({ kind: 'wait' });
    expect(decide({ attempts: unauthorized, lookups: failing(3_600_000) }, 3_600_001)).toEqual({
      kind: 'needs-operator',
      reason: 'LOOKUP_FAILING',
    });
  });

  it('counts it when a person has checked, with or without an answer of the service', () => {
    const answer = { kind: 'not-created', attempts: 1, atMs: T0 } as const;
    const record = { attempts: unauthorized, lookups: [lookup('failed', 1)], answer };
    expect(decide(record, 2)).toMatchObject({ kind: 'rejected' });
  });

  it('looks the key up again and then counts it', () => {
    const attempts = [attempt('REJECTED', { httpStatus: 400 })];
    expect(decide({ attempts }, 1)).toEqual({ kind: 'lookup' });
    const lookups = [lookup('missed', 1)];
    expect(decide({ attempts, lookups }, 2)).toMatchObject({ kind: 'rejected' });
  });

  it('does not count it when an earlier send may have arrived', () => {
    const attempts = [
      attempt('AMBIGUOUS'),
      attempt('REJECTED', { n: 2, timestampMs: T0 + 300_000 }),
    ];
    const lookups = [lookup('missed', 300_001, 2)];
    expect(decide({ attempts, lookups }, 300_002)).toEqual({
      kind: 'needs-operator',
      reason: 'REJECTED_AFTER_DOUBT',
    });
  });
});

describe.each(['PENDING', 'AMBIGUOUS'] as const)('after a send that is %s', (outcome) => {
  const attempts = [attempt(outcome)];

  it('looks the key up at once', () => {
    expect(decide({ attempts }, 1)).toEqual({ kind: 'lookup' });
  });

  it.each([5, 60_000, FENCE_MS])('never sends again on a miss %d ms later', (afterMs) => {
    const command = decide({ attempts, lookups: [lookup('missed', afterMs)] }, afterMs + 1);
    expect(command).toMatchObject({ kind: 'wait', inDoubt: true });
  });

  it('sends again once a lookup beyond the fence misses the key', () => {
    const lookups = misses(LATE_MS);
    const decided = (policy: Partial<SendPolicy>, laterMs = 1) =>
      decide({ attempts, lookups }, LATE_MS + laterMs, policy);
    const said = (result: LookupCheck['result']) => ({
      lookupCheck: { result, atMs: T0 + LATE_MS + 1 },
    });
    expect(decided({})).toEqual({ kind: 'verify-lookup' });
    expect(decided(said('found'))).toEqual({ kind: 'attempt', n: 2 });
    expect(decided(said('found'), 12_000).kind).not.toBe('attempt');
    expect(decided(said('missed'))).toEqual({
      kind: 'needs-operator',
      reason: 'LOOKUP_UNPROVEN',
    });
    expect(decided(said('failed'))).toMatchObject({ kind: 'wait', inDoubt: true });
    expect(decided({ resend: 'fenced' })).toEqual({ kind: 'attempt', n: 2 });
  });

  it('sends again without lookup verification only where the settings allow it, and closes nothing on it', () => {
    const record = { attempts, lookups: misses(LATE_MS) };
    const decided = (policy: Partial<SendPolicy>) =>
      decide(record, LATE_MS + 1, { lookupVerified: false, ...policy });
    const asked = { kind: 'needs-operator', reason: 'LOOKUP_UNPROVEN' };
    expect(decided({ resend: 'fenced' })).toEqual({ kind: 'attempt', n: 2 });
    expect(decided({ resend: 'fenced', stopping: true })).toEqual(asked);
    expect(decided({ resend: 'auto' })).toEqual(asked);
  });

  it('waits ten seconds before the next proof where the last one got no answer', () => {
    const lookupCheck = { result: 'failed', atMs: T0 + LATE_MS } as const;
    expect(
      decide({ attempts, lookups: misses(LATE_MS) }, LATE_MS + 1, { lookupCheck: lookupCheck }),
    ).toMatchObject({
      kind: 'wait',
      untilMs: T0 + LATE_MS + 10_000,
    });
  });

  it('looks the key up again at once when the miss grew old during the lookup verification', () => {
    const lookups = misses(LATE_MS);
    const nowMs = LATE_MS + 30_000;
    const lookupCheck = { result: 'found', atMs: T0 + nowMs - 1 } as const;
    expect(decide({ attempts, lookups }, nowMs, { lookupCheck: lookupCheck })).toEqual({
      kind: 'lookup',
    });
    const again = [...lookups, lookup('missed', nowMs)];
    const sent = decide({ attempts, lookups: again }, nowMs + 30_000, {
      lookupCheck: lookupCheck,
      requestTimeoutMs: 30_000,
    });
    expect(sent).toEqual({ kind: 'attempt', n: 2 });
  });

  it.each<[string, Partial<SendPolicy>, Lookup[], string]>([
    [
      'a proof was just made',
      { lookupCheck: { result: 'found', atMs: T0 + 999_999 } },
      [],
      'lookup',
    ],
    ['there is no proof', {}, [], 'wait'],
    [
      'the proof got no answer',
      { lookupCheck: { result: 'failed', atMs: T0 + 999_999 } },
      [],
      'wait',
    ],
    [
      'the last lookup failed',
      { lookupCheck: { result: 'found', atMs: T0 + 999_999 } },
      [lookup('failed', 989_000)],
      'wait',
    ],
  ])('after many misses, the last one old: when %s', (_when, policy, more, kind) => {
    const lookups = [...everyMinute(988_000, 1).filter(({ atMs }) => atMs > T0), ...more];
    expect(decide({ attempts, lookups }, 1_000_000, policy).kind).toBe(kind);
  });

  it('needs an operator when only failures follow a miss beyond the fence', () => {
    const failures = Array.from({ length: 17 }, (_, minute) =>
      lookup('failed', LATE_MS + (minute + 1) * 60_000),
    );
    const lookups = [...misses(LATE_MS), ...failures];
    expect(decide({ attempts, lookups }, LATE_MS + 17 * 60_000 + 1)).toEqual({
      kind: 'needs-operator',
      reason: 'LOOKUP_FAILING',
    });
  });

  it('needs an operator when the service that missed it beyond the fence gives no answer any more', () => {
    const lookups = [...misses(LATE_MS), lookup('unavailable', FENCE_MS + 600_000)];
    expect(decide({ attempts, lookups }, FENCE_MS + 600_001)).toEqual({
      kind: 'needs-operator',
      reason: 'LOOKUP_UNPROVEN',
    });
  });

  it('needs an operator when the lookup verification had no answer for an hour', () => {
    const atMs = 7_200_000;
    const lookups = everyMinute(atMs, 1);
    const lookupCheck = { result: 'failed', atMs: T0 + atMs } as const;
    expect(decide({ attempts, lookups }, atMs, { lookupCheck: lookupCheck })).toEqual({
      kind: 'needs-operator',
      reason: 'LOOKUP_FAILING',
    });
  });

  it('waits when lookups were verified within that hour, and the verification has no answer now', () => {
    const atMs = 7_200_000;
    const lookups = everyMinute(atMs, 1);
    const lookupCheck = { result: 'failed', atMs: T0 + atMs } as const;
    const waiting = { lookupCheck, lookupProvenAtMs: T0 + atMs - 3_599_999 };
    expect(decide({ attempts, lookups }, atMs, waiting)).toMatchObject({ kind: 'wait' });
    const asking = { lookupCheck, lookupProvenAtMs: T0 + atMs - 3_600_000 };
    expect(decide({ attempts, lookups }, atMs, asking)).toMatchObject({ kind: 'needs-operator' });
  });

  it('looks the key up again as soon as the fence has passed, and not only when the next lookup is due', () => {
    const lookups = [100, 130, 170, 230].map((seconds) => lookup('missed', seconds * 1_000));
    const behind = lookups.map((one) => ({ ...one, serverDateMs: one.atMs - 2_000 }));
    const firstMs = FENCE_MS + 2_000 + 1_001;
    expect(decide({ attempts, lookups: behind }, 230_001)).toMatchObject({
      kind: 'wait',
      untilMs: T0 + firstMs,
      inDoubt: true,
    });
    expect(decide({ attempts, lookups: behind }, firstMs)).toEqual({ kind: 'lookup' });
    // That one is not made again and again, whatever it was told.
    const failed = [...behind, lookup('failed', firstMs)];
    expect(decide({ attempts, lookups: failed }, firstMs + 1)).toMatchObject({
      kind: 'wait',
      untilMs: T0 + firstMs + 30_000,
    });
  });

  it('looks the key up at the usual times where the clock of the service is unknown, and the fence is far', () => {
    const lookups = [100, 130, 170, 230].map((seconds) => lookup('failed', seconds * 1_000));
    expect(decide({ attempts, lookups }, 230_001, { skewMs: 180_000 })).toMatchObject({
      kind: 'wait',
      untilMs: T0 + 245_000,
    });
  });

  it('judges the fence by the clock of the service where it is known', () => {
    const slow: Lookup = { ...lookup('missed', 600_000), serverDateMs: T0 + FENCE_MS };
    expect(decide({ attempts, lookups: [slow] }, 600_001)).toMatchObject({ kind: 'wait' });
  });

  it('adds the whole skew where the service does not return its time', () => {
    const known = { skewMs: 180_000 };
    const decided = (untilMs: number) => {
      const lookups = misses(untilMs).map(withoutDate);
      return decide({ attempts, lookups }, untilMs, known);
    };
    const spreadMs = (MISSES_MIN - 1) * 4_000;
    expect(decided(FENCE_MS + 180_000 + spreadMs)).toMatchObject({ kind: 'wait' });
    expect(decided(FENCE_MS + 180_001 + spreadMs)).toEqual({ kind: 'verify-lookup' });
  });

  it('waits three times as long as the lookup was seen to lag', () => {
    const lookups = misses(LATE_MS);
    const command = decide({ attempts, lookups }, LATE_MS + 1, { lookupLagMs: 30_000 });
    expect(command).toMatchObject({ kind: 'wait' });
  });

  it.each([
    ['operator', true, 'missed', 'RESEND_BY_OPERATOR'],
    ['auto', false, 'missed', 'LOOKUP_UNPROVEN'],
    ['fenced', false, 'unavailable', 'LOOKUP_UNPROVEN'],
    ['auto', true, 'unavailable', 'LOOKUP_UNPROVEN'],
  ] as const)(
    'needs an operator with resend %s, lookup verified %s, %s',
    (resend, lookupVerified, result, reason) => {
      const lookups = [lookup(result, FENCE_MS + 1_000)];
      const command = decide({ attempts, lookups }, LATE_MS + 1, { resend, lookupVerified });
      expect(command).toEqual({ kind: 'needs-operator', reason });
    },
  );

  it('looks the key up again while the lookup fails, and needs an operator after a quarter of an hour', () => {
    const known = { skewMs: 180_000 };
    const lookups = [lookup('failed', FENCE_MS + 200_000)];
    expect(decide({ attempts, lookups }, FENCE_MS + 200_001, known)).toMatchObject({
      kind: 'wait',
    });
    const afterMs = FENCE_MS + 180_000 + 900_001;
    const later = [...lookups, lookup('failed', afterMs)];
    expect(decide({ attempts, lookups: later }, afterMs + 1, known)).toEqual({
      kind: 'needs-operator',
      reason: 'LOOKUP_FAILING',
    });
  });

  it('waits after a failed lookup beyond the fence, though it shows no time of the service', () => {
    const failedMs = FENCE_MS + 9_000;
    const lookups = [...misses(FENCE_MS + 8_001).slice(-3), lookup('failed', failedMs)];
    expect(decide({ attempts, lookups }, failedMs + 1, { skewMs: 180_000 })).toMatchObject({
      kind: 'wait',
      untilMs: T0 + failedMs + 3_750,
    });
  });

  it('looks the create up before it closes the chunk of a stopped batch', () => {
    const early = decide({ attempts, lookups: [lookup('missed', 5)] }, 6, { stopping: true });
    expect(early).toMatchObject({ kind: 'wait' });
    const lookups = misses(LATE_MS);
    const late = (lookupCheck?: LookupCheck['result']) =>
      decide({ attempts, lookups }, LATE_MS + 1, {
        stopping: true,
        ...(lookupCheck === undefined
          ? {}
          : { lookupCheck: { result: lookupCheck, atMs: T0 + FENCE_MS } }),
      });
    expect(late()).toEqual({ kind: 'verify-lookup' });
    expect(late('found')).toEqual({ kind: 'closed' });
    expect(late('missed')).toEqual({ kind: 'needs-operator', reason: 'LOOKUP_UNPROVEN' });
  });

  it('looks the key up again before it closes the chunk of a stopped batch, if the last lookup was a while ago', () => {
    const lookups = misses(LATE_MS);
    const command = decide({ attempts, lookups }, LATE_MS + 60_000, { stopping: true });
    expect(command).toEqual({ kind: 'lookup' });
  });
});

describe('the ways out', () => {
  const ambiguous = (count: number) =>
    Array.from({ length: count }, (_, i) => attempt('AMBIGUOUS', { n: i + 1 }));

  it.each([
    ['fenced', 3],
    ['auto', 25],
  ] as const)('with resend %s, gives up after %d sends that may have arrived', (resend, most) => {
    const after = (count: number) => {
      const record = { attempts: ambiguous(count), lookups: misses(LATE_MS, count) };
      return decide(record, LATE_MS + 1, { resend });
    };
    expect(after(most - 1).kind).toBe(resend === 'auto' ? 'verify-lookup' : 'attempt');
    expect(after(most)).toEqual({ kind: 'needs-operator', reason: 'ATTEMPTS_USED_UP' });
  });

  it('takes a found mass payout that is the same as the intent', () => {
    const record = { attempts: [attempt('AMBIGUOUS')], payout: { id: 'mp-1', differences: [] } };
    expect(decide(record, 1)).toEqual({ kind: 'created' });
  });

  it('need an operator for one that differs', () => {
    const payout = { id: 'mp-1', differences: ['total is 2, not 1'] };
    expect(decide({ payout }, 1)).toEqual({ kind: 'needs-operator', reason: 'PAYOUT_DIFFERS' });
  });

  it('read the mass payout that an operator adopts before it counts', () => {
    const answer = { kind: 'adopt', massPayoutId: 'mp-9', atMs: T0 + 1 } as const;
    const record = { attempts: [attempt('AMBIGUOUS')], answer };
    expect(decide(record, 2)).toEqual({ kind: 'read', massPayoutId: 'mp-9' });
  });

  it('read one that differed again when an operator adopts it: the service may have corrected it', () => {
    const payout = { id: 'mp-1', differences: ['total is 2, not 1'] };
    const answer = { kind: 'adopt', massPayoutId: 'mp-1', atMs: T0 + 1 } as const;
    expect(decide({ payout, answer }, 2)).toEqual({ kind: 'read', massPayoutId: 'mp-1' });
  });

  it('leave an abandoned chunk as it is, also when the store lost who abandoned it', () => {
    const record = { state: 'ABANDONED', attempts: [attempt('AMBIGUOUS')] } as const;
    expect(decide(record, 3_600_000)).toEqual({ kind: 'abandoned' });
  });

  it('send again after an operator has stated that nothing was created', () => {
    const answer = { kind: 'not-created', attempts: 1, atMs: T0 + 1 } as const;
    const attempts = [attempt('AMBIGUOUS')];
    expect(decide({ attempts, answer }, 2)).toEqual({ kind: 'lookup' });
    const lookups = [lookup('missed', 3)];
    expect(decide({ attempts, answer, lookups }, 4)).toEqual({ kind: 'attempt', n: 2 });
  });

  it('end the effect of that answer once another send is ambiguous', () => {
    const answer = { kind: 'not-created', attempts: 1, atMs: T0 + 1 } as const;
    const attempts = [attempt('AMBIGUOUS'), attempt('AMBIGUOUS', { n: 2, endedMs: T0 + 10 })];
    const command = decide({ attempts, answer, lookups: [lookup('missed', 11, 2)] }, 12);
    expect(command).toMatchObject({ kind: 'wait', inDoubt: true });
  });

  it('count the attempts that an answer is about, under any clocks of the workers', () => {
    const answer = { kind: 'not-created', attempts: 1, atMs: T0 + 60_000 } as const;
    const attempts = [attempt('AMBIGUOUS'), attempt('AMBIGUOUS', { n: 2, endedMs: T0 + 10 })];
    const command = decide({ attempts, answer, lookups: [lookup('missed', 20, 2)] }, 21);
    expect(command).toMatchObject({ kind: 'wait', inDoubt: true });
  });

  it('count that answer, while lookups fail, only for the attempts that it is about', () => {
    const attempts = [attempt('AMBIGUOUS'), attempt('VOID', { n: 2 })];
    const lookups = [lookup('failed', 20, 2)];
    const decided = (count: number) => {
      const answer = { kind: 'not-created', attempts: count, atMs: T0 + 1 } as const;
      return decide({ attempts, answer, lookups }, 21).kind;
    };
    expect(decided(1)).toBe('wait');
    expect(decided(2)).toBe('attempt');
  });

  it('counts no refusal after an answer as certain: "already exists" is one too', () => {
    const answer = { kind: 'not-created', attempts: 1, atMs: T0 + 1 } as const;
    const attempts = [attempt('AMBIGUOUS'), attempt('REJECTED', { n: 2 })];
    const lookups = [lookup('missed', 20, 2)];
    expect(decide({ attempts, answer, lookups }, 21)).toEqual({
      kind: 'needs-operator',
      reason: 'REJECTED_AFTER_DOUBT',
    });
    const later = { ...answer, attempts: 2 };
    expect(decide({ attempts, answer: later, lookups }, 21)).toMatchObject({ kind: 'rejected' });
  });

  it('abandon it on the answer of an operator, with any other facts', () => {
    const answer = { kind: 'abandon', atMs: T0 } as const;
    expect(decide({ attempts: [attempt('PENDING')], answer }, 1)).toEqual({ kind: 'abandoned' });
  });
});
