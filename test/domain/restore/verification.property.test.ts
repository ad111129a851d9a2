import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  NOTHING_SENT,
  reduceSend,
  type SendEvent,
  type SendState,
} from '../../../src/domain/sending/reduce.ts';
import type { OperatorAnswer } from '../../../src/domain/sending/send-record.ts';

type Draft = Readonly<{ kind: number; isStale: boolean; isAsked: boolean }>;
const KINDS = 13;

function eventOf({ kind, isStale, isAsked }: Draft, { record, state }: SendState): SendEvent {
  const attempts = isStale ? record.attempts.length + 1 : record.attempts.length;
  const from = state;
  const answers: readonly OperatorAnswer[] = [
    { kind: 'not-created', attempts, atMs: 1 },
    { kind: 'adopt', massPayoutId: 'mp', atMs: 1 },
  ];
  const lookup = { atMs: 1, attempts, result: 'missed' } as const;
  const payout = { id: 'mp', differences: isAsked ? ['total'] : [] };
  const events: readonly SendEvent[] = [
    { kind: 'attempt-began', n: attempts + 1, timestampMs: 1 },
    { kind: 'attempt-ended', end: { n: attempts, outcome: isAsked ? 'AMBIGUOUS' : 'REJECTED' } },
    { kind: 'looked-up', lookup },
    { kind: 'payout-read', payout },
    { kind: 'asked-operator', attempts, from, reason: 'LOOKUP_UNPROVEN' },
    { kind: 'answered', answer: answers[isAsked ? 0 : 1] as OperatorAnswer },
    { kind: 'rejected', attempts, from },
    { kind: 'not-sent', attempts, from },
    { kind: 'question-withdrawn', attempts },
    { kind: 'store-restored' },
    { kind: 'verified', by: isAsked ? 'lookups' : 'refusal', attempts, from },
    { kind: 'lookups-disproven' },
    { kind: 'abandoned' },
  ];
  return events[kind] as SendEvent;
}

const ENDS_BY_US: readonly SendState['state'][] = ['REJECTED', 'NOT_SENT'];

it('after a restore nothing is sent, refused or closed before the chunk is verified or a person has answered', () => {
  const opened = new Set<SendEvent['kind']>();
  const draft = fc.record({
    kind: fc.nat(KINDS - 1),
    isStale: fc.boolean(),
    isAsked: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(draft, { maxLength: 20 }), (drafts) => {
      let send = NOTHING_SENT;
      for (const one of drafts) {
        const event = eventOf(one, send);
        const after = reduceSend(send, event);
        if (after === undefined) continue;
        if (send.verification === 'due') {
          expect(after.record.attempts).toHaveLength(send.record.attempts.length);
          const hasEnded = ENDS_BY_US.includes(after.state) && after.state !== send.state;
          expect(hasEnded).toBe(false);
          if (after.verification !== 'due') opened.add(event.kind);
        }
        send = after;
      }
    }),
    { numRuns: 3_000 },
  );
  expect([...opened].sort()).toEqual(['answered', 'verified']);
});
