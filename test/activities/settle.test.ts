import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { LOOKS_PER_SWEEP_MAX } from '../../src/activities/settle.ts';
import { refused } from '../support/fake-service.ts';
import {
  KEY,
  named,
  type OpenChunk,
  openChunk,
  POLL_MAX_MS,
  recordOf,
} from './support/open-chunk.ts';

let open: OpenChunk;
afterEach(() => open.store.close());

const SETTLED = { settled: [0], moved: [], unread: [], unsent: [] };
const MOVED = { settled: [], moved: [0], unread: [], unsent: [] };
const UNSENT = { settled: [], moved: [], unread: [], unsent: [0] };

/** Has the mass payout end as PARTIAL and name these rows, whose own records say these states. */
async function partial(rowCount: number, states: readonly string[]): Promise<void> {
  open = await openChunk(rowCount);
  open.world.payout = {
    ...open.world.payout,
    state: 'PARTIAL',
    withdrawalErrors: states.map((_, nth) => named(nth)),
  };
  say(states);
}

function say(states: readonly string[]): void {
  for (const [nth, state] of states.entries()) open.world.records.set(...recordOf(nth, state));
}

describe('a mass payout that names more withdrawals than one sweep looks up', () => {
  const count = LOOKS_PER_SWEEP_MAX + 200;
  const failed = Array.from({ length: count }, () => 'FAILED');

  it('is looked through in several sweeps, each withdrawal once, and judged when all were seen', async () => {
    await partial(count + 1, failed);
    expect(await open.sweep()).toEqual(MOVED);
    expect(open.world.asked).toHaveLength(LOOKS_PER_SWEEP_MAX);
    expect(new Set(await open.outcomes())).toEqual(new Set(['IN_FLIGHT']));
    open.world.nowMs += 10 * POLL_MAX_MS;
    expect(await open.sweep()).toEqual(SETTLED);
    expect(new Set(open.world.asked).size).toBe(count);
    expect(open.world.asked).toHaveLength(count);
    expect(await open.outcomes()).toEqual([...failed, 'PAID']);
  });

  it('waits for the withdrawals that were not asked for yet, however long ago it ended', async () => {
    await partial(count + 1, failed);
    open.world.fail = () => refused(503);
    await open.sweep();
    open.world.nowMs += 10 * POLL_MAX_MS;
    open.world.fail = undefined;
    expect(await open.sweep()).toEqual(MOVED);
    expect(await open.sweep()).toEqual(SETTLED);
    expect(await open.outcomes()).toEqual([...failed, 'PAID']);
  });
});

it('a sweep that dies goes on from what it had learnt', async () => {
  const failed = Array.from({ length: 60 }, () => 'FAILED');
  await partial(60, failed);
  open.world.fail = () =>
    open.world.asked.length > 40 ? new Error('the worker is gone') : undefined;
  await expect(open.sweep()).rejects.toThrow('the worker is gone');
  const before = new Set(open.world.asked);
  const lost = before.size - (await open.looks()).size;
  expect(lost).toBeLessThanOrEqual(4);
  open.world.asked = [];
  open.world.fail = undefined;
  expect(await open.sweep()).toEqual(SETTLED);
  expect(open.world.asked).toHaveLength(60 - before.size + lost);
  expect(await open.outcomes()).toEqual(failed);
});

