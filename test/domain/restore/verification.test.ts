import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  isToVerify,
  nextVerification,
  type Restore,
  withForgottenSend,
} from '../../../src/domain/restore/verification.ts';
import { decideSend, type SendPolicy } from '../../../src/domain/sending/decide.ts';
import type { LookupCheck } from '../../../src/domain/sending/lookups.ts';
import { MISSES_MIN, wasFoundAfterMiss } from '../../../src/domain/sending/evidence.ts';
import { elapsedMsAt, wasBeyondFence } from '../../../src/domain/sending/fence.ts';
import type { SendState } from '../../../src/domain/sending/reduce.ts';
import type { Attempt, Lookup, SendRecord } from '../../../src/domain/sending/send-record.ts';
import { FENCE_MS, LATE_MS, POLICY, T0 } from '../support/send-policy.ts';

const DAY_MS = 86_400_000;
/** The older copy came at T0. */
const RESTORE: Restore = { epoch: 2, atMs: T0, seen: { clock: 'ours', ms: 0 } };

const attempt = (outcome: Attempt['outcome'], more: Partial<Attempt> = {}): Attempt => ({
  n: 1,
  timestampMs: T0 - DAY_MS,
  outcome,
  ...more,
});

/** A lookup `afterMs` after the older copy came, answered by a service whose clock is ours. */
const lookup = (result: Lookup['result'], afterMs: number, more: Partial<Lookup> = {}): Lookup => ({
  atMs: T0 + afterMs,
  attempts: 0,
  result,
  ...(result === 'failed' ? {} : { serverDateMs: T0 + afterMs }),
  asked: { clock: 'ours', ms: afterMs },
  elapsedMs: afterMs,
  epoch: 2,
  ...more,
});
const missed = (afterMs: number, more: Partial<Lookup> = {}): Lookup =>
  lookup('missed', afterMs, more);

const misses = (untilMs: number, more: Partial<Lookup> = {}): Lookup[] =>
  Array.from({ length: MISSES_MIN }, (_, i) =>
    missed(untilMs - (MISSES_MIN - 1 - i) * 4_000, more),
  );

const everyMinute = (untilMs: number): Lookup[] =>
  Array.from({ length: 61 }, (_, minute) => missed(untilMs - (60 - minute) * 60_000));

const proven = (afterMs: number): LookupCheck => ({ result: 'found', atMs: T0 + afterMs });

type Sent = Partial<SendRecord & Pick<SendState, 'state' | 'reason'>>;
const verify = (
  { state = 'PLANNED', reason, ...record }: Sent,
  afterMs: number,
  policy: Partial<SendPolicy> = {},
) =>
  nextVerification(
    {
      record: { attempts: [], lookups: [], ...record },
      state,
      verification: 'due',
      ...(reason === undefined ? {} : { reason }),
    },
    { restore: RESTORE, policy: { ...POLICY, ...policy } },
    T0 + afterMs,
  );

