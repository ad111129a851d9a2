import type { Connection } from '../../src/store/database/db.ts';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createForwarder, type Forwarder } from '../../src/bridge/forwarder.ts';
import { createFundsSignalQueue, FUNDS_GAP_MS_MIN } from '../../src/bridge/funds-signal-queue.ts';
import { MATCH_WINDOW_MS } from '../../src/bridge/matcher.ts';
import type { SignalResult } from '../../src/bridge/signal-queue.ts';
import type { Hint } from '../../src/contract/messages.ts';
import { EVENT_TYPES_OF_GROUP, EVENT_TYPES, FUNDING_EVENT_TYPES } from '@bursar/merchant-api/spec';
import { createFundStore } from '../../src/store/funds/claims.ts';
import { createRoutes } from '../../src/store/webhooks/routes.ts';
import { createSpool, type Spool } from '../../src/store/webhooks/spool.ts';
import { openTestSqlite } from '../support/test-database.ts';
import {
  createFakeClock,
  createFakeLog,
  insertChunks,
  keyOf,
  START_MS,
} from './support/bridge-fakes.ts';
import { accessTo } from '../../src/store/database/decide.ts';

const ACCOUNT = '0x5a4db0c500000000000000000000000000000001';
const DAY_MS = 86_400_000;
const CHUNK = { batchId: 'paying', chunk: 0, massPayoutId: 'mass-0' };

let db: Connection;
let spool: Spool;
let clock: ReturnType<typeof createFakeClock>;
let forwarder: Forwarder;
/** Ids of workflows that received a signal, in order. A signal to a partition ends with `hint`. */
let signals: string[];
/** The result that the fake Temporal returns. */
let answer: (workflowId: string) => SignalResult;

const away = (): never => {
  throw new Error('14 UNAVAILABLE');
};

const start = (): Forwarder =>
  createForwarder({
    spool,
    routes: createRoutes(db),
    claims: createFundStore(accessTo(db)),
    account: ACCOUNT,
    clock,
    log: createFakeLog(),
    temporal: {
      async signal(workflowId: string, hint: Hint | null): Promise<SignalResult> {
        const result = answer(workflowId);
        if (result === 'delivered') signals.push(hint === null ? workflowId : `${workflowId} hint`);
        return result;
      },
      ping: async () => void answer(''),
    },
  });

type Claim = Readonly<{ asked?: boolean; granted?: boolean; ended?: boolean }>;

async function addClaim(batchId: string, claim: Claim = {}): Promise<void> {
  const { asked = true, granted = false, ended = false } = claim;
  await db
    .insertInto('claim')
    .values({
      batch_id: batchId,
      account: ACCOUNT,
      due_at_ms: null,
      waiting_since_ms: null,
      asked_at_ms: asked ? START_MS : null,
      granted_at_ms: granted ? START_MS : null,
      freed_at_ms: ended ? START_MS : null,
    })
    .execute();
}

const event = (type: string): string => JSON.stringify({ type, data: { amount: '5' } });
const TOP_UP = event('SETTLEMENT_TOP_UP_COMPLETED');

const receive = (...texts: string[]): Promise<number[]> =>
  Promise.all(texts.map((text) => spool.append(Buffer.from(text), clock.nowMs())));

/** Advances the clock, with a pass each quarter of a second like the forwarder's own loop. */
async function pass(ms: number): Promise<void> {
  for (let passedMs = 0; passedMs < ms; passedMs += 250) {
    clock.advance(250);
    await forwarder.forwardOnce();
  }
}

async function states(): Promise<Record<string, number>> {
  const rows = await db.selectFrom('spool').select('state').execute();
  const count: Record<string, number> = {};
  for (const { state } of rows) count[state] = (count[state] ?? 0) + 1;
  return count;
}

beforeEach(async () => {
  db = await openTestSqlite();
  await insertChunks(db, [CHUNK]);
  spool = createSpool(accessTo(db));
  clock = createFakeClock();
  signals = [];
  answer = () => 'delivered';
  forwarder = start();
});
afterEach(() => db.destroy());

