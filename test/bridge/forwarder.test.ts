import type { Connection } from '../../src/store/database/db.ts';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { sql } from 'kysely';
import { createForwarder, type Forwarder } from '../../src/bridge/forwarder.ts';
import { MATCH_WINDOW_MS } from '../../src/bridge/matcher.ts';
import { HINT_GAP_MS } from '../../src/bridge/chunk-signal-queue.ts';
import type { SignalResult } from '../../src/bridge/signal-queue.ts';
import type { Hint } from '../../src/contract/messages.ts';
import { type ErrorNote, noteOf } from '../../src/domain/errors/bursar-error.ts';
import { createFundStore } from '../../src/store/funds/claims.ts';
import { createRoutes } from '../../src/store/webhooks/routes.ts';
import { createSpool, type Spool } from '../../src/store/webhooks/spool.ts';
import { openTestSqlite } from '../support/test-database.ts';
import {
  createFakeClock,
  createFakeLog,
  externalIdOf,
  insertChunks,
  keyOf,
} from './support/bridge-fakes.ts';
import { accessTo } from '../../src/store/database/decide.ts';

/** The third chunk belongs to another partition than the first two. */
const CHUNKS = [
  { batchId: 'payroll', chunk: 0, massPayoutId: 'mass-0' },
  { batchId: 'payroll', chunk: 1, massPayoutId: 'mass-1' },
  { batchId: 'payroll', chunk: 100, massPayoutId: 'mass-100' },
  { batchId: 'bonus', chunk: 0, massPayoutId: 'bonus-0' },
] as const;
const [FIRST, SECOND, FAR, BONUS] = CHUNKS;

const ACCOUNT = '0x5A4DB0C500000000000000000000000000000001';

const webhookOf = (id: string): string => JSON.stringify({ data: { id, state: 'COMPLETED' } });
const FIRST_WEBHOOK = webhookOf('mass-0');
const SECOND_WEBHOOK = webhookOf('mass-1');

/** A signal with its chunks; null: the account may hold more money. */
type Signal = readonly [workflowId: string, chunks: readonly number[] | null];

let db: Connection;
let spool: Spool;
let clock: ReturnType<typeof createFakeClock>;
let log: ReturnType<typeof createFakeLog>;
let forwarder: Forwarder;
let signals: Signal[];
let pings: number;
let refusal: ErrorNote | null;
/** Returns the result of a signal to the fake Temporal. */
let answer: (workflowId: string) => SignalResult | Promise<SignalResult>;

const away = (): never => {
  throw new Error('14 UNAVAILABLE');
};

const temporal = {
  async signal(workflowId: string, hint: Hint | null): Promise<SignalResult> {
    const result = await answer(workflowId);
    if (result === 'delivered') signals.push([workflowId, hint?.chunks ?? null]);
    return result;
  },
  async ping(): Promise<void> {
    pings += 1;
    await answer('');
  },
};

const start = (unmatchedIdsMax?: number): Forwarder =>
  createForwarder({
    spool,
    routes: createRoutes(db),
    claims: createFundStore(accessTo(db)),
    account: ACCOUNT,
    temporal,
    clock,
    log,
    refusal: () => refusal,
    ...(unmatchedIdsMax !== undefined && { unmatchedIdsMax }),
  });

const receive = (...texts: string[]): Promise<number[]> =>
  Promise.all(texts.map((text) => spool.append(Buffer.from(text), clock.nowMs())));

const signalsByName = (): Signal[] => signals.toSorted(([a], [b]) => a.localeCompare(b));

/** Advances the clock, with a pass each quarter of a second like the forwarder's own loop. */
async function pass(ms: number): Promise<void> {
  for (let passedMs = 0; passedMs < ms; passedMs += 250) {
    clock.advance(250);
    await forwarder.forwardOnce();
  }
}

async function countStates(): Promise<Record<string, number>> {
  const rows = await db.selectFrom('spool').select('state').execute();
  const count: Record<string, number> = {};
  for (const { state } of rows) count[state] = (count[state] ?? 0) + 1;
  return count;
}

beforeEach(async () => {
  db = await openTestSqlite();
  await insertChunks(db, CHUNKS);
  spool = createSpool(accessTo(db));
  clock = createFakeClock();
  log = createFakeLog();
  signals = [];
  pings = 0;
  refusal = null;
  answer = () => 'delivered';
  forwarder = start();
});