describe('a chunk of a store that was restored from an older copy', () => {
  it('is not verified by a present miss: a create that the store lacks may still be on its way', () => {
    expect(verify({ lookups: [missed(5)] }, 6)).toMatchObject({ kind: 'wait', inDoubt: false });
    expect(verify({ lookups: [missed(FENCE_MS)] }, FENCE_MS + 2_001)).toEqual({ kind: 'lookup' });
  });

  it('is verified once nothing can arrive any more, and a lookup finds other mass payouts that exist', () => {
    const lookups = [missed(5), ...misses(LATE_MS)];
    expect(verify({ lookups }, LATE_MS + 5)).toEqual({ kind: 'verify-lookup' });
    const lookupCheck = proven(LATE_MS + 5);
    const verified = { kind: 'verified', by: 'lookups' };
    expect(verify({ lookups }, LATE_MS + 6, { lookupCheck })).toEqual(verified);
    // To stop the batch takes as much certainty, and no more.
    expect(verify({ lookups }, LATE_MS + 6, { lookupCheck: lookupCheck, stopping: true })).toEqual(
      verified,
    );
  });

  it.each([
    ['that the copy brought along', { epoch: 1 }],
    ['from before any older copy came', { epoch: undefined }],
  ] as const)('is not verified by lookups %s', (_which, more) => {
    const lookups = misses(LATE_MS, more as Partial<Lookup>);
    const lookupCheck = proven(LATE_MS + 5);
    expect(verify({ lookups }, LATE_MS + 6, { lookupCheck })).toEqual({
      kind: 'lookup',
    });
  });

  it('is adopted as soon as its key is found', () => {
    const found = { payout: { id: 'mp', differences: [] } };
    const send: SendState = {
      record: { attempts: [], lookups: [], ...found },
      state: 'CREATED',
      verification: 'due',
    };
    expect(isToVerify(send)).toBe(false);
    expect(decideSend(send, POLICY, T0)).toEqual({ kind: 'created' });
  });

  it.each([
    ['the lookup is not proven', { lookupVerified: false }, 'missed', 'LOOKUP_UNPROVEN'],
    ['the service has no lookup', {}, 'unavailable', 'LOOKUP_UNPROVEN'],
    [
      'what there is is not found',
      { lookupCheck: { result: 'missed', atMs: T0 + LATE_MS + 5 } },
      'missed',
      'LOOKUP_UNPROVEN',
    ],
    [
      'nothing may rest on a key alone',
      { lookupVerified: false, resend: 'fenced' },
      'missed',
      'LOOKUP_UNPROVEN',
    ],
    ['lookups contradicted themselves', { distrusted: true }, 'missed', 'LOOKUP_DISPROVEN'],
    ['people want to decide', { resend: 'operator' }, 'missed', 'RESEND_BY_OPERATOR'],
  ] as const)('needs an operator where %s', (_where, policy, result, reason) => {
    const lookups = [...misses(LATE_MS), lookup(result, LATE_MS + 1)];
    const command = verify({ lookups }, LATE_MS + 6, policy);
    expect(command).toEqual({ kind: 'needs-operator', reason });
  });

  it('needs an operator at once where the batch saw it created, and it is not found', () => {
    const command = verify({ lookups: [missed(5)] }, 6, { wasCreated: true });
    expect(command).toEqual({ kind: 'needs-operator', reason: 'CREATED_NOT_FOUND' });
  });

  it('is ambiguous until the fence of that moment, however old its attempts are', () => {
    const lookups = [missed(5, { attempts: 1 })];
    const command = verify({ attempts: [attempt('NOT_SENT')], lookups, state: 'SENDING' }, 6);
    expect(command).toMatchObject({ kind: 'wait', inDoubt: false });
  });

  it('needs no lookup where its last attempt was refused: nothing is sent after that', () => {
    const refused = { attempts: [attempt('REJECTED')], state: 'SENDING' } as const;
    expect(verify(refused, 1)).toEqual({ kind: 'verified', by: 'refusal' });
  });

  it('is not verified by an answer from the copy', () => {
    const answer = { kind: 'not-created', attempts: 0, atMs: T0 - 1 } as const;
    expect(verify({ answer, lookups: [missed(5)] }, 6)).toMatchObject({ kind: 'wait' });
  });

  it('needs an operator when the time of the service stands still for a quarter of an hour after the fence', () => {
    const stuck = (afterMs: number) => ({ ...missed(afterMs), serverDateMs: T0 });
    const lookups = Array.from({ length: 20 }, (_, minute) => stuck(FENCE_MS + minute * 60_000));
    const at = (minutes: number) =>
      verify({ lookups: lookups.slice(0, minutes + 1) }, FENCE_MS + minutes * 60_000 + 1).kind;
    expect(at(14)).toBe('wait');
    expect(at(19)).toBe('needs-operator');
  });

  it('long after, repeats a failing lookup for a quarter of an hour before it needs an operator', () => {
    const failed = [lookup('failed', DAY_MS)];
    expect(verify({ lookups: failed }, DAY_MS + 1)).toMatchObject({ kind: 'wait' });
    const later = Array.from({ length: 17 }, (_, minute) =>
      lookup('failed', DAY_MS + minute * 60_000 - 59_998),
    );
    expect(verify({ lookups: later }, DAY_MS + 900_002)).toEqual({
      kind: 'needs-operator',
      reason: 'LOOKUP_FAILING',
    });
  });

  it('long after, repeats the lookup verification for an hour without an answer', () => {
    const lookupCheck: LookupCheck = { result: 'failed', atMs: T0 + DAY_MS };
    expect(verify({ lookups: misses(DAY_MS) }, DAY_MS + 1, { lookupCheck })).toMatchObject({
      kind: 'wait',
    });
    expect(verify({ lookups: everyMinute(DAY_MS) }, DAY_MS + 1, { lookupCheck })).toEqual({
      kind: 'needs-operator',
      reason: 'LOOKUP_FAILING',
    });
    // Nobody asked while people held the batch.
    const resumed = [...everyMinute(DAY_MS - 7_200_000), missed(DAY_MS)];
    expect(verify({ lookups: resumed }, DAY_MS + 1, { lookupCheck })).toMatchObject({
      kind: 'wait',
    });
  });
});

