import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { LOOKUPS_PER_SWEEP_MAX, SWEEP_MS_MAX } from '../../../src/activities/settle/settle.ts';
import { REOPENED_MAX } from '../../../src/domain/lineage/follow.ts';
import {
  OPEN_MS_MAX,
  REFUSED_MS_MAX,
  STILL_MS_MAX,
} from '../../../src/domain/settling/payout-times.ts';
import type { UnreadableParts } from '@bursar/merchant-api';
import { refused } from '../../support/fake-service.ts';
import {
  KEY,
  named,
  type OpenChunk,
  openChunk,
  POLL_MAX_MS,
  recordOf,
} from '../support/open-chunk.ts';

let open: OpenChunk;
afterEach(() => open.store.close());

const DIFFERS = { attempts: 0, from: 'CREATED', reason: 'PAYOUT_DIFFERS' } as const;
const SETTLED = { settled: [0], moved: [], unread: [], unsent: [] };
const MOVED = { settled: [], moved: [0], unread: [], unsent: [] };
const UNREAD = { settled: [], moved: [], unread: [0], unsent: [] };
const NOTHING = { settled: [], moved: [], unread: [], unsent: [] };
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

describe('a mass payout that names more withdrawals than one sweep reads', () => {
  const count = LOOKUPS_PER_SWEEP_MAX + 200;
  const failed = Array.from({ length: count }, () => 'FAILED');

  it('is read in several sweeps, each withdrawal once, and judged after the last one', async () => {
    await partial(count + 1, failed);
    expect(await open.sweep()).toEqual(MOVED);
    expect(open.world.asked).toHaveLength(LOOKUPS_PER_SWEEP_MAX);
    expect(new Set(await open.outcomes())).toEqual(new Set(['IN_FLIGHT']));
    open.world.nowMs += 10 * POLL_MAX_MS;
    expect(await open.sweep()).toEqual(SETTLED);
    expect(new Set(open.world.asked).size).toBe(count);
    expect(open.world.asked).toHaveLength(count);
    expect(await open.outcomes()).toEqual([...failed, 'PAID']);
  });

  it('waits for the withdrawals that are not read yet, however long ago it ended', async () => {
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

it('a sweep names the chunks at their ends, whose report lines can be written', async () => {
  await partial(2, ['FAILED']);
  open.world.payout = { ...open.world.payout, state: 'IN_PROGRESS' };
  await open.sweep();
  open.world.payout = { ...open.world.payout, state: 'PARTIAL' };
  expect(await open.sweep()).toEqual(SETTLED);
  expect(open.world.followed).toEqual([
    ['b', []],
    ['b', [0]],
  ]);
});

it('a sweep that dies continues from the withdrawals that it stored', async () => {
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

describe('the answer of a withdrawal lookup', () => {
  it('is kept when a later lookup gets no answer', async () => {
    await partial(3, ['FAILED', 'IN_PROGRESS']);
    expect(await open.sweep()).toEqual(MOVED);
    open.world.fail = () => refused(503);
    open.world.nowMs += POLL_MAX_MS;
    expect(await open.sweep()).toEqual(SETTLED);
    expect(open.world.asked).toEqual(['w0', 'w1', 'w1']);
    expect(await open.outcomes()).toEqual(['FAILED', 'UNKNOWN', 'PAID']);
  });

  it('counts no more once the mass payout marks the withdrawal as resolved', async () => {
    await partial(3, ['FAILED', 'IN_PROGRESS']);
    await open.sweep();
    open.world.payout = { ...open.world.payout, withdrawalErrors: [named(0, true), named(1)] };
    say(['COMPLETED', 'COMPLETED']);
    expect(await open.sweep()).toEqual(SETTLED);
    expect(await open.outcomes()).toEqual(['PAID', 'PAID', 'PAID']);
  });

  it('counts no more once the mass payout was on its way again', async () => {
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

  it('stays while only the messages of the service change', async () => {
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

  it('is forgotten when the outcomes are final', async () => {
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
    expect(await open.outcomes()).toEqual(['IN_FLIGHT', 'IN_FLIGHT', 'PAID']);
    open.world.payout = { ...ended, withdrawalErrors: [named(0, true), named(1)] };
    say(['COMPLETED', 'FAILED']);
    expect(await open.sweep()).toEqual(SETTLED);
    expect(await open.outcomes()).toEqual(['PAID', 'FAILED', 'PAID']);
  });

  it('is judged again when only some of its withdrawals are resolved', async () => {
    open.world.payout = { ...open.world.payout, withdrawalErrors: [named(0, true), named(1)] };
    say(['COMPLETED', 'FAILED']);
    expect(await open.sweep()).toEqual(SETTLED);
    expect(await open.outcomes()).toEqual(['PAID', 'FAILED', 'PAID']);
    expect(open.world.asked.sort()).toEqual(['w0', 'w1']);
  });

  it('stays as it is, without more reads, while its state is the same', async () => {
    const before = await open.chunk();
    expect(await open.sweep()).toEqual(SETTLED);
    expect(open.world.asked).toEqual([]);
    expect(await open.chunk()).toEqual(before);
  });

  it.each([
    ['the service does not answer', refused(503), 3],
    ['the service does not have it any more', refused(404), 0],
  ])('stays as it is when %s', async (_what, error, pauses) => {
    open.world.refuse = error;
    expect(await open.sweep()).toEqual(SETTLED);
    expect(open.world.pauses).toHaveLength(pauses);
    expect(await open.outcomes()).toEqual(['FAILED', 'FAILED', 'PAID']);
  });

  it('is read again after a short absence of the service, before its state counts as unchanged', async () => {
    open.world.refuse = refused(429);
    open.world.refusals = 2;
    open.world.payout = {
      ...open.world.payout,
      state: 'COMPLETED',
      withdrawalErrors: [],
      unreadableParts: [],
    };
    expect(await open.sweep()).toEqual(SETTLED);
    expect(await open.outcomes()).toEqual(['PAID', 'PAID', 'PAID']);
  });

  it('stays as it is for another mass payout', async () => {
    open.world.payout = { ...open.world.payout, state: 'COMPLETED', currency: 'BTC' };
    expect(await open.sweep()).toEqual(SETTLED);
    expect(await open.outcomes()).toEqual(['FAILED', 'FAILED', 'PAID']);
  });

  it('is followed when it is FAILED in one read and not in the next', async () => {
    const ended = open.world.payout;
    open.world.payout = { ...ended, state: 'FAILED' };
    open.world.whileReading = () => {
      open.world.payout = { ...ended, state: 'IN_PROGRESS' };
      return Promise.resolve();
    };
    expect(await open.sweep()).toEqual(MOVED);
    expect(await open.outcomes()).toEqual(['IN_FLIGHT', 'IN_FLIGHT', 'PAID']);
  });

  it('is left to the sweep that took it back first: a slower one writes nothing', async () => {
    const ended = open.world.payout;
    open.world.payout = { ...ended, state: 'IN_PROGRESS' };
    open.world.whileReading = async () => {
      open.world.whileReading = undefined;
      open.world.payout = {
        ...ended,
        state: 'COMPLETED',
        withdrawalErrors: [],
        unreadableParts: [],
      };
      expect(await open.sweep()).toEqual(SETTLED);
    };
    expect(await open.sweep()).toEqual(SETTLED);
    expect(await open.outcomes()).toEqual(['PAID', 'PAID', 'PAID']);
  });

  it('keeps the result of the last sweep, though a slower one read an earlier state', async () => {
    const ended = open.world.payout;
    open.world.payout = { ...ended, state: 'IN_PROGRESS' };
    await open.sweep();
    open.world.payout = ended;
    open.world.whileReading = async () => {
      open.world.whileReading = undefined;
      // Another sweep sees it end, be sent again, and be on its way: the read that is under way is of the past.
      await open.sweep();
      open.world.payout = { ...ended, state: 'IN_PROGRESS' };
      await open.sweep();
    };
    expect(await open.sweep()).toEqual(NOTHING);
    expect(await open.outcomes()).toEqual(['IN_FLIGHT', 'IN_FLIGHT', 'PAID']);
  });

  it('does not change any more once the batch is over', async () => {
    await open.store.batches.end('b', { state: 'PARTIAL', atMs: 1, error: null });
    open.world.payout = { ...open.world.payout, state: 'IN_PROGRESS' };
    expect(await open.sweep()).toEqual(SETTLED);
    expect(await open.outcomes()).toEqual(['FAILED', 'FAILED', 'PAID']);
  });

  it('is UNKNOWN forever when it never stops changing, so that the batch ends', async () => {
    const ended = open.world.payout;
    for (let i = 0; i <= REOPENED_MAX; i += 1) {
      open.world.payout = { ...ended, state: 'IN_PROGRESS' };
      expect(await open.sweep()).toEqual(i < REOPENED_MAX ? MOVED : SETTLED);
      open.world.payout = ended;
      expect(await open.sweep()).toEqual(SETTLED);
    }
    expect(await open.outcomes()).toEqual(['UNKNOWN', 'UNKNOWN', 'UNKNOWN']);
    const { reads } = open.world;
    await open.sweep();
    expect(open.world.reads).toBe(reads);
  });

  it.each(['FAILED', 'CANCELED'])(
    'leaves no PAID row to resend when it is %s in later reads',
    async (state) => {
      const ended = open.world.payout;
      open.world.payout = { ...ended, state, withdrawalErrors: [named(0), named(1), named(2)] };
      say(['FAILED', 'FAILED', 'FAILED']);
      const unpaid = state === 'FAILED' ? 'FAILED' : 'NOT_SENT';
      expect(await open.sweep()).toEqual(SETTLED);
      expect(await open.outcomes()).toEqual([unpaid, unpaid, 'UNKNOWN']);
      open.world.payout = { ...open.world.payout, state: 'IN_PROGRESS' };
      await open.sweep();
      open.world.payout = { ...open.world.payout, state };
      await open.sweep();
      expect((await open.outcomes())[2]).toBe('UNKNOWN');
    },
  );

  it('is refused by the store as an outcome that makes a PAID row unpaid', async () => {
    const meanwhile = { defaultOutcome: { outcome: 'IN_FLIGHT', reason: '' }, rows: [] } as const;
    const at = { batchId: 'b', chunk: 0 };
    await expect(open.store.settlements.reopen(at, 0, meanwhile)).rejects.toThrow('paid rows');
    expect(await open.outcomes()).toEqual(['FAILED', 'FAILED', 'PAID']);
  });

  it('is not read when a sweep has used its time: the stored outcomes stay', async () => {
    open.world.whileReading = undefined;
    const times = [0, SWEEP_MS_MAX];
    const nowMs = () => times.shift() ?? SWEEP_MS_MAX;
    open.world.payout = { ...open.world.payout, state: 'COMPLETED' };
    expect(await open.sweepAt(nowMs)).toEqual(SETTLED);
    expect(await open.outcomes()).toEqual(['FAILED', 'FAILED', 'PAID']);
  });

  it('survives a crash between the two writes', async () => {
    const at = { batchId: 'b', chunk: 0 };
    const paid = { chunk: 0, row: 4, outcome: 'PAID', reason: '', amount: '1' } as const;
    const meanwhile = {
      defaultOutcome: { outcome: 'IN_FLIGHT', reason: '' },
      rows: [paid],
    } as const;
    expect(await open.store.settlements.reopen(at, 0, meanwhile)).toBe(true);
    expect(await open.store.settlements.reopen(at, 0, meanwhile)).toBe(false);
    expect(await open.outcomes()).toEqual(['IN_FLIGHT', 'IN_FLIGHT', 'PAID']);
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
])(
  'FAILED that turns into %s with %j is judged again',
  async (state, withdrawalErrors, outcome) => {
    open = await openChunk(1);
    open.world.payout = { ...open.world.payout, state: 'FAILED' };
    await open.sweep();
    expect(await open.outcomes()).toEqual(['FAILED']);
    open.world.payout = { ...open.world.payout, state, withdrawalErrors };
    expect(await open.sweep()).toEqual(SETTLED);
    expect(await open.outcomes()).toEqual([outcome]);
  },
);

it('COMPLETED with failed rows may change too, when people send them again', async () => {
  await partial(2, ['FAILED']);
  open.world.payout = { ...open.world.payout, state: 'COMPLETED' };
  await open.sweep();
  expect(await open.outcomes()).toEqual(['FAILED', 'PAID']);
  open.world.payout = { ...open.world.payout, withdrawalErrors: [named(0, true)] };
  expect(await open.sweep()).toEqual(SETTLED);
  expect(await open.outcomes()).toEqual(['PAID', 'PAID']);
});

it('a mass payout that waits for a confirmation is named while it waits', async () => {
  open = await openChunk(1);
  open.world.payout = { ...open.world.payout, state: 'PENDING_CONFIRMATION' };
  expect(await open.sweep()).toMatchObject({ unconfirmed: [0] });
  expect(await open.sweep()).toMatchObject({ unconfirmed: [0] });
  open.world.payout = { ...open.world.payout, state: 'CONFIRMED' };
  expect(await open.sweep()).not.toHaveProperty('unconfirmed');
});

it('an end without LOOKUP is judged once, and stays', async () => {
  open = await openChunk(2, ['LOOKUP']);
  open.world.payout = { ...open.world.payout, state: 'PARTIAL', withdrawalErrors: [named(0)] };
  await open.sweep();
  const before = await open.chunk();
  expect(before).toMatchObject({ final: true, defaultOutcome: 'UNKNOWN' });
  expect(await open.sweep()).toEqual(SETTLED);
  expect(await open.chunk()).toEqual(before);
});

describe('a mass payout is notified', () => {
  beforeEach(async () => {
    open = await openChunk(1);
  });
  const state = (next: string): void => {
    open.world.payout = { ...open.world.payout, state: next };
  };
  const later = (ms: number): void => {
    open.world.nowMs += ms;
  };

  it.each([
    ['the service does not answer', refused(503)],
    ['the service does not have it', refused(404)],
  ])('that cannot be read for long, since %s; it is read again, and then ends', async (_, e) => {
    await open.sweep();
    open.world.refuse = e;
    const sinceMs = open.world.nowMs;
    expect(await open.sweep()).toEqual(UNREAD);
    later(STILL_MS_MAX - 1);
    expect(await open.alarms()).toBe(false);
    later(1);
    expect(await open.alarms()).toBe(true);
    const flag = { attentionReason: 'NOT_READABLE', attentionSinceMs: sinceMs, state: 'CREATED' };
    expect(await open.chunk()).toMatchObject(flag);
    open.world.refuse = undefined;
    expect(await open.alarms()).toBe(false);
    expect(await open.chunk()).toMatchObject({ attentionReason: null, attentionSinceMs: null });
  });

  it('that the service has refused to show since its create, after a minute', async () => {
    open.world.refuse = refused(400);
    const sinceMs = open.world.nowMs;
    expect(await open.sweep()).toEqual(UNREAD);
    later(REFUSED_MS_MAX - 1);
    expect(await open.alarms()).toBe(false);
    later(1);
    expect(await open.alarms()).toBe(true);
    const flag = { attentionReason: 'NEVER_READ', attentionSinceMs: sinceMs, state: 'CREATED' };
    expect(await open.chunk()).toMatchObject(flag);
    open.world.refuse = undefined;
    expect(await open.alarms()).toBe(false);
  });

  it.each(['PENDING_CONFIRMATION', 'WAITING_COMPLETION_ERRORS', 'A_STATE_OF_TOMORROW'])(
    'that stays in %s for long, and no more once it moves on',
    async (name) => {
      state(name);
      await open.sweep();
      const sinceMs = open.world.nowMs;
      later(STILL_MS_MAX);
      expect(await open.alarms()).toBe(true);
      const flag = { attentionReason: 'STANDS_STILL', attentionSinceMs: sinceMs };
      expect(await open.chunk()).toMatchObject(flag);
      state('IN_PROGRESS');
      expect(await open.alarms()).toBe(false);
      expect(await open.outcomes()).toEqual(['IN_FLIGHT']);
    },
  );

  it('that changes its state forever, or not at all, and never ends', async () => {
    for (let hours = 0; hours < 24; hours += 1) {
      state(hours % 2 === 0 ? 'IN_PROGRESS' : 'WAITING_COMPLETION_ERRORS');
      expect(await open.alarms()).toBe(false);
      later(OPEN_MS_MAX / 24);
    }
    state('IN_PROGRESS');
    expect(await open.alarms()).toBe(true);
    expect((await open.chunk()).attentionReason).toBe('OVERDUE');
    state('COMPLETED');
    expect(await open.alarms()).toBe(false);
    expect((await open.chunk()).attentionReason).toBeNull();
  });
});

it('an unclear outcome is waited for, read again, and then UNKNOWN', async () => {
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
  ])('by its %j goes back to the send activity, and changes no row', async (other) => {
    open = await openChunk(2);
    open.world.payout = { ...open.world.payout, state: 'COMPLETED', ...other };
    expect(await open.sweep()).toEqual(UNSENT);
    expect(await open.outcomes()).toEqual(['IN_FLIGHT', 'IN_FLIGHT']);
    const { payout } = await open.store.sends.record(open.ref);
    expect(payout?.differences).toHaveLength(1);
  });

  it('stays with the send activity while it needs an operator', async () => {
    open = await openChunk(2);
    await open.store.settlements.disown(open.ref, ['currency is BTC']);
    expect(await open.store.sends.setNeedsOperator(open.ref, DIFFERS, 1)).toBe(true);
    open.world.payout = { ...open.world.payout, state: 'COMPLETED' };
    expect(await open.sweep()).toEqual(UNSENT);
    expect(await open.outcomes()).toEqual(['IN_FLIGHT', 'IN_FLIGHT']);
  });

  it('is settled when a person adopted it under its own key', async () => {
    open = await openChunk(2);
    const key = 'd4e11352-398d-4399-8728-f0d5730c20a7';
    open.world.payout = { ...open.world.payout, state: 'COMPLETED', idempotencyKey: key };
    const payout = { id: 'mp', state: 'CONFIRMED', fee: null, differences: [] };
    await open.store.settlements.disown(open.ref, ['idempotencyKey is another']);
    expect(await open.store.sends.setNeedsOperator(open.ref, DIFFERS, 1)).toBe(true);
    await open.store.sends.setAnswer(open.ref, { kind: 'adopt', massPayoutId: 'mp', atMs: 1 });
    await open.store.sends.setPayout(open.ref, payout);
    expect(await open.sweep()).toEqual(SETTLED);
    expect(await open.outcomes()).toEqual(['PAID', 'PAID']);
  });

  it('is compared without case: keys and accounts may come in capitals', async () => {
    open = await openChunk(2);
    open.world.payout = {
      ...open.world.payout,
      state: 'COMPLETED',
      idempotencyKey: KEY.toUpperCase(),
    };
    expect(await open.sweep()).toEqual(SETTLED);
  });
});

describe('an answer of which a part cannot be read', () => {
  const NO_ID = { path: 'errors.withdrawalErrors.1.withdrawalId', problem: 'is missing' };
  const ODD_COMMENT = { path: 'comment', problem: 'is not text' };

  /** Has the mass payout end with the first row named as failed, and with these odd parts. */
  async function ended(state: string, ...unreadableParts: UnreadableParts): Promise<void> {
    await partial(3, ['FAILED']);
    open.world.payout = { ...open.world.payout, state, unreadableParts };
  }

  it('holds the rows that are not named until patience is over, and asks nobody', async () => {
    await ended('PARTIAL', NO_ID);
    expect(await open.sweep()).toEqual(MOVED);
    expect(await open.outcomes()).toEqual(['IN_FLIGHT', 'IN_FLIGHT', 'IN_FLIGHT']);
    open.world.nowMs += POLL_MAX_MS;
    expect(await open.sweep()).toEqual(SETTLED);
    expect(await open.outcomes()).toEqual(['FAILED', 'UNKNOWN', 'UNKNOWN']);
    expect((await open.chunk()).defaultReason).toContain(NO_ID.path);
    expect((await open.chunk()).state).toBe('CREATED');
  });

  it('holds nobody once a later read brings all of it', async () => {
    await ended('PARTIAL', NO_ID);
    await open.sweep();
    open.world.payout = { ...open.world.payout, unreadableParts: [] };
    expect(await open.sweep()).toEqual(SETTLED);
    expect(await open.outcomes()).toEqual(['FAILED', 'PAID', 'PAID']);
  });

  it('is read again after its end while the batch is open: then the rows have their outcomes', async () => {
    await ended('PARTIAL', NO_ID);
    await open.sweep();
    open.world.nowMs += POLL_MAX_MS;
    await open.sweep();
    open.world.payout = { ...open.world.payout, unreadableParts: [] };
    expect(await open.sweep()).toEqual(SETTLED);
    expect(await open.outcomes()).toEqual(['FAILED', 'PAID', 'PAID']);
  });

  it('changes no end that an earlier read has shown', async () => {
    await ended('PARTIAL');
    expect(await open.sweep()).toEqual(SETTLED);
    open.world.payout = { ...open.world.payout, unreadableParts: [NO_ID] };
    expect(await open.sweep()).toEqual(SETTLED);
    expect(await open.outcomes()).toEqual(['FAILED', 'PAID', 'PAID']);
  });

  it.each(['COMPLETED', 'CANCELED', 'FAILED'])(
    'leaves no row of a mass payout in state %s paid or unpaid without a name',
    async (state) => {
      open = await openChunk(3);
      const unreadableParts = [{ path: 'errors', problem: 'is not a record' }];
      open.world.payout = { ...open.world.payout, state, unreadableParts };
      await open.sweep();
      open.world.nowMs += POLL_MAX_MS;
      expect(await open.sweep()).toEqual(SETTLED);
      expect(await open.outcomes()).toEqual(['UNKNOWN', 'UNKNOWN', 'UNKNOWN']);
    },
  );

  it('holds no row when it is the comment', async () => {
    await ended('PARTIAL', ODD_COMMENT);
    expect(await open.sweep()).toEqual(SETTLED);
    expect(await open.outcomes()).toEqual(['FAILED', 'PAID', 'PAID']);
  });

  it.each(['account', 'currency', 'idempotencyKey', 'externalId'])(
    'asks nobody about the mass payout when it is the %s',
    async (path) => {
      await ended('PARTIAL', { path, problem: 'is not text' });
      expect(await open.sweep()).toEqual(SETTLED);
      expect(await open.outcomes()).toEqual(['FAILED', 'PAID', 'PAID']);
    },
  );

  it('does not stop a mass payout that is on its way', async () => {
    await ended('IN_PROGRESS', NO_ID, ODD_COMMENT);
    expect(await open.sweep()).toEqual(MOVED);
    open.world.payout = {
      ...open.world.payout,
      state: 'COMPLETED',
      withdrawalErrors: [],
      unreadableParts: [],
    };
    expect(await open.sweep()).toEqual(SETTLED);
    expect(await open.outcomes()).toEqual(['PAID', 'PAID', 'PAID']);
  });
});
