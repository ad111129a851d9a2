import { expect, it } from '@jest/globals';
import { CHUNK_STATES } from '../../../src/domain/batch/chunk-state.ts';
import {
  decideSend,
  type SendCommand,
  type SendPolicy,
} from '../../../src/domain/sending/decide.ts';
import type { LookupCheck } from '../../../src/domain/sending/lookups.ts';
import { MISSES_MIN } from '../../../src/domain/sending/evidence.ts';
import {
  isToVerify,
  nextVerification,
  type VerifyCommand,
} from '../../../src/domain/restore/verification.ts';
import { reduceSend, type SendEvent, type SendState } from '../../../src/domain/sending/reduce.ts';
import type { Attempt, Lookup, OperatorAnswer } from '../../../src/domain/sending/send-record.ts';

/*
 * Whatever is known of a chunk, what is decided of it can be written down. If it could not, the same facts would be read again, and the
 * same decided of them, for ever.
 */
const T0 = 1_800_000_000_000;
const NOW_MS = T0 + 3_600_000;

const attempt = (n: number, outcome: Attempt['outcome']): Attempt => ({
  n,
  timestampMs: T0 + n,
  outcome,
  ...(outcome === 'PENDING' ? {} : { endedMs: T0 + n }),
});

const ATTEMPTS: readonly (readonly Attempt[])[] = [
  [],
  [attempt(1, 'VOID')],
  [attempt(1, 'THROTTLED')],
  [attempt(1, 'AMBIGUOUS')],
  [attempt(1, 'REJECTED')],
  [attempt(1, 'AMBIGUOUS'), attempt(2, 'REJECTED')],
  [attempt(1, 'AMBIGUOUS'), attempt(2, 'AMBIGUOUS'), attempt(3, 'PENDING')],
];
const RESULTS = [undefined, 'missed', 'missed often', 'failed', 'unavailable'] as const;
const PAYOUTS = [undefined, [], ['total']] as const;
const REPROOFS: readonly (LookupCheck['result'] | undefined)[] = [
  ...[undefined, 'found', 'missed', 'failed'],
] as never;
const BOTH = [false, true] as const;

const REASONS = ['LOOKUP_UNPROVEN', 'LOOKUP_FAILING', 'TWO_PAYOUTS'] as const;

/** The lookups of which the last one was made just now. */
function lookupsOf(result: (typeof RESULTS)[number], attempts: number): Lookup[] {
  if (result === undefined) return [];
  const isOften = result === 'missed often';
  const count = isOften ? MISSES_MIN : 1;
  return Array.from({ length: count }, (_, i) => {
    const atMs = NOW_MS - 1 - (count - 1 - i) * 4_000;
    const asked = { clock: 'ours', ms: atMs };
    return {
      atMs,
      attempts,
      asked,
      elapsedMs: atMs - T0,
      result: isOften ? 'missed' : result,
    };
  });
}

function* sends(): Generator<SendState> {
  for (const attempts of ATTEMPTS) {
    const answers: readonly (OperatorAnswer | undefined)[] = [
      undefined,
      { kind: 'adopt', massPayoutId: 'mp', atMs: NOW_MS },
      { kind: 'adopt', massPayoutId: 'mp-other', atMs: NOW_MS },
      { kind: 'not-created', attempts: attempts.length, atMs: NOW_MS },
      { kind: 'not-created', attempts: 0, atMs: NOW_MS },
      { kind: 'abandon', atMs: NOW_MS },
    ];
    for (const result of RESULTS) {
      const lookups = lookupsOf(result, attempts.length);
      for (const answer of answers) {
        for (const differences of PAYOUTS) {
          const payout = differences === undefined ? {} : { payout: { id: 'mp', differences } };
          const given = answer === undefined ? {} : { answer };
          const record = { attempts, lookups, ...payout, ...given };
          for (const state of CHUNK_STATES) {
            yield { record, state };
            if (state !== 'NEEDS_OPERATOR') continue;
            for (const reason of REASONS) yield { record, state, reason };
          }
        }
      }
    }
  }
}