afterEach(() => db.destroy());

describe('signals', () => {
  it.each([
    ['the id of its mass payout', FIRST.massPayoutId],
    ['its idempotency key', keyOf(FIRST)],
    ['its external id', externalIdOf(FIRST)],
  ])('go to the partition of a chunk that a webhook names by %s', async (_what, id) => {
    await receive(webhookOf(id));
    await forwarder.forwardOnce();
    expect(signals).toEqual([['batch/payroll/p0', [0]]]);
    expect(await countStates()).toEqual({ FORWARDED: 1 });
  });

  it('go once to each partition, with each chunk once, for any number of webhooks', async () => {
    await receive(
      ...[FAR, SECOND, FIRST, BONUS, FIRST, SECOND].map(({ massPayoutId }) =>
        webhookOf(massPayoutId),
      ),
    );
    await forwarder.forwardOnce();
    expect(signalsByName()).toEqual([
      ['batch/bonus/p0', [0]],
      ['batch/payroll/p0', [0, 1]],
      ['batch/payroll/p1', [100]],
    ]);
    expect(await countStates()).toEqual({ FORWARDED: 6 });
  });

  it('go to every partition whose chunks one webhook names', async () => {
    await receive(JSON.stringify([{ id: 'mass-0' }, { id: 'mass-100' }, { id: 'nobody' }]));
    await forwarder.forwardOnce();
    expect(signalsByName()).toEqual([
      ['batch/payroll/p0', [0]],
      ['batch/payroll/p1', [100]],
    ]);
  });

  it('acknowledge a webhook that names one chunk in three ways, and another of the same partition', async () => {
    const { massPayoutId } = FIRST;
    const ids = { id: massPayoutId, idempotencyKey: keyOf(FIRST), externalId: externalIdOf(FIRST) };
    await receive(JSON.stringify({ ...ids, next: { id: SECOND.massPayoutId } }));
    await forwarder.forwardOnce();
    expect(signals).toEqual([['batch/payroll/p0', [0, 1]]]);
    expect(await countStates()).toEqual({ FORWARDED: 1 });
  });

  it('never contain the state that a webhook claims', async () => {
    await receive(FIRST_WEBHOOK);
    await forwarder.forwardOnce();
    expect(JSON.stringify(signals)).not.toContain('COMPLETED');
  });

  it('go to a partition again at the end of the gap, and not before', async () => {
    await receive(FIRST_WEBHOOK);
    await forwarder.forwardOnce();
    await receive(FIRST_WEBHOOK, SECOND_WEBHOOK, FIRST_WEBHOOK);
    clock.advance(HINT_GAP_MS - 1);
    await forwarder.forwardOnce();
    expect(signals).toHaveLength(1);
    expect(await countStates()).toEqual({ FORWARDED: 1, WAITING: 3 });
    clock.advance(1);
    await forwarder.forwardOnce();
    expect(signals.slice(1)).toEqual([['batch/payroll/p0', [0, 1]]]);
    expect(await countStates()).toEqual({ FORWARDED: 4 });
  });

  it('go to another partition within the gap of the first', async () => {
    await receive(FIRST_WEBHOOK);
    await forwarder.forwardOnce();
    await receive(webhookOf('mass-100'));
    await forwarder.forwardOnce();
    expect(signals).toHaveLength(2);
  });

  it('do not wait longer when the clock is set back', async () => {
    await receive(FIRST_WEBHOOK);
    await forwarder.forwardOnce();
    clock.advance(-3_600_000);
    await receive(FIRST_WEBHOOK);
    await forwarder.forwardOnce();
    expect(signals).toHaveLength(2);
  });

  it('go to a partition at most once a second in a flood of webhooks for it', async () => {
    for (let second = 0; second < 10; second += 1) {
      await receive(...Array.from({ length: 300 }, () => FIRST_WEBHOOK));
      await pass(1_000);
    }
    expect(signals.length).toBeLessThanOrEqual(11);
    await pass(HINT_GAP_MS);
    expect(await countStates()).toEqual({ FORWARDED: 3_000 });
  });

  it('are not sent for a workflow that has ended, and its webhook is ignored', async () => {
    answer = () => 'gone';
    await receive(FIRST_WEBHOOK);
    await forwarder.forwardOnce();
    expect(await countStates()).toEqual({ IGNORED: 1 });
    expect(forwarder.status()).toMatchObject({ temporal: 'up', forwarded: 0, ignored: 1 });
  });

  it('go to the post-report monitoring of a batch whose partition has ended', async () => {
    answer = (workflowId) => (/p\d+$/.test(workflowId) ? 'gone' : 'delivered');
    await receive(FIRST_WEBHOOK, SECOND_WEBHOOK);
    await forwarder.forwardOnce();
    expect(signals).toEqual([['batch/payroll/aftercare', [0, 1]]]);
    expect(await countStates()).toEqual({ FORWARDED: 2 });
  });

  it('do not go to the post-report monitoring while the partition runs', async () => {
    await receive(FIRST_WEBHOOK);
    await forwarder.forwardOnce();
    expect(signals.map(([workflowId]) => workflowId)).toEqual(['batch/payroll/p0']);
  });

  it('keep a webhook waiting until the post-report monitoring could be called', async () => {
    let isAway = true;
    answer = (workflowId) => {
      if (/p\d+$/.test(workflowId)) return 'gone';
      return isAway ? away() : 'delivered';
    };
    await receive(FIRST_WEBHOOK);
    await forwarder.forwardOnce();
    expect(await countStates()).toEqual({ WAITING: 1 });
    isAway = false;
    await pass(15_000);
    expect(signals).toEqual([['batch/payroll/aftercare', [0]]]);
    expect(await countStates()).toEqual({ FORWARDED: 1 });
  });

  it('count a webhook as forwarded when one of its partitions received a signal', async () => {
    answer = (workflowId) => (workflowId === 'batch/payroll/p1' ? 'delivered' : 'gone');
    await receive(JSON.stringify([{ id: 'mass-0' }, { id: 'mass-100' }, { id: 'bonus-0' }]));
    await forwarder.forwardOnce();
    expect(await countStates()).toEqual({ FORWARDED: 1 });
  });

  it('name the same chunks for webhooks in any order, repeated, at any time', async () => {
    const delivery = fc.array(
      fc.record({ which: fc.integer({ min: 0, max: 3 }), waitMs: fc.constantFrom(0, 250, 5_000) }),
      { maxLength: 25 },
    );
    await fc.assert(
      fc.asyncProperty(delivery, async (webhooks) => {
        signals = [];
        forwarder = start();
        const named = new Set<string>();
        for (const { which, waitMs } of webhooks) {
          const { batchId, chunk, massPayoutId } = CHUNKS[which] ?? FIRST;
          named.add(`batch/${batchId} ${chunk}`);
          await receive(webhookOf(massPayoutId));
          await pass(waitMs);
        }
        await pass(HINT_GAP_MS);
        const hinted = signals.flatMap(([workflowId, chunks]) =>
          (chunks ?? []).map((chunk) => `${workflowId.replace(/\/p\d+$/, '')} ${chunk}`),
        );
        expect(new Set(hinted)).toEqual(named);
        expect(await countStates()).not.toHaveProperty('WAITING');
      }),
      { numRuns: 40 },
    );
  });
});

