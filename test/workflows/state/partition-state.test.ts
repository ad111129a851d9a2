import { describe, expect, it } from '@jest/globals';
import { type ChunkPosition, freshSnapshot } from '../../../src/domain/batch/partition-board.ts';
import type { Hold } from '../../../src/domain/holds/hold.ts';
import {
  applyToPartition,
  firstReadsDue,
  groupCount,
  hasGoneOn,
  hintedChunks,
  isCalled,
  isFirstPollDue,
  isHoldReported,
  isNewlyStopped,
  nextFirstReadAtMs,
  partitionAtStart,
  type PartitionEvent,
  type PartitionRunState,
  polledChunks,
  sendingCount,
} from '../../../src/workflows/state/partition-state.ts';
import {
  isConfirmationChanged,
  isOperatorNeedChanged,
  operatorChunks,
  partitionProgress,
  partitionSnapshot,
  partitionStatus,
} from '../../../src/workflows/state/partition-report.ts';

const START = partitionAtStart(freshSnapshot(0, 3));

const after = (...events: PartitionEvent[]): PartitionRunState =>
  events.reduce(applyToPartition, START);

const moved = (
  chunk: number,
  to: ChunkPosition,
  { inDoubt = false, atMs = 0 } = {},
): PartitionEvent => ({ kind: 'moved', chunks: [chunk], to, inDoubt, atMs });
const swept = (
  read: number[],
  alarmed: number[],
  { unread = [] as number[], unconfirmed = [] as number[] } = {},
): PartitionEvent => ({ kind: 'swept', read, unread, alarmed, unconfirmed });
const HINT: PartitionEvent = { kind: 'hinted', chunks: [0, 1] };
const STOP: PartitionEvent = { kind: 'stopped', reason: 'canceled' };
const SEND: PartitionEvent = { kind: 'send-began', chunk: 0 };
const GROUP: PartitionEvent = { kind: 'group-began', chunks: [0, 1] };

describe('hints', () => {
  it.each<[string, PartitionEvent[], number[]]>([
    ['for chunks that are not created wait', [HINT], []],
    ['for open chunks are read', [HINT, moved(1, 'open')], [1]],
    ['are read once', [HINT, moved(1, 'open'), { kind: 'hints-taken' }], []],
    [
      'for a chunk that is being sent are kept for it',
      [HINT, { kind: 'hints-taken' }, moved(0, 'open')],
      [0],
    ],
    [
      'for a chunk at its end are dropped',
      [HINT, moved(1, 'settled'), { kind: 'hints-taken' }, moved(1, 'open')],
      [],
    ],
  ])('%s', (_what, events, hinted) => {
    expect(hintedChunks(after(...events))).toEqual(hinted);
  });

  it('a hint and an answer are two calls, and each counts once', () => {
    const take: PartitionEvent = { kind: 'call-taken', chunk: 0 };
    const called = [HINT, { kind: 'answered', chunk: 0 } as const];
    const calls = [[], [take], [take, take]].map((takes) =>
      isCalled(after(...called, ...takes), 0),
    );
    expect(calls).toEqual([true, true, false]);
  });
});

describe('a chunk that is held', () => {
  it.each<[string, PartitionEvent[], boolean]>([
    ['waits', [SEND], false],
    ['waits when the batch went on before its send began', [{ kind: 'resumed' }, SEND], false],
    ['goes on when the batch goes on', [SEND, { kind: 'resumed' }], true],
    ['goes on when the batch is stopped', [SEND, STOP], true],
  ])('%s', (_what, events, goesOn) => {
    expect(hasGoneOn(after(...events), 0)).toBe(goesOn);
  });
});

describe('a chunk that waits for an operator', () => {
  it.each<[string, PartitionEvent[], boolean]>([
    ['waits', [SEND], false],
    ['goes on when the batch is stopped after its send began', [SEND, STOP], true],
    ['waits when its send began after the stop', [STOP, SEND], false],
  ])('%s', (_what, events, goesOn) => {
    expect(isNewlyStopped(after(...events), 0)).toBe(goesOn);
  });
});

