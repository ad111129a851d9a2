import { describe, expect, it } from '@jest/globals';
import { noteOf } from '../../../src/domain/errors/bursar-error.ts';
import {
  approvalRefusal,
  endedNote,
  isRefusalRecorded,
  nameIn,
  pauseRefusal,
  refusedApproval,
  stopOfDecisions,
} from '../../../src/workflows/state/batch-refusals.ts';
import type { BatchEvent } from '../../../src/workflows/state/batch-state.ts';
import { approvalBy, NOW_MS, policyOf, SUBJECT } from '../../support/approvers.ts';
import { ACT, entered, holdPut, stateAfter } from '../support/batch-events.ts';

const CANCEL: BatchEvent = { kind: 'canceled', act: ACT };
const PLAN: BatchEvent = {
  kind: 'plan-proposed',
  plan: {
    policy: policyOf(),
    digest: SUBJECT,
    totals: [{ currency: 'USDT_TRC20', total: '1000' }],
  },
};
const BOB = approvalBy('bob');

describe('the acts that a batch still allows', () => {
  it.each<[string, BatchEvent[], string | undefined, string | undefined]>([
    ['that waits', [entered('AWAITING_FUNDS')], undefined, undefined],
    ['that pays', [entered('PAYING')], undefined, undefined],
    ['that has sent everything', [entered('SETTLING')], undefined, 'NOTHING_TO_PAUSE'],
    ['that a person stopped', [entered('PAYING'), CANCEL], undefined, 'BATCH_STOPPED'],
    ['that writes its report', [entered('REPORTING')], 'BATCH_ENDED', 'BATCH_ENDED'],
    ['that is over', [entered('PARTIAL')], 'BATCH_ENDED', 'BATCH_ENDED'],
  ])('%s', (_what, events, ended, pause) => {
    const state = stateAfter(...events);
    expect([endedNote(state)?.code, pauseRefusal(state)?.code]).toEqual([ended, pause]);
  });

  it('they decide about a difference in the balance after a stop too', () => {
    const stopped = [entered('SETTLING'), CANCEL];
    const reasons = [stopped, [...stopped, holdPut(1, 'BALANCE')]].map((events) =>
      stopOfDecisions(stateAfter(...events)),
    );
    expect(reasons).toEqual(['canceled by ann: it is fine', null]);
  });
});

describe('an approval is refused', () => {
  it.each<[string, BatchEvent[], unknown, string | undefined]>([
    ['not when it counts', [PLAN], BOB, undefined],
    ['when no approval is needed', [], BOB, 'APPROVAL_NOT_NEEDED'],
    ['when it cannot be read', [PLAN], {}, 'APPROVAL_UNREADABLE'],
    [
      'when it was recorded',
      [PLAN, { kind: 'approval-recorded', approval: BOB }],
      BOB,
      'APPROVAL_REPEATED',
    ],
    [
      'while it is being recorded',
      [PLAN, { kind: 'approval-came', approval: BOB }],
      BOB,
      'APPROVAL_REPEATED',
    ],
    ['after a stop', [PLAN, CANCEL], BOB, 'BATCH_STOPPED'],
    ['after the end', [PLAN, entered('REPORTING')], BOB, 'BATCH_ENDED'],
  ])('%s', (_what, events, approval, code) => {
    const refusal = approvalRefusal(stateAfter(...events), { approval } as never, NOW_MS);
    expect(refusal?.code).toBe(code);
  });
});

describe('a refused approval is recorded', () => {
  const forged = noteOf('APPROVAL_FORGED', { person: 'bob' });
  const recordedTimes = (times: number): BatchEvent[] =>
    Array.from({ length: times }, () => ({ kind: 'refusal-recorded' }));

  it.each<[string, BatchEvent[], typeof forged, unknown, boolean]>([
    ['when it names a person', [], forged, { approval: BOB }, true],
    ['49 times before', recordedTimes(49), forged, {}, true],
    ['50 times and no more', recordedTimes(50), forged, {}, false],
    ['not when it is long', [], forged, { by: 'x'.repeat(5_000) }, false],
    ['not after the end', [], noteOf('BATCH_ENDED', { batchId: 'b', state: 'FAILED' }), {}, false],
    ['not when it cannot be read', [], noteOf('APPROVAL_UNREADABLE', { field: 'x' }), {}, false],
    ['when it is nothing at all', [], forged, undefined, true],
  ])('%s', (_what, events, note, input, isRecorded) => {
    expect(isRefusalRecorded(stateAfter(...events), note, input)).toBe(isRecorded);
  });

  it.each<[unknown, object]>([
    [
      { approval: BOB, by: 'mallory' },
      { by: 'mallory', person: 'bob', decision: 'approve' },
    ],
    [
      { approval: { person: 7, decision: 'refuse' } },
      { by: null, person: null, decision: 'refuse' },
    ],
    [undefined, { by: null, person: null, decision: 'approve' }],
  ])('with the names that it carries (%#)', (input, record) => {
    expect(refusedApproval(stateAfter(), forged, input as never)).toEqual({
      batchId: 'payroll',
      code: 'APPROVAL_FORGED',
      ...record,
    });
  });

  it('with at most 100 characters of a name', () => {
    expect(nameIn('x'.repeat(101))).toHaveLength(100);
  });
});