it('sends and drops nothing while the workers have another store, and forwards all after that', async () => {
  refusal = noteOf('STORE_IS_ANOTHER', { store: 'ours', served: 'theirs', taskQueue: 'q' });
  await receive(FIRST_WEBHOOK, webhookOf('nobody'), 'no id at all');
  await pass(MATCH_WINDOW_MS * 2);
  expect([signals, pings, await countStates()]).toEqual([[], 0, { WAITING: 3 }]);
  refusal = null;
  await pass(2_000);
  expect(signals).toEqual([['batch/payroll/p0', [0]]]);
  expect(await countStates()).toEqual({ FORWARDED: 1, IGNORED: 2 });
});

describe('webhooks without a known id', () => {
  it('are ignored at once when they hold no id', async () => {
    await receive('hello', '{"state":"COMPLETED"}', '');
    await forwarder.forwardOnce();
    expect(await countStates()).toEqual({ IGNORED: 3 });
  });

  it('are matched as soon as the store has the id', async () => {
    await receive(webhookOf('mass-new'));
    await pass(20_000);
    expect(await countStates()).toEqual({ WAITING: 1 });
    await insertChunks(db, [{ batchId: 'late', chunk: 3, massPayoutId: 'mass-new' }]);
    await pass(2_000);
    expect(signals).toEqual([['batch/late/p0', [3]]]);
    expect(await countStates()).toEqual({ FORWARDED: 1 });
  });

  it('are ignored when the store has no such id after a minute', async () => {
    await receive(webhookOf('nobody'));
    await pass(MATCH_WINDOW_MS - 250);
    expect(await countStates()).toEqual({ WAITING: 1 });
    await pass(2_250);
    expect(await countStates()).toEqual({ IGNORED: 1 });
    expect(forwarder.status().ignored).toBe(1);
  });

  it('are matched at least once when the bridge starts long after their receipt', async () => {
    await receive(webhookOf('mass-new'), webhookOf('nobody'));
    clock.advance(10 * MATCH_WINDOW_MS);
    await insertChunks(db, [{ batchId: 'late', chunk: 3, massPayoutId: 'mass-new' }]);
    await forwarder.forwardOnce();
    expect(signals).toEqual([['batch/late/p0', [3]]]);
    expect(await countStates()).toEqual({ FORWARDED: 1, IGNORED: 1 });
  });

  it('do not delay the webhooks after them', async () => {
    await receive(
      ...Array.from({ length: 500 }, (_, i) => webhookOf(`nobody-${i}`)),
      FIRST_WEBHOOK,
    );
    await forwarder.forwardOnce();
    expect(signals).toEqual([['batch/payroll/p0', [0]]]);
  });

  it('lead to no signals when they come in a flood, and the oldest are ignored', async () => {
    forwarder = start(100);
    await receive(...Array.from({ length: 1_000 }, (_, i) => webhookOf(`forged-${i}`)));
    await forwarder.forwardOnce();
    expect(signals).toEqual([]);
    expect(await countStates()).toEqual({ IGNORED: 900, WAITING: 100 });
    const [oldest] = await spool.next(1);
    expect(oldest?.body.toString()).toBe(webhookOf('forged-900'));
  });

  it('are ignored when one alone holds more ids than the memory limit', async () => {
    forwarder = start(100);
    await receive(JSON.stringify({ ids: Array.from({ length: 101 }, (_, i) => `forged-${i}`) }));
    await forwarder.forwardOnce();
    expect(await countStates()).toEqual({ IGNORED: 1 });
  });
});