describe('the signal of a partition to a new run of its batch', () => {
  it.each<[string, PartitionEvent[], PartitionEvent, boolean]>([
    ['a chunk that waits for an operator', [], moved(0, 'needsOperator'), true],
    ['a second one', [moved(0, 'needsOperator')], moved(1, 'needsOperator'), true],
    ['one that waits no more', [moved(0, 'needsOperator')], moved(0, 'pending'), true],
    [
      'no chunk that waits as before',
      [moved(0, 'needsOperator')],
      moved(0, 'needsOperator'),
      false,
    ],
    ['no other move', [], moved(0, 'open'), false],
    ['the first alarm', [], swept([0, 1], [0]), true],
    ['no further alarm', [swept([0], [0])], swept([1], [1]), false],
    ['no end of one alarm of two', [swept([0, 1], [0, 1])], swept([0], []), false],
    ['the end of the last alarm', [swept([0, 1], [0])], swept([0], []), true],
  ])('%s', (_what, events, event, isChanged) => {
    const before = after(...events);
    expect(isOperatorNeedChanged(before, applyToPartition(before, event))).toBe(isChanged);
  });

  it('has the chunks that wait for an operator, and alarms, with the additions of a signal', () => {
    const state = after(moved(2, 'needsOperator'), swept([0], [0]));
    expect(operatorChunks(state)).toEqual([2, 0]);
    const input = { partition: 7 } as Parameters<typeof partitionProgress>[0];
    expect(partitionProgress(input, state, { sent: true })).toEqual({
      partition: 7,
      sent: true,
      halt: null,
      needsOperator: [2, 0],
      unconfirmed: 0,
    });
  });
});

describe('a mass payout that waits for a confirmation', () => {
  const waiting = swept([0, 1], [], { unconfirmed: [0, 1] });

  it.each<[string, PartitionEvent[], PartitionEvent, boolean]>([
    ['the first one', [], waiting, true],
    ['no further one', [waiting], swept([2], [], { unconfirmed: [2] }), false],
    ['no end of one of two', [waiting], swept([0], []), false],
    ['the end of the last one', [waiting], swept([0, 1], []), true],
    ['no read that failed', [waiting], swept([0, 1], [], { unread: [0, 1] }), false],
  ])('is signaled to the batch: %s', (_what, events, event, isChanged) => {
    const before = after(...events);
    expect(isConfirmationChanged(before, applyToPartition(before, event))).toBe(isChanged);
  });

  it('is known to the next run', () => {
    const next = partitionAtStart(partitionSnapshot(after(waiting)));
    expect([...next.unconfirmed]).toEqual([0, 1]);
    expect(partitionSnapshot(after(waiting, swept([0, 1], [])))).not.toHaveProperty('unconfirmed');
  });
});

it('a stop keeps its first reason, in the status and for the next run', () => {
  const state = after(STOP, { kind: 'stopped', reason: 'refused' });
  expect([partitionStatus(state).stopped, partitionSnapshot(state).stopped]).toEqual([
    'canceled',
    'canceled',
  ]);
});

it.each<[string, PartitionEvent[], number]>([
  ['nothing is sent', [], 0],
  ['a create is on its way', [SEND], 1],
  ['a create may have arrived', [SEND, moved(0, 'pending', { inDoubt: true })], 1],
  ['a create did not arrive', [SEND, moved(0, 'pending')], 0],
  ['a mass payout is there', [SEND, moved(0, 'open', { inDoubt: true })], 0],
])('chunks are counted as being sent: %s', (_what, events, count) => {
  expect(sendingCount(after(...events))).toBe(count);
});

it.each<[string, PartitionEvent[], number]>([
  ['no group is sent', [], 0],
  ['a group is sent', [GROUP], 2],
  ['a webhook moves one of its chunks', [GROUP, moved(0, 'open')], 1],
  ['the group has ended', [GROUP, { kind: 'group-ended' }], 0],
])('chunks are counted as those of a group: %s', (_what, events, count) => {
  const state = after(...events);
  expect([groupCount(state), sendingCount(state)]).toEqual([count, 0]);
});

