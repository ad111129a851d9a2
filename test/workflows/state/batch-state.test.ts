import { describe, expect, it } from '@jest/globals';
import type { PartitionProgress } from '../../../src/contract/partition.ts';
import type { BatchState } from '../../../src/domain/batch/batch-state.ts';
import { stopReasonOf } from '../../../src/domain/batch/stop-reason.ts';
import {
  type BatchEvent,
  batchStatus,
  hasSent,
  openPartitions,
  operatorChunksOf,
  type PartitionPosition,
} from '../../../src/workflows/state/batch-state.ts';
import { ACT, entered, LATER_MS, START_MS, stateAfter } from '../support/batch-events.ts';

const moved = (partition: number, to: PartitionPosition): BatchEvent => ({
  kind: 'partition-moved',
  partition,
  to,
});
const progressed = (partition: number, more: Partial<PartitionProgress> = {}): BatchEvent => ({
  kind: 'progressed',
  progress: { partition, sent: false, halt: null, needsOperator: [], ...more },
});
const CANCEL: BatchEvent = { kind: 'canceled', act: ACT };
const judged = (by: string): BatchEvent => ({
  kind: 'judged',
  approval: null,
  refused: { by, reason: 'no' },
});

describe('the state of a batch', () => {
  it.each<[string, BatchState, number]>([
    ['is newer when another one is entered', 'PLANNED', LATER_MS],
    ['keeps its time when it is entered again', 'INGESTING', START_MS],
  ])('%s', (_what, to, sinceMs) => {
    expect(batchStatus(stateAfter(entered(to)))).toMatchObject({
      state: to,
      note: `enters ${to}`,
      since: new Date(sinceMs).toISOString(),
    });
  });

  it.each<[BatchState, object]>([
    ['AWAITING_FUNDS', { short: [{ currency: 'TRX', amount: '5' }] }],
    ['CHECKING_FUNDS', {}],
  ])('in %s the status has the missing amounts: %o', (state, short) => {
    const figures = { short: [{ currency: 'TRX', amount: '5' }] };
    const status = batchStatus(stateAfter({ kind: 'figures-came', figures }, entered(state)));
    expect('short' in status ? { short: status.short } : {}).toEqual(short);
  });

  it.each<[BatchState, string | undefined]>([
    ['AWAITING_FUNDS', '2026-11-23T09:00:00.000Z'],
    ['CHECKING_FUNDS', undefined],
  ])('in %s the status has the end of the wait for a top-up: %s', (state, fundsUntil) => {
    const figures = { fundsUntil: '2026-11-23T09:00:00.000Z' };
    const status = batchStatus(stateAfter({ kind: 'figures-came', figures }, entered(state)));
    expect(status.fundsUntil).toBe(fundsUntil);
  });

  it('figures that come later are added to those before', () => {
    const first: BatchEvent = { kind: 'figures-came', figures: { rows: 1, outlook: 'enough' } };
    const second: BatchEvent = { kind: 'figures-came', figures: { rows: 2 } };
    expect(stateAfter(first, second).figures).toEqual({ rows: 2, outlook: 'enough' });
  });
});