describe('while Temporal is down', () => {
  beforeEach(() => {
    answer = away;
  });

  it('all webhooks wait, and lead to signals when Temporal is back', async () => {
    await receive(FIRST_WEBHOOK, webhookOf('mass-100'));
    await pass(60_000);
    await receive(SECOND_WEBHOOK, FIRST_WEBHOOK);
    await pass(120_000);
    expect(await countStates()).toEqual({ WAITING: 4 });
    expect(forwarder.status()).toMatchObject({ temporal: 'down', lastForwardedAtMs: null });

    answer = () => 'delivered';
    await pass(10_000);
    expect(signalsByName()).toEqual([
      ['batch/payroll/p0', [0, 1]],
      ['batch/payroll/p1', [100]],
    ]);
    expect(await countStates()).toEqual({ FORWARDED: 4 });
    expect(forwarder.status()).toMatchObject({ temporal: 'up', forwarded: 4 });
  });

  it('the bridge tries less and less often, but at least every ten seconds', async () => {
    let tries = 0;
    answer = () => {
      tries += 1;
      return away();
    };
    await receive(FIRST_WEBHOOK);
    await pass(10_000);
    expect(tries).toBeLessThanOrEqual(7);
    tries = 0;
    await pass(100_000);
    expect(tries).toBeGreaterThanOrEqual(9);
    expect(tries).toBeLessThanOrEqual(11);
  });

  it('the log has one line for its end and one for its return', async () => {
    await receive(FIRST_WEBHOOK);
    await pass(120_000);
    answer = () => 'delivered';
    await pass(20_000);
    expect(log.lines).toEqual([
      expect.stringContaining('Temporal does not answer'),
      expect.stringContaining('Temporal answers'),
    ]);
    expect(log.lines[0]).toContain('14 UNAVAILABLE');
  });

  it('webhooks with unknown ids are still ignored after a minute', async () => {
    await receive(webhookOf('nobody'));
    await pass(MATCH_WINDOW_MS + 2_000);
    expect(await countStates()).toEqual({ IGNORED: 1 });
  });

  it('a failed signal to one partition does not stop the others', async () => {
    answer = (workflowId) => (workflowId === 'batch/payroll/p0' ? away() : 'delivered');
    for (const _again of [1, 2, 3]) {
      await receive(FIRST_WEBHOOK, webhookOf('mass-100'), webhookOf('bonus-0'));
      clock.advance(12_000);
      await forwarder.forwardOnce();
      expect(forwarder.status().temporal).toBe('up');
    }
    expect(await countStates()).toEqual({ FORWARDED: 6, WAITING: 3 });
  });

  it('the next forwarder reads the waiting webhooks of the last one', async () => {
    await receive(FIRST_WEBHOOK, webhookOf('nobody'));
    await pass(1_000);
    answer = () => 'delivered';
    forwarder = start();
    await forwarder.forwardOnce();
    expect(signals).toEqual([['batch/payroll/p0', [0]]]);
    expect(await countStates()).toEqual({ FORWARDED: 1, WAITING: 1 });
  });
});