/** Whether there can be such a chunk. */
function isPossible({ record: { payout, attempts }, state }: SendState): boolean {
  if (state === 'CREATED') return payout !== undefined;
  if (state === 'REJECTED' && attempts.at(-1)?.outcome !== 'REJECTED') return false;
  return payout === undefined || payout.differences.length > 0 || state === 'ABANDONED';
}

function* policies(): Generator<SendPolicy> {
  const fixed = { timestampWindowMs: 180_000, fenceMarginMs: 60_000, skewMs: 180_000 };
  for (const resend of ['auto', 'fenced', 'operator'] as const) {
    for (const lookupVerified of BOTH) {
      for (const wasCreated of BOTH) {
        for (const stopping of BOTH) {
          for (const result of REPROOFS) {
            const lookupCheck = result === undefined ? undefined : { result, atMs: NOW_MS };
            yield {
              ...fixed,
              lookupLagMs: 0,
              requestTimeoutMs: 0,
              lookupCheck: lookupCheck,
              resend,
              lookupVerified,
              wasCreated,
              stopping,
            };
          }
        }
      }
    }
  }
}

/** What is written down when a command is carried out; undefined when nothing is, or nothing has to be any more. */
function eventOf(
  command: SendCommand | VerifyCommand,
  { record, state }: SendState,
): SendEvent | undefined {
  const attempts = record.attempts.length;
  switch (command.kind) {
    case 'attempt':
      return { kind: 'attempt-began', n: command.n, timestampMs: NOW_MS };
    case 'needs-operator':
      return { kind: 'asked-operator', attempts, from: state, reason: command.reason };
    case 'rejected':
      return state === 'REJECTED' ? undefined : { kind: 'rejected', attempts, from: state };
    case 'closed':
      return state === 'NOT_SENT' ? undefined : { kind: 'not-sent', attempts, from: state };
    case 'withdraw':
      return { kind: 'question-withdrawn', attempts };
    case 'verified':
      return { kind: 'verified', by: command.by, attempts, from: state };
    default:
      return undefined;
  }
}

type Decide = (send: SendState, policy: SendPolicy) => SendCommand | VerifyCommand;

/** The kinds of commands that are decided for chunks, and the decisions that the reducer refuses. */
function decideAll(chunks: Iterable<SendState>, decide: Decide) {
  const kinds = new Set<string>();
  const refused: unknown[] = [];
  const all = [...policies()];
  for (const send of chunks) {
    if (!isPossible(send)) continue;
    for (const policy of all) {
      const command = decide(send, policy);
      kinds.add(command.kind);
      const event = eventOf(command, send);
      if (event !== undefined && reduceSend(send, event) === undefined) {
        refused.push({ send, policy, command });
      }
    }
  }
  return { kinds: [...kinds].sort(), refused: refused.slice(0, 3) };
}

it('each decision about a chunk can be stored, from any facts', () => {
  const decide: Decide = (send, policy) => decideSend(send, policy, NOW_MS);
  expect(decideAll(sends(), decide)).toEqual({
    kinds: [
      ...['abandoned', 'asked', 'attempt', 'closed', 'created', 'lookup', 'needs-operator'],
      ...['verify-lookup', 'read', 'rejected', 'wait', 'withdraw'],
    ].sort(),
    refused: [],
  });
});

/** Chunks of a restored store that must be verified. */
function* sendsToVerify(epoch: number): Generator<SendState> {
  for (const { record, ...rest } of sends()) {
    const lookups = record.lookups.map((lookup) => ({ ...lookup, epoch }));
    const send: SendState = { ...rest, record: { ...record, lookups }, verification: 'due' };
    if (isToVerify(send)) yield send;
  }
}

it('each decision about a chunk of a restored store can be stored too, and is no attempt and no end', () => {
  // The older copy came ten minutes before most lookups, so that some of them count.
  const restore = { epoch: 1, atMs: T0 + 60_000, seen: { clock: 'ours', ms: T0 + 60_000 } };
  const decide: Decide = (send, policy) => nextVerification(send, { restore, policy }, NOW_MS);
  expect(decideAll(sendsToVerify(restore.epoch), decide)).toEqual({
    kinds: [
      ...['abandoned', 'asked', 'lookup', 'needs-operator', 'verify-lookup', 'read'],
      ...['verified', 'wait', 'withdraw'],
    ].sort(),
    refused: [],
  });
});