describe('a batch that waits for money', () => {
  beforeEach(() => addClaim('waiting'));

  it.each([...FUNDING_EVENT_TYPES, 'WALLET_SOMETHING_NEW', 'TOP_UP_SEEN'])(
    'gets a signal for the event %s',
    async (type) => {
      await receive(event(type));
      await forwarder.forwardOnce();
      expect(signals).toEqual(['batch/waiting']);
      expect(await states()).toEqual({ FORWARDED: 1 });
    },
  );

  const OTHERS = EVENT_TYPES.filter(
    (type) => !(FUNDING_EVENT_TYPES as readonly string[]).includes(type),
  );

  it.each([...OTHERS, 'wallet_id', 'MY_WALLET_X', 'WALLET_', ''])(
    'gets no signal for the event "%s"',
    async (type) => {
      await receive(event(type));
      await forwarder.forwardOnce();
      expect(signals).toEqual([]);
    },
  );

  it('gets signals for all event types of wallets and deposits', () => {
    const { WALLET, SETTLEMENT_WALLET, FIAT_DEPOSIT } = EVENT_TYPES_OF_GROUP;
    expect(FUNDING_EVENT_TYPES).toEqual(
      expect.arrayContaining([...WALLET, ...SETTLEMENT_WALLET, ...FIAT_DEPOSIT]),
    );
  });

  it('gets a signal for a webhook that names the account and no possible chunk', async () => {
    await receive(`money for ${ACCOUNT.toUpperCase()}`);
    await forwarder.forwardOnce();
    expect(signals).toEqual(['batch/waiting']);
  });

  it('gets a signal for a webhook with the account and an id that is unknown after a minute', async () => {
    await receive(JSON.stringify({ account: ACCOUNT, id: 'nobody' }));
    await pass(MATCH_WINDOW_MS - 250);
    expect(signals).toEqual([]);
    await pass(2_250);
    expect(signals).toEqual(['batch/waiting']);
  });

  it('gets no signal for a webhook that names a chunk', async () => {
    await receive(JSON.stringify({ type: 'WALLET_X', account: ACCOUNT, id: keyOf(CHUNK) }));
    await forwarder.forwardOnce();
    expect(signals).toEqual(['batch/paying/p0 hint']);
  });

  it('gets a second signal, at the end of the gap, for a webhook after the first signal', async () => {
    await receive(TOP_UP);
    await forwarder.forwardOnce();
    await receive(TOP_UP);
    await pass(FUNDS_GAP_MS_MIN - 250);
    expect([signals.length, await states()]).toEqual([1, { FORWARDED: 1, WAITING: 1 }]);
    await pass(250);
    expect([signals.length, await states()]).toEqual([2, { FORWARDED: 2 }]);
  });

  it('gets at most one signal in ten seconds in a flood, of which two webhooks stay in the spool', async () => {
    for (let second = 0; second < 30; second += 1) {
      await receive(...Array.from({ length: 300 }, () => TOP_UP));
      await pass(1_000);
    }
    expect(signals).toHaveLength(3);
    expect((await states())['WAITING']).toBe(2);
    await pass(2 * FUNDS_GAP_MS_MIN);
    expect([signals.length, await states()]).toEqual([5, { FORWARDED: 9_000 }]);
  });

  it('gets its signal when Temporal is back, and until then the webhook waits on disk', async () => {
    answer = away;
    await receive(TOP_UP);
    await pass(60_000);
    await receive(TOP_UP);
    await pass(5_000);
    expect((await states())['WAITING']).toBeGreaterThan(0);
    forwarder = start();
    answer = () => 'delivered';
    await pass(10_000);
    expect(signals).toEqual(['batch/waiting']);
    await pass(FUNDS_GAP_MS_MIN);
    expect((await states())['WAITING']).toBeUndefined();
  });

  it('gets its signal when the signal to another batch fails', async () => {
    await addClaim('stuck');
    answer = (workflowId) => (workflowId === 'batch/stuck' ? away() : 'delivered');
    await receive(TOP_UP);
    await pass(5_000);
    expect([signals, await states()]).toEqual([['batch/waiting'], { WAITING: 1 }]);
    answer = (workflowId) => (workflowId === 'batch/stuck' ? 'gone' : 'delivered');
    await pass(12_000);
    expect([signals, await states()]).toEqual([['batch/waiting'], { FORWARDED: 1 }]);
  });

  it('does not wait longer for its signal when the clock is set back', async () => {
    await receive(TOP_UP);
    await forwarder.forwardOnce();
    clock.advance(-3_600_000);
    await receive(TOP_UP);
    await forwarder.forwardOnce();
    expect(signals).toHaveLength(2);
  });
});

describe('a funding event', () => {
  it('signals only batches that have asked for money and may not pay yet', async () => {
    await addClaim('scheduled', { asked: false });
    await addClaim('granted', { granted: true });
    await addClaim('ended', { ended: true });
    await addClaim('one');
    await addClaim('two');
    await receive(TOP_UP);
    await forwarder.forwardOnce();
    expect(signals.sort()).toEqual(['batch/one', 'batch/two']);
  });

  it.each([['no batch waits'], ['the waiting batch has ended']])(
    'is ignored when %s',
    async (why) => {
      if (why !== 'no batch waits') await addClaim('gone');
      answer = () => 'gone';
      await receive(TOP_UP);
      await forwarder.forwardOnce();
      expect([signals, await states()]).toEqual([[], { IGNORED: 1 }]);
    },
  );

  it('signals a batch that begins to wait after another event was ignored', async () => {
    await receive(TOP_UP);
    await forwarder.forwardOnce();
    await addClaim('late');
    await receive(TOP_UP);
    await forwarder.forwardOnce();
    expect(signals).toEqual(['batch/late']);
  });
});

it('a batch that waits for 90 days gets less than 2,000 signals from events without end', async () => {
  const queue = createFundsSignalQueue({
    waiting: () => Promise.resolve([{ batchId: 'b', askedAtMs: 0 }]),
  });
  let count = 0;
  for (let nowMs = 0; nowMs < 90 * DAY_MS; nowMs += 5_000) {
    queue.add(nowMs);
    await queue.readWaitingBatches();
    for (const { workflowId } of queue.due(nowMs, 16)) {
      queue.complete(workflowId, 'delivered', nowMs);
      count += 1;
    }
  }
  expect(count).toBeGreaterThan(500);
  expect(count).toBeLessThan(2_000);
});
