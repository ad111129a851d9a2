import { describe, expect, it } from '@jest/globals';
import {
  BATCH_STATES,
  type BatchState,
  type EndState,
  END_STATES,
  isEndState,
  mayMove,
} from '../../../src/domain/batch/batch-state.ts';
import { type ChunkState, isOpenChunk } from '../../../src/domain/batch/chunk-state.ts';
import type { BalanceCheck } from '../../../src/domain/funds/balance-check.ts';
import { type Doubts, endStateOf } from '../../../src/domain/report/end-state.ts';
import type { RowCounts } from '../../../src/domain/report/totals.ts';

describe('the states of a batch', () => {
  it.each(END_STATES)('%s is an end that nothing follows', (state) => {
    expect(isEndState(state)).toBe(true);
    expect(BATCH_STATES.filter((next) => mayMove(state, next))).toEqual([]);
  });

  it('every open state leads to a report, directly or through others', () => {
    for (const state of BATCH_STATES.filter((s: BatchState) => !isEndState(s))) {
      const reached = new Set<BatchState>([state]);
      for (const from of reached) {
        for (const to of BATCH_STATES) if (mayMove(from, to)) reached.add(to);
      }
      expect([state, reached.has('REPORTING') || state === 'REPORTING']).toEqual([state, true]);
    }
  });

  it('money moves only after the balance was checked, or when it had begun to move before', () => {
    expect(BATCH_STATES.filter((from) => mayMove(from, 'PAYING'))).toEqual([
      'PLANNED',
      'CHECKING_FUNDS',
    ]);
  });
});

describe('a chunk', () => {
  it.each<{ state: ChunkState; final: boolean; open: boolean }>`
    state               | final    | open
    ${'PLANNED'}        | ${false} | ${false}
    ${'SENDING'}        | ${false} | ${true}
    ${'CREATED'}        | ${false} | ${true}
    ${'CREATED'}        | ${true}  | ${false}
    ${'NEEDS_OPERATOR'} | ${false} | ${true}
    ${'REJECTED'}       | ${true}  | ${false}
    ${'ABANDONED'}      | ${true}  | ${false}
    ${'NOT_SENT'}       | ${true}  | ${false}
  `('that is $state, final $final, is open: $open', ({ state, final, open }) => {
    expect(isOpenChunk(state, final)).toBe(open);
  });
});

describe('the end of a batch follows from its rows alone', () => {
  it.each<Omit<RowCounts, 'total' | 'inFlight'> & { canceled: boolean; end: EndState }>`
    paid  | failed | unknown | notSent | canceled | end
    ${10} | ${0}   | ${0}    | ${0}    | ${false} | ${'COMPLETED'}
    ${10} | ${0}   | ${0}    | ${0}    | ${true}  | ${'COMPLETED'}
    ${9}  | ${1}   | ${0}    | ${0}    | ${false} | ${'PARTIAL'}
    ${9}  | ${0}   | ${0}    | ${1}    | ${false} | ${'PARTIAL'}
    ${9}  | ${0}   | ${0}    | ${1}    | ${true}  | ${'CANCELED'}
    ${0}  | ${0}   | ${0}    | ${10}   | ${true}  | ${'CANCELED'}
    ${0}  | ${10}  | ${0}    | ${0}    | ${false} | ${'FAILED'}
    ${0}  | ${4}   | ${0}    | ${6}    | ${false} | ${'FAILED'}
    ${0}  | ${9}   | ${1}    | ${0}    | ${false} | ${'PARTIAL'}
  `('$paid paid, $failed failed, $unknown unknown, $notSent not sent: $end', (given) => {
    const { canceled, end, ...counts } = given;
    expect(endStateOf({ total: 10, inFlight: 0, ...counts }, canceled)).toBe(end);
  });

  const allPaid: RowCounts = {
    total: 10,
    paid: 10,
    failed: 0,
    unknown: 0,
    notSent: 0,
    inFlight: 0,
  };
  const balance = (result: BalanceCheck['result']): BalanceCheck => ({
    result,
    because: null,
    lines: [],
    accepted: [{ by: 'ann', reason: 'a card fee', at: '2026-11-21T09:00:00Z' }],
  });

  it.each<[what: string, doubts: Doubts, end: string]>([
    ['a second mass payout of one chunk', { isTwice: true }, 'PARTIAL'],
    ['a difference that a person accepted', { balance: balance('differs') }, 'PARTIAL'],
    ['an explained balance', { balance: balance('explained') }, 'COMPLETED'],
    ['a balance that proves nothing', { balance: balance('not-checkable') }, 'COMPLETED'],
  ])('all rows paid, with %s', (_what, doubts, end) => {
    expect(endStateOf(allPaid, false, doubts)).toBe(end);
  });
});
