import type { Db } from '../../src/store/database/db.ts';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createForwarder, type Forwarder } from '../../src/bridge/forwarder.ts';
import { createFundsBell, FUNDS_GAP_MS_MIN } from '../../src/bridge/funds-bell.ts';
import { MATCH_WINDOW_MS } from '../../src/bridge/matcher.ts';
import type { Told } from '../../src/bridge/outbox.ts';
import type { Hint } from '../../src/contract/messages.ts';
import { EVENT_TYPES_OF_GROUP, EVENT_TYPES, FUNDING_EVENT_TYPES } from '@bursar/merchant-api/spec';
import { createFundStore } from '../../src/store/funds/claims.ts';
import { createRoutes } from '../../src/store/webhooks/routes.ts';
import { createSpool, type Spool } from '../../src/store/webhooks/spool.ts';
import { openSqlite } from '../../src/store/database/sqlite.ts';
import {
  createFakeClock,
  createFakeLog,
  insertChunks,
  keyOf,
  START_MS,
} from './support/bridge-fakes.ts';

const ACCOUNT = '0x5a4db0c500000000000000000000000000000001';
const DAY_MS = 86_400_000;
const CHUNK = { batchId: 'paying', chunk: 0, massPayoutId: 'mass-0' };

let db: Db;
let spool: Spool;
let clock: ReturnType<typeof createFakeClock>;
let forwarder: Forwarder;
/** Workflows that were told, in order; of partitions with the number of chunks. */
let told: string[];
/** What Temporal makes of a signal. */
let answer: (workflowId: string) => Told;

const away = (): never => {
  throw new Error('14 UNAVAILABLE');
};

