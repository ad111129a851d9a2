import { describe, expect, it } from '@jest/globals';
import type { BatchInput, BatchResult } from '../../../src/contract/batch.ts';
import {
  approvalWaitEvent,
  endEvent,
  fundsWaitEvent,
  waitingEvents,
} from '../../../src/workflows/state/batch-notifications.ts';
import type { BatchEvent } from '../../../src/workflows/state/batch-state.ts';
import { entered, holdPut, stateAfter } from '../support/batch-events.ts';

const NOTIFIED: BatchEvent = { kind: 'people-notified' };
const needing = (...needsOperator: number[]): BatchEvent => ({
  kind: 'progressed',
  progress: { partition: 0, sent: false, halt: null, needsOperator },
});
const ASKED: BatchEvent = {
  kind: 'judged',
  approval: { subject: 's', missing: ['1 more'], given: [], notGenuine: [] },
  refused: null,
};

describe('people are notified', () => {
  it.each<[string, BatchEvent[], string[]]>([
    ['of nothing where nothing waits', [], []],
    ['of the first chunks that need an operator', [needing(3, 4)], ['chunk 3']],
    ['of no further chunk', [needing(3), NOTIFIED, needing(3, 4)], []],
    [
      'of the next chunk after none was left',
      [needing(3), NOTIFIED, needing(), NOTIFIED, needing(5)],
      ['chunk 5'],
    ],
    ['of each hold', [holdPut(1, 'PAUSE'), holdPut(2, 'CANARY')], ['hold 1', 'hold 2']],
    ['of a hold once', [holdPut(1, 'PAUSE'), NOTIFIED, holdPut(2, 'CANARY')], ['hold 2']],
    [
      'of a hold once, though it comes again after its number was free',
      [
        holdPut(1, 'PAUSE'),
        NOTIFIED,
        { ...holdPut(1, 'PAUSE'), kind: 'hold-lifted' },
        NOTIFIED,
        { kind: 'hold-put', hold: { ...holdPut(1, 'PAUSE').hold, since: '2026-12-01' } },
      ],
      [],
    ],
  ])('%s', (_what, events, keys) => {
    expect(waitingEvents(stateAfter(...events)).map(({ key }) => key)).toEqual(keys);
  });

  it.each<[string, BatchEvent[], string]>([
    ['by any operator where no approval is needed', [holdPut(1, 'CANARY')], 'resume'],
    ['by approvers where their approval is needed', [holdPut(1, 'CANARY'), ASKED], 'approve'],
    ['by any operator when it is a pause', [holdPut(1, 'PAUSE'), ASKED], 'resume'],
  ])('how a hold is lifted: %s', (_what, events, goesOnBy) => {
    expect(waitingEvents(stateAfter(...events))[0]?.data).toMatchObject({ goesOnBy });
  });

  it('of each wait for funds under a key of its own', () => {
    const once = stateAfter(entered('AWAITING_FUNDS'));
    const twice = stateAfter(
      entered('AWAITING_FUNDS'),
      entered('CHECKING_FUNDS'),
      entered('AWAITING_FUNDS'),
    );
    expect(fundsWaitEvent(once)).toEqual({
      event: 'batch.awaiting_funds',
      batchId: 'payroll',
      key: 'funds 1',
      data: { batchId: 'payroll', why: 'enters AWAITING_FUNDS' },
    });
    expect(fundsWaitEvent(twice).key).toBe('funds 2');
  });

  it('of each wait for approvers, and who is missing', () => {
    const asked: BatchEvent = { kind: 'approvers-asked' };
    expect(approvalWaitEvent(stateAfter(asked, asked), ['1 more'])).toMatchObject({
      key: 'approval 2',
      data: { missing: ['1 more'] },
    });
  });

  it.each([
    ['PARTIAL', null, { resendBatchId: 'payroll' }],
    [
      'REJECTED',
      { code: 'FILE_EMPTY', what: 'it is empty' },
      { error: 'FILE_EMPTY', why: 'it is empty' },
    ],
  ] as const)('of the end %s, with the next step', (state, error, data) => {
    const rows = { total: 2, paid: 1, failed: 1, unknown: 0, notSent: 0, inFlight: 0 };
    const amounts = [{ currency: 'TRX', requested: '2', paid: '1' }];
    const result = { state, rows, amounts, error } as unknown as BatchResult;
    const event = endEvent({ batchId: 'payroll', parentBatchId: null } as BatchInput, result);
    expect(event).toMatchObject({
      event: `batch.${state.toLowerCase()}`,
      key: 'end',
      data: { state, paid: 1, amounts: ['1 of 2 TRX'], ...data },
    });
  });
});