it('a chunk of a group that is held waits until the batch goes on, as a chunk that is sent by itself', () => {
  const held = [GROUP, { kind: 'group-ended' } as const, moved(1, 'pending')];
  expect(hasGoneOn(after({ kind: 'resumed' }, ...held), 1)).toBe(false);
  expect(hasGoneOn(after(...held, { kind: 'resumed' }), 1)).toBe(true);
});

describe('the first read of a mass payout', () => {
  const MIN_MS = 5_000;
  const learning = (...events: PartitionEvent[]): PartitionRunState =>
    events.reduce(applyToPartition, partitionAtStart(freshSnapshot(0, 3), true));
  const created = (chunk: number, atMs: number) => moved(chunk, 'open', { atMs });
  const timed = (settled: number[], open: number[], atMs: number): PartitionEvent[] => [
    { kind: 'timed-reads', settled, open, atMs, bounds: { minMs: MIN_MS, maxMs: 300_000 } },
    swept([...settled, ...open], []),
  ];
  const due = (state: PartitionRunState, nowMs: number) => firstReadsDue(state, nowMs, MIN_MS);
  const next = (state: PartitionRunState) => nextFirstReadAtMs(state, MIN_MS);

  it('is that of the oldest one alone, before anything is known of the service', () => {
    const sent = [created(0, 1_000), created(1, 2_000)];
    const state = learning(...sent);
    expect([due(state, 5_999), due(state, 9_000), next(state)]).toEqual([[], [0], 6_000]);
    expect(due(learning(...sent, { kind: 'all-sent' }), 2_000)).toEqual([0]);
    expect(isFirstPollDue(learning({ kind: 'all-sent' }))).toBe(false);
  });

  it('of the others follows at once where the oldest is at its end', () => {
    const sent = [created(0, 1_000), created(1, 2_000), created(2, 2_000)];
    const state = learning(...sent, ...timed([0], [], 3_000), moved(0, 'settled'));
    expect(due(state, 3_000)).toEqual([1, 2]);
  });

  it('of the others waits while the oldest is on its way, and polls leave them alone', () => {
    const state = learning(created(0, 1_000), created(1, 2_000), ...timed([], [0], 6_000));
    expect([due(state, 11_999), due(state, 12_000)]).toEqual([[], [1]]);
    expect(polledChunks(state)).toEqual([0]);
  });

  it('is not due for a chunk that a webhook named before', () => {
    const state = learning(created(0, 1_000), swept([0], []));
    expect([next(state), polledChunks(state)]).toEqual([Infinity, [0]]);
  });

  it('is not due for a chunk at its end', () => {
    expect(next(learning(created(0, 1_000), moved(0, 'settled')))).toBe(Infinity);
  });

  it('is not learnt in a partition of an older worker', () => {
    const state = after(created(0, 1_000), ...timed([], [0], 6_000));
    expect([state.firstReads, due(state, 1e15), polledChunks(state)]).toEqual([null, [], [0]]);
  });
});

it.each<[PartitionEvent[], boolean]>([
  [[], false],
  [[{ kind: 'all-sent' }], true],
  [[{ kind: 'all-sent' }, { kind: 'polled' }], false],
])('the first poll is due once, when everything was sent (%#)', (events, isDue) => {
  expect(isFirstPollDue(after(...events))).toBe(isDue);
});

it('a hold is reported once, and another one of the same number too', () => {
  const hold = { n: 1, since: 'a' } as Hold;
  const state = after({ kind: 'hold-reported', hold });
  expect([hold, { ...hold, since: 'b' }].map((one) => isHoldReported(state, one))).toEqual([
    true,
    false,
  ]);
});

it('a partition keeps how far the verification was at its last signal, until everything is sent', () => {
  const progress = { verified: 3, total: 50 };
  const verifying: PartitionEvent = { kind: 'verifying', progress };
  expect(after(verifying).verifying).toEqual(progress);
  expect(after(verifying, { kind: 'all-sent' }).verifying).toBeNull();
});