describe('an idle bridge', () => {
  it('pings Temporal every ten seconds', async () => {
    await forwarder.forwardOnce();
    expect([pings, forwarder.status().temporal]).toEqual([1, 'up']);
    await pass(60_000);
    expect(pings).toBe(7);
    answer = away;
    await pass(10_000);
    expect(forwarder.status().temporal).toBe('down');
  });

  it('reports an unknown state of Temporal before its first call', () => {
    expect(forwarder.status()).toEqual({
      temporal: 'unknown',
      lastForwardedAtMs: null,
      forwarded: 0,
      ignored: 0,
    });
  });

  it('deletes webhooks that were acknowledged days ago', async () => {
    await receive(FIRST_WEBHOOK, ...Array.from({ length: 1_100 }, () => ''));
    await forwarder.forwardOnce();
    clock.advance(4 * 24 * 3_600_000);
    await forwarder.forwardOnce();
    expect(await countStates()).toEqual({});
  });
});

describe('when the store fails', () => {
  const rename = (from: string, to: string) =>
    sql`alter table ${sql.table(from)} rename to ${sql.table(to)}`.execute(db);

  it.each(['spool', 'chunk'])(
    'a pass rejects without the table "%s", and no webhook is lost',
    async (table) => {
      await receive(FIRST_WEBHOOK, webhookOf('mass-new'));
      await rename(table, 'broken');
      await expect(forwarder.forwardOnce()).rejects.toThrow(table);
      await rename('broken', table);
      await insertChunks(db, [{ batchId: 'late', chunk: 3, massPayoutId: 'mass-new' }]);
      await pass(2_000);
      expect(await countStates()).toEqual({ FORWARDED: 2 });
    },
  );

  it('webhooks without a match are kept when the second search fails', async () => {
    await receive(webhookOf('mass-new'));
    await forwarder.forwardOnce();
    await rename('chunk', 'broken');
    clock.advance(2_000);
    await expect(forwarder.forwardOnce()).rejects.toThrow('chunk');
    await rename('broken', 'chunk');
    await insertChunks(db, [{ batchId: 'late', chunk: 3, massPayoutId: 'mass-new' }]);
    await pass(4_000);
    expect(signals).toEqual([['batch/late/p0', [3]]]);
  });

  it('a delivered signal is not repeated, and its webhook is acknowledged later', async () => {
    answer = async (): Promise<SignalResult> => {
      await rename('spool', 'broken');
      return 'delivered';
    };
    await receive(FIRST_WEBHOOK);
    await expect(forwarder.forwardOnce()).rejects.toThrow('spool');
    await rename('broken', 'spool');
    answer = () => 'delivered';
    await pass(5_000);
    expect(signals).toHaveLength(1);
    expect(await countStates()).toEqual({ FORWARDED: 1 });
  });
});

describe('the loop', () => {
  it('continues after an error of the store, and sends the last signals before it ends', async () => {
    await sql`alter table spool rename to broken`.execute(db);
    forwarder.start();
    await new Promise((resolve) => setImmediate(resolve));
    await sql`alter table broken rename to spool`.execute(db);
    await receive(FIRST_WEBHOOK);
    await forwarder.stop();
    expect(log.lines.join()).toContain('the forwarder cannot use the store');
    expect(await countStates()).toEqual({ FORWARDED: 1 });
  });

  it('can be stopped before its start', async () => {
    await forwarder.stop();
    expect(signals).toEqual([]);
  });
});