const start = (): Forwarder =>
  createForwarder({
    spool,
    routes: createRoutes(db),
    claims: createFundStore(db),
    account: ACCOUNT,
    clock,
    log: createFakeLog(),
    temporal: {
      async signal(workflowId: string, hint: Hint | null): Promise<Told> {
        const result = answer(workflowId);
        if (result === 'told') told.push(hint === null ? workflowId : `${workflowId} hint`);
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

/** Lets time pass as the forwarder's own loop would. */
async function pass(ms: number): Promise<void> {
  for (let passedMs = 0; passedMs < ms; passedMs += 250) {
    clock.advance(250);
    await forwarder.round();
  }
}

async function states(): Promise<Record<string, number>> {
  const rows = await db.selectFrom('spool').select('state').execute();
  const count: Record<string, number> = {};
  for (const { state } of rows) count[state] = (count[state] ?? 0) + 1;
  return count;
}

beforeEach(async () => {
  db = await openSqlite('sqlite::memory:');
  await insertChunks(db, [CHUNK]);
  spool = createSpool(db);
  clock = createFakeClock();
  told = [];
  answer = () => 'told';
  forwarder = start();
});
afterEach(() => db.destroy());

describe('a batch that waits for money', () => {
  beforeEach(() => addClaim('waiting'));

  it.each([...FUNDING_EVENT_TYPES, 'WALLET_SOMETHING_NEW', 'TOP_UP_SEEN'])(
    'is told of %s',
    async (type) => {
      await receive(event(type));
      await forwarder.round();
      expect(told).toEqual(['batch/waiting']);
      expect(await states()).toEqual({ FORWARDED: 1 });
    },
  );

  const OTHERS = EVENT_TYPES.filter(
    (type) => !(FUNDING_EVENT_TYPES as readonly string[]).includes(type),
  );

  it.each([...OTHERS, 'wallet_id', 'MY_WALLET_X', 'WALLET_', ''])(
    'is not told of "%s"',
    async (type) => {
      await receive(event(type));
      await forwarder.round();
      expect(told).toEqual([]);
    },
  );

  it('is told of every type of the groups of wallets and deposits', () => {
    const { WALLET, SETTLEMENT_WALLET, FIAT_DEPOSIT } = EVENT_TYPES_OF_GROUP;
    expect(FUNDING_EVENT_TYPES).toEqual(
      expect.arrayContaining([...WALLET, ...SETTLEMENT_WALLET, ...FIAT_DEPOSIT]),
    );
  });

  it('is told of anything that names the account and nothing that may be a chunk', async () => {
    await receive(`money for ${ACCOUNT.toUpperCase()}`);
    await forwarder.round();
    expect(told).toEqual(['batch/waiting']);
  });

  it('is told of what names the account and an id, when nobody knows that id after a minute', async () => {
    await receive(JSON.stringify({ account: ACCOUNT, id: 'nobody' }));
    await pass(MATCH_WINDOW_MS - 250);
    expect(told).toEqual([]);
    await pass(2_250);
    expect(told).toEqual(['batch/waiting']);
  });

  it('is not told of what names a chunk', async () => {
    await receive(JSON.stringify({ type: 'WALLET_X', account: ACCOUNT, id: keyOf(CHUNK) }));
    await forwarder.round();
    expect(told).toEqual(['batch/paying/p0 hint']);
  });

  it('is told again of what came after it was told, at the end of the gap', async () => {
    await receive(TOP_UP);
    await forwarder.round();
    await receive(TOP_UP);
    await pass(FUNDS_GAP_MS_MIN - 250);
    expect([told.length, await states()]).toEqual([1, { FORWARDED: 1, WAITING: 1 }]);
    await pass(250);
    expect([told.length, await states()]).toEqual([2, { FORWARDED: 2 }]);
  });

  it('is told at most once in ten seconds out of a flood, of which two stay in the spool', async () => {
    for (let second = 0; second < 30; second += 1) {
      await receive(...Array.from({ length: 300 }, () => TOP_UP));
      await pass(1_000);
    }
    expect(told).toHaveLength(3);
    expect((await states())['WAITING']).toBe(2);
    await pass(2 * FUNDS_GAP_MS_MIN);
    expect([told.length, await states()]).toEqual([5, { FORWARDED: 9_000 }]);
  });

  it('is told when Temporal is back; meanwhile the news waits on disk', async () => {
    answer = away;
    await receive(TOP_UP);
    await pass(60_000);
    await receive(TOP_UP);
    await pass(5_000);
    expect((await states())['WAITING']).toBeGreaterThan(0);
    forwarder = start();
    answer = () => 'told';
    await pass(10_000);
    expect(told).toEqual(['batch/waiting']);
    await pass(FUNDS_GAP_MS_MIN);
    expect((await states())['WAITING']).toBeUndefined();
  });

  it('is told though another one cannot be', async () => {
    await addClaim('stuck');
    answer = (workflowId) => (workflowId === 'batch/stuck' ? away() : 'told');
    await receive(TOP_UP);
    await pass(5_000);
    expect([told, await states()]).toEqual([['batch/waiting'], { WAITING: 1 }]);
    answer = (workflowId) => (workflowId === 'batch/stuck' ? 'gone' : 'told');
    await pass(12_000);
    expect([told, await states()]).toEqual([['batch/waiting'], { FORWARDED: 1 }]);
  });

  it('is not held up by a clock that is set back', async () => {
    await receive(TOP_UP);
    await forwarder.round();
    clock.advance(-3_600_000);
    await receive(TOP_UP);
    await forwarder.round();
    expect(told).toHaveLength(2);
  });
});

describe('news of money', () => {
  it('is for those that have asked and may not pay, and for nobody else', async () => {
    await addClaim('scheduled', { asked: false });
    await addClaim('granted', { granted: true });
    await addClaim('ended', { ended: true });
    await addClaim('one');
    await addClaim('two');
    await receive(TOP_UP);
    await forwarder.round();
    expect(told.sort()).toEqual(['batch/one', 'batch/two']);
  });

  it.each([['nobody waits'], ['who waits has ended']])('is ignored when %s', async (why) => {
    if (why !== 'nobody waits') await addClaim('gone');
    answer = () => 'gone';
    await receive(TOP_UP);
    await forwarder.round();
    expect([told, await states()]).toEqual([[], { IGNORED: 1 }]);
  });

  it('reaches a batch that begins to wait after other news was ignored', async () => {
    await receive(TOP_UP);
    await forwarder.round();
    await addClaim('late');
    await receive(TOP_UP);
    await forwarder.round();
    expect(told).toEqual(['batch/late']);
  });
});

it('a batch that waits for 90 days among news without end is told less than 2,000 times', async () => {
  const bell = createFundsBell({
    waiting: () => Promise.resolve([{ batchId: 'b', askedAtMs: 0 }]),
  });
  let count = 0;
  for (let nowMs = 0; nowMs < 90 * DAY_MS; nowMs += 5_000) {
    bell.add(nowMs);
    await bell.look();
    for (const { workflowId } of bell.due(nowMs, 16)) {
      bell.conclude(workflowId, 'told', nowMs);
      count += 1;
    }
  }
  expect(count).toBeGreaterThan(500);
  expect(count).toBeLessThan(2_000);
});