describe('a partition', () => {
  it.each<[string, BatchEvent[], boolean, number[]]>([
    ['that started', [moved(0, 'started')], false, [0]],
    ['that sent everything', [moved(0, 'started'), progressed(0, { sent: true })], true, [0]],
    ['whose signal came before its start', [progressed(0, { sent: true })], true, [0]],
    [
      'that sent, and starts again',
      [progressed(0, { sent: true }), moved(0, 'started')],
      true,
      [0],
    ],
    ['that is settled', [moved(0, 'settled')], true, []],
    [
      'whose signal comes after its end',
      [moved(0, 'settled'), progressed(0, { sent: true })],
      true,
      [],
    ],
  ])('%s', (_what, events, isSent, open) => {
    const state = stateAfter(...events);
    expect([hasSent(state, 0), openPartitions(state)]).toEqual([isSent, open]);
  });

  it('is counted by its position', () => {
    const state = stateAfter(
      { kind: 'partitions-planned', total: 4 },
      moved(0, 'settled'),
      moved(1, 'sent'),
      moved(2, 'started'),
    );
    expect(batchStatus(state).partitions).toEqual({ total: 4, started: 3, sent: 2, settled: 1 });
  });

  it('names its chunks that need an operator until it is settled', () => {
    const named = [
      progressed(0, { needsOperator: [3] }),
      progressed(1, { needsOperator: [104] }),
      progressed(0, { needsOperator: [3, 4] }),
    ];
    expect(operatorChunksOf(stateAfter(...named))).toEqual([3, 4, 104]);
    expect(operatorChunksOf(stateAfter(...named, moved(0, 'settled')))).toEqual([104]);
  });
});

describe('a batch of which payments wait for a confirmation at the service', () => {
  const waits = progressed(0, { unconfirmed: 2 });

  it.each<[string, BatchEvent[], true | undefined]>([
    ['shows it', [waits], true],
    ['shows it while one partition waits', [waits, progressed(1, { unconfirmed: 0 })], true],
    [
      'shows nothing once all were confirmed',
      [waits, progressed(0, { unconfirmed: 0 })],
      undefined,
    ],
    ['shows nothing once its partition is settled', [waits, moved(0, 'settled')], undefined],
    ['shows nothing by a signal of an older worker', [progressed(0)], undefined],
  ])('%s', (_what, events, isUnconfirmed) => {
    expect(batchStatus(stateAfter(...events)).isUnconfirmed).toBe(isUnconfirmed);
  });
});

it('a batch shows how far its verification is, until the partition that verifies has sent everything', () => {
  const verifying = { verified: 3, total: 50 };
  const waits = [progressed(0, { verifying }), progressed(0, { needsOperator: [3] })];
  expect(batchStatus(stateAfter(...waits)).verifying).toEqual(verifying);
  const sent = progressed(0, { sent: true });
  expect(batchStatus(stateAfter(...waits, sent))).not.toHaveProperty('verifying');
});

describe('a batch sends nothing more', () => {
  it.each<[string, BatchEvent[], string | null, string | null]>([
    ['unless it is stopped', [], null, null],
    ['when a person cancels it', [CANCEL], 'canceled by ann: it is fine', 'ann'],
    ['when an approver refuses it', [judged('bob')], 'refused by bob: no', 'bob'],
    ['when a partition halts', [progressed(0, { halt: 'rejected' })], 'rejected', null],
    [
      'for the first halt of two',
      [progressed(0, { halt: 'rejected' }), progressed(1, { halt: 'given up' })],
      'rejected',
      null,
    ],
    [
      'for the cancel, after any other event',
      [progressed(0, { halt: 'rejected' }), judged('bob'), CANCEL],
      'canceled by ann: it is fine',
      'ann',
    ],
    [
      'for the first of two refusals',
      [judged('bob'), judged('carol')],
      'refused by bob: no',
      'bob',
    ],
    [
      'for the cancel that the store has',
      [
        { kind: 'cancel-read', canceled: ACT },
        { kind: 'cancel-read', canceled: null },
      ],
      'canceled by ann: it is fine',
      'ann',
    ],
  ])('%s', (_what, events, reason, canceledBy) => {
    const state = stateAfter(...events);
    expect([stopReasonOf(state), batchStatus(state).canceledBy]).toEqual([reason, canceledBy]);
  });
});

it('a signal about funds counts until the next check of the funds', () => {
  const has = (...events: BatchEvent[]): boolean => stateAfter(...events).hasFundsSignal;
  const signal: BatchEvent = { kind: 'funds-signaled' };
  expect([has(), has(signal), has(signal, { kind: 'funds-asked' })]).toEqual([false, true, false]);
});
