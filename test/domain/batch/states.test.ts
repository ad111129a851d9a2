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
import { createPartitionBoard, freshSnapshot } from '../../../src/domain/batch/partition-board.ts';
import { endStateOf } from '../../../src/domain/report/end-state.ts';
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
});

describe('the board of a partition', () => {
  it('knows where each chunk stands, and is done when nothing is left to send or learn', () => {
    const board = createPartitionBoard(freshSnapshot(100, 3));
    expect(board.counts()).toEqual({
      pending: 3,
      needsOperator: 0,
      open: 0,
      settled: 0,
      notSent: 0,
    });
    board.move(100, 'open');
    board.move(101, 'needsOperator');
    board.move(102, 'notSent');
    expect(board.isDone()).toBe(false);
    expect(board.at('needsOperator')).toEqual([101]);
    board.move(100, 'settled');
    board.move(101, 'settled');
    expect(board.isDone()).toBe(true);
  });

  it('goes on in a new run with what is left, and counts what was done before', () => {
    const board = createPartitionBoard(freshSnapshot(0, 4));
    board.move(0, 'settled');
    board.move(1, 'open');
    board.move(2, 'needsOperator');
    const next = createPartitionBoard(board.snapshot('stopped by hand'));
    expect(next.at('pending')).toEqual([2, 3]);
    expect(next.at('open')).toEqual([1]);
    expect(next.counts().settled).toBe(1);
    expect(board.snapshot('stopped by hand').stopped).toBe('stopped by hand');
  });
});