describe('what a look told', () => {
  it('is not lost when a later look gets no answer', async () => {
    await partial(3, ['FAILED', 'IN_PROGRESS']);
    expect(await open.sweep()).toEqual(MOVED);
    open.world.fail = () => refused(503);
    open.world.nowMs += POLL_MAX_MS;
    expect(await open.sweep()).toEqual(SETTLED);
    expect(open.world.asked).toEqual(['w0', 'w1', 'w1']);
    expect(await open.outcomes()).toEqual(['FAILED', 'UNKNOWN', 'PAID']);
  });

  it('does not count any more once the mass payout calls the withdrawal resolved', async () => {
    await partial(3, ['FAILED', 'IN_PROGRESS']);
    await open.sweep();
    open.world.payout = { ...open.world.payout, withdrawalErrors: [named(0, true), named(1)] };
    say(['COMPLETED', 'COMPLETED']);
    expect(await open.sweep()).toEqual(SETTLED);
    expect(await open.outcomes()).toEqual(['PAID', 'PAID', 'PAID']);
  });

  it('does not count any more once the mass payout was on its way again', async () => {
    await partial(3, ['FAILED', 'IN_PROGRESS']);
    await open.sweep();
    const ended = open.world.payout;
    open.world.payout = { ...ended, state: 'IN_PROGRESS' };
    expect(await open.sweep()).toEqual(MOVED);
    open.world.payout = ended;
    say(['COMPLETED', 'FAILED']);
    expect(await open.sweep()).toEqual(SETTLED);
    expect(await open.outcomes()).toEqual(['PAID', 'FAILED', 'PAID']);
  });

  it('stands while the service only words its messages anew', async () => {
    await partial(3, ['FAILED', 'IN_PROGRESS']);
    await open.sweep();
    const errors = [{ errorResolved: false, errorMessage: 'declined, told for the 2nd time' }];
    open.world.payout = {
      ...open.world.payout,
      withdrawalErrors: [{ withdrawalId: 'w0', errors }, named(1)],
    };
    say(['FAILED', 'COMPLETED']);
    expect(await open.sweep()).toEqual(SETTLED);
    expect(open.world.asked).toEqual(['w0', 'w1', 'w1']);
    expect(await open.outcomes()).toEqual(['FAILED', 'PAID', 'PAID']);
  });

  it('is forgotten when the verdict is final, and the end is one that nobody can change', async () => {
    await partial(2, ['IN_PROGRESS']);
    await open.sweep();
    open.world.payout = { ...open.world.payout, state: 'COMPLETED' };
    say(['FAILED']);
    expect(await open.sweep()).toEqual(SETTLED);
    expect((await open.looks()).size).toBe(0);
    expect(await open.outcomes()).toEqual(['FAILED', 'PAID']);
  });
});

describe('a mass payout whose end people can change in the interface of the service', () => {
  beforeEach(async () => {
    await partial(3, ['FAILED', 'FAILED']);
    await open.sweep();
    expect(await open.outcomes()).toEqual(['FAILED', 'FAILED', 'PAID']);
    open.world.asked = [];
  });

  it('is PAID once all of it was sent again and is COMPLETED', async () => {
    open.world.payout = {
      ...open.world.payout,
      state: 'COMPLETED',
      withdrawalErrors: [named(0, true), named(1, true)],
    };
    expect(await open.sweep()).toEqual(SETTLED);
    expect(await open.outcomes()).toEqual(['PAID', 'PAID', 'PAID']);
    expect((await open.looks()).size).toBe(0);
  });

  it('is followed to its new end while it is on its way again', async () => {
    const ended = open.world.payout;
    open.world.payout = { ...ended, state: 'IN_PROGRESS' };
    expect(await open.sweep()).toEqual(MOVED);
    expect((await open.chunk()).massState).toBe('IN_PROGRESS');
    expect(await open.outcomes()).toEqual(['IN_FLIGHT', 'IN_FLIGHT', 'IN_FLIGHT']);
    open.world.payout = { ...ended, withdrawalErrors: [named(0, true), named(1)] };
    say(['COMPLETED', 'FAILED']);
    expect(await open.sweep()).toEqual(SETTLED);
    expect(await open.outcomes()).toEqual(['PAID', 'FAILED', 'PAID']);
  });

  it('is judged anew when only some of its withdrawals are resolved', async () => {
    open.world.payout = { ...open.world.payout, withdrawalErrors: [named(0, true), named(1)] };
    say(['COMPLETED', 'FAILED']);
    expect(await open.sweep()).toEqual(SETTLED);
    expect(await open.outcomes()).toEqual(['PAID', 'FAILED', 'PAID']);
    expect(open.world.asked.sort()).toEqual(['w0', 'w1']);
  });

  it('stays as it is, and nothing is asked again, while it says the same', async () => {
    const before = await open.chunk();
    expect(await open.sweep()).toEqual(SETTLED);
    expect(open.world.asked).toEqual([]);
    expect(await open.chunk()).toEqual(before);
  });

  it('stays as it is when nobody answers, or for another mass payout', async () => {
    open.world.refuse = refused(503);
    expect(await open.sweep()).toEqual(SETTLED);
    open.world.refuse = undefined;
    open.world.payout = { ...open.world.payout, state: 'COMPLETED', currency: 'BTC' };
    expect(await open.sweep()).toEqual(SETTLED);
    expect(await open.outcomes()).toEqual(['FAILED', 'FAILED', 'PAID']);
  });

  it('is no worse off for a crash between the two writes', async () => {
    await open.store.settlements.reopen({ batchId: 'b', chunk: 0 });
    expect(await open.outcomes()).toEqual(['IN_FLIGHT', 'IN_FLIGHT', 'IN_FLIGHT']);
    expect(await open.sweep()).toEqual(SETTLED);
    expect(await open.outcomes()).toEqual(['FAILED', 'FAILED', 'PAID']);
  });
});