describe('while an operator must answer for it', () => {
  const asked = { state: 'NEEDS_OPERATOR', lookups: misses(LATE_MS) } as const;
  const policy = { lookupCheck: proven(LATE_MS + 5) };
  const at = LATE_MS + 6;

  it('the question is withdrawn once lookups are verified, if it had no other reason', () => {
    const reason = 'LOOKUP_UNPROVEN';
    expect(verify({ ...asked, reason }, at, policy)).toEqual({ kind: 'withdraw' });
    expect(verify({ ...asked, reason: 'CREATED_NOT_FOUND' }, at, policy)).toEqual({
      kind: 'asked',
    });
  });

  it('a stop leaves the question open', () => {
    const stopped = { ...policy, stopping: true };
    expect(verify({ ...asked, reason: 'LOOKUP_UNPROVEN' }, at, stopped)).toEqual({ kind: 'asked' });
  });
});

describe('a send that the store lacks', () => {
  it('counts from the first use of the store by this clock', () => {
    const record = { attempts: [attempt('PENDING')], lookups: [] };
    const restore = { ...RESTORE, seen: { clock: 'a', ms: 50_000 } };
    const seen = withForgottenSend(record, restore);
    expect(elapsedMsAt(seen, { clock: 'a', ms: 53_000 })).toBe(3_000);
    expect(elapsedMsAt(seen, { clock: 'b', ms: 53_000 })).toBe(0);
  });

  it('does not count where the store has a later attempt', () => {
    const later = attempt('PENDING', { timestampMs: T0 + 1, begun: { clock: 'ours', ms: 9_000 } });
    const seen = withForgottenSend({ attempts: [later], lookups: [] }, RESTORE);
    expect(elapsedMsAt(seen, { clock: 'ours', ms: 10_000 })).toBe(1_000);
  });

  it('that is found after misses beyond its fence contradicts them', () => {
    const lookups = [...misses(LATE_MS), lookup('found', LATE_MS + 5)];
    const record = { attempts: [], lookups };
    expect(wasFoundAfterMiss(withForgottenSend(record, RESTORE), POLICY)).toBe(true);
    expect(wasFoundAfterMiss(record, POLICY)).toBe(false);
  });
});

it('nothing is verified by lookups without enough misses beyond the fence of the moment in which the copy came', () => {
  const anyLookup = fc.record({
    kind: fc.constantFrom<Lookup['result']>('missed', 'missed', 'failed', 'unavailable'),
    afterMs: fc.integer({ min: 0, max: 600_000 }),
    epoch: fc.constantFrom(1, 2, 2, 2),
  });
  fc.assert(
    fc.property(
      fc.array(anyLookup, { maxLength: 12 }),
      fc.constantFrom<Attempt['outcome']>('PENDING', 'NOT_SENT', 'AMBIGUOUS', 'THROTTLED'),
      fc.constantFrom<SendPolicy['resend']>('auto', 'fenced', 'operator'),
      fc.boolean(),
      (drafts, outcome, resend, stopping) => {
        const lookups = drafts
          .map(({ kind, afterMs, epoch }) => lookup(kind, afterMs, { epoch, attempts: 1 }))
          .sort((a, b) => a.atMs - b.atMs);
        const nowMs = 600_001;
        const record = { attempts: [attempt(outcome)], lookups };
        const policy = { resend, stopping, lookupCheck: proven(nowMs) };
        const command = verify({ ...record, state: 'SENDING' }, nowMs, policy);
        if (command.kind !== 'verified') return;
        const seen = withForgottenSend(record, RESTORE);
        const beyond = seen.lookups.filter(
          (one) => one.result === 'missed' && wasBeyondFence(one, seen, POLICY),
        );
        expect(beyond.length).toBeGreaterThanOrEqual(MISSES_MIN);
        expect(resend).not.toBe('operator');
      },
    ),
    { numRuns: 2_000 },
  );
});