it.each([
  ['COMPLETED', 'PAID'],
  ['CANCELED', 'NOT_SENT'],
])('%s is an end that is not read again', async (state, outcome) => {
  open = await openChunk(1);
  open.world.payout = { ...open.world.payout, state };
  await open.sweep();
  open.world.payout = { ...open.world.payout, state: 'FAILED' };
  expect(await open.sweep()).toEqual(SETTLED);
  expect(open.world.reads).toBe(1);
  expect(await open.outcomes()).toEqual([outcome]);
});

it.each([
  ['COMPLETED', [], 'PAID'],
  ['FAILED', [named(0, true)], 'UNKNOWN'],
])('FAILED that turns into %s with %j is judged anew', async (state, withdrawalErrors, outcome) => {
  open = await openChunk(1);
  open.world.payout = { ...open.world.payout, state: 'FAILED' };
  await open.sweep();
  expect(await open.outcomes()).toEqual(['FAILED']);
  open.world.payout = { ...open.world.payout, state, withdrawalErrors };
  expect(await open.sweep()).toEqual(SETTLED);
  expect(await open.outcomes()).toEqual([outcome]);
});

it('what stays unclear is waited for, asked for once more, and then called unknown', async () => {
  await partial(3, ['FAILED', 'IN_PROGRESS']);
  await open.sweep();
  open.world.nowMs += POLL_MAX_MS - 1;
  expect(await open.sweep()).toEqual(MOVED);
  open.world.nowMs += 1;
  expect(await open.sweep()).toEqual(SETTLED);
  expect(open.world.asked).toEqual(['w0', 'w1', 'w1', 'w1']);
  expect(await open.outcomes()).toEqual(['FAILED', 'UNKNOWN', 'PAID']);
});

describe('an id that reads back as another mass payout', () => {
  it.each([
    { idempotencyKey: 'd4e11352-398d-4399-8728-f0d5730c20a7' },
    { account: '0x00000000000000000000000000000000000000ff' },
    { currency: 'BTC' },
    { externalId: 'somebody/0/0' },
  ])('by its %j is handed to the send activity, and says nothing of our rows', async (other) => {
    open = await openChunk(2);
    open.world.payout = { ...open.world.payout, state: 'COMPLETED', ...other };
    expect(await open.sweep()).toEqual(UNSENT);
    expect(await open.outcomes()).toEqual(['IN_FLIGHT', 'IN_FLIGHT']);
    const { payout } = await open.store.sends.record(open.ref);
    expect(payout?.differences).toHaveLength(1);
  });

  it('stays with the send activity while a person is asked', async () => {
    open = await openChunk(2);
    await open.store.sends.setNeedsOperator(open.ref, 'PAYOUT_DIFFERS', 1);
    open.world.payout = { ...open.world.payout, state: 'COMPLETED' };
    expect(await open.sweep()).toEqual(UNSENT);
    expect(await open.outcomes()).toEqual(['IN_FLIGHT', 'IN_FLIGHT']);
  });

  it('is settled all the same when a person adopted it under its own key', async () => {
    open = await openChunk(2);
    const key = 'd4e11352-398d-4399-8728-f0d5730c20a7';
    open.world.payout = { ...open.world.payout, state: 'COMPLETED', idempotencyKey: key };
    await open.store.sends.setAnswer(open.ref, { kind: 'adopt', massPayoutId: 'mp', atMs: 1 });
    expect(await open.sweep()).toEqual(SETTLED);
    expect(await open.outcomes()).toEqual(['PAID', 'PAID']);
  });

  it('is no matter of letters: keys and accounts may come in capitals', async () => {
    open = await openChunk(2);
    open.world.payout = {
      ...open.world.payout,
      state: 'COMPLETED',
      idempotencyKey: KEY.toUpperCase(),
    };
    expect(await open.sweep()).toEqual(SETTLED);
  });
});
