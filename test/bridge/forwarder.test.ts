import type { Db } from '../../src/store/database/db.ts';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { sql } from 'kysely';
import { createForwarder, type Forwarder } from '../../src/bridge/forwarder.ts';
import { MATCH_WINDOW_MS } from '../../src/bridge/matcher.ts';
import { HINT_GAP_MS, type Told } from '../../src/bridge/outbox.ts';
import type { Hint } from '../../src/contract/messages.ts';
import { type ErrorNote, noteOf } from '../../src/domain/errors/bursar-error.ts';
import { createFundStore } from '../../src/store/funds/claims.ts';
import { createRoutes } from '../../src/store/webhooks/routes.ts';
import { createSpool, type Spool } from '../../src/store/webhooks/spool.ts';
import { openSqlite } from '../../src/store/database/sqlite.ts';
import {
  createFakeClock,
  createFakeLog,
  externalIdOf,
  insertChunks,
  keyOf,
} from './support/bridge-fakes.ts';

/** The last chunk belongs to another partition than the first two. */
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

/** Chunks, or null: that the account may hold more. */
type Signal = readonly [workflowId: string, chunks: readonly number[] | null];

let db: Db;
let spool: Spool;
let clock: ReturnType<typeof createFakeClock>;
let log: ReturnType<typeof createFakeLog>;
let forwarder: Forwarder;
let signals: Signal[];
let pings: number;
let refusal: ErrorNote | null;
/** What Temporal makes of a signal. */
let answer: (workflowId: string) => Told | Promise<Told>;

const away = (): never => {
  throw new Error('14 UNAVAILABLE');
};

const temporal = {
  async signal(workflowId: string, hint: Hint | null): Promise<Told> {
    const told = await answer(workflowId);
    if (told === 'told') signals.push([workflowId, hint?.chunks ?? null]);
    return told;
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
    claims: createFundStore(db),
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

/** Lets time pass as the forwarder's own loop would: a round each quarter of a second. */
async function pass(ms: number): Promise<void> {
  for (let passedMs = 0; passedMs < ms; passedMs += 250) {
    clock.advance(250);
    await forwarder.round();
  }
}

async function countStates(): Promise<Record<string, number>> {
  const rows = await db.selectFrom('spool').select('state').execute();
  const count: Record<string, number> = {};
  for (const { state } of rows) count[state] = (count[state] ?? 0) + 1;
  return count;
}

beforeEach(async () => {
  db = await openSqlite('sqlite::memory:');
  await insertChunks(db, CHUNKS);
  spool = createSpool(db);
  clock = createFakeClock();
  log = createFakeLog();
  signals = [];
  pings = 0;
  refusal = null;
  answer = () => 'told';
  forwarder = start();
});

afterEach(() => db.destroy());

describe('telling', () => {
  it.each([
    ['the id of its mass payout', FIRST.massPayoutId],
    ['its idempotency key', keyOf(FIRST)],
    ['its external id', externalIdOf(FIRST)],
  ])('tells the partition of a chunk that a webhook names by %s', async (_what, id) => {
    await receive(webhookOf(id));
    await forwarder.round();
    expect(signals).toEqual([['batch/payroll/p0', [0]]]);
    expect(await countStates()).toEqual({ FORWARDED: 1 });
  });

  it('tells each partition once, with each chunk once, however many webhooks name it', async () => {
    await receive(
      ...[FAR, SECOND, FIRST, BONUS, FIRST, SECOND].map(({ massPayoutId }) =>
        webhookOf(massPayoutId),
      ),
    );
    await forwarder.round();
    expect(signalsByName()).toEqual([
      ['batch/bonus/p0', [0]],
      ['batch/payroll/p0', [0, 1]],
      ['batch/payroll/p1', [100]],
    ]);
    expect(await countStates()).toEqual({ FORWARDED: 6 });
  });

  it('tells every partition that one webhook concerns', async () => {
    await receive(JSON.stringify([{ id: 'mass-0' }, { id: 'mass-100' }, { id: 'nobody' }]));
    await forwarder.round();
    expect(signalsByName()).toEqual([
      ['batch/payroll/p0', [0]],
      ['batch/payroll/p1', [100]],
    ]);
  });

  it('settles a webhook that names one chunk in three ways, and another of the same partition', async () => {
    const { massPayoutId } = FIRST;
    const ids = { id: massPayoutId, idempotencyKey: keyOf(FIRST), externalId: externalIdOf(FIRST) };
    await receive(JSON.stringify({ ...ids, next: { id: SECOND.massPayoutId } }));
    await forwarder.round();
    expect(signals).toEqual([['batch/payroll/p0', [0, 1]]]);
    expect(await countStates()).toEqual({ FORWARDED: 1 });
  });

  it('never repeats the state that a webhook claims', async () => {
    await receive(FIRST_WEBHOOK);
    await forwarder.round();
    expect(JSON.stringify(signals)).not.toContain('COMPLETED');
  });

  it('tells a partition again at the end of the gap, and not before', async () => {
    await receive(FIRST_WEBHOOK);
    await forwarder.round();
    await receive(FIRST_WEBHOOK, SECOND_WEBHOOK, FIRST_WEBHOOK);
    clock.advance(HINT_GAP_MS - 1);
    await forwarder.round();
    expect(signals).toHaveLength(1);
    expect(await countStates()).toEqual({ FORWARDED: 1, WAITING: 3 });
    clock.advance(1);
    await forwarder.round();
    expect(signals.slice(1)).toEqual([['batch/payroll/p0', [0, 1]]]);
    expect(await countStates()).toEqual({ FORWARDED: 4 });
  });

  it('tells another partition within the gap of the first', async () => {
    await receive(FIRST_WEBHOOK);
    await forwarder.round();
    await receive(webhookOf('mass-100'));
    await forwarder.round();
    expect(signals).toHaveLength(2);
  });

  it('is not held up by a clock that is set back', async () => {
    await receive(FIRST_WEBHOOK);
    await forwarder.round();
    clock.advance(-3_600_000);
    await receive(FIRST_WEBHOOK);
    await forwarder.round();
    expect(signals).toHaveLength(2);
  });

  it('makes at most one signal a second for a partition out of a flood for it', async () => {
    for (let second = 0; second < 10; second += 1) {
      await receive(...Array.from({ length: 300 }, () => FIRST_WEBHOOK));
      await pass(1_000);
    }
    expect(signals.length).toBeLessThanOrEqual(11);
    await pass(HINT_GAP_MS);
    expect(await countStates()).toEqual({ FORWARDED: 3_000 });
  });

  it('ignores a webhook for a workflow that has ended', async () => {
    answer = () => 'gone';
    await receive(FIRST_WEBHOOK);
    await forwarder.round();
    expect(await countStates()).toEqual({ IGNORED: 1 });
    expect(forwarder.status()).toMatchObject({ temporal: 'up', forwarded: 0, ignored: 1 });
  });

  it('tells the aftercare of a batch whose partition has ended', async () => {
    answer = (workflowId) => (/p\d+$/.test(workflowId) ? 'gone' : 'told');
    await receive(FIRST_WEBHOOK, SECOND_WEBHOOK);
    await forwarder.round();
    expect(signals).toEqual([['batch/payroll/aftercare', [0, 1]]]);
    expect(await countStates()).toEqual({ FORWARDED: 2 });
  });

  it('tells no aftercare while the partition is there', async () => {
    await receive(FIRST_WEBHOOK);
    await forwarder.round();
    expect(signals.map(([workflowId]) => workflowId)).toEqual(['batch/payroll/p0']);
  });

  it('keeps a webhook until the aftercare could be asked', async () => {
    let isAway = true;
    answer = (workflowId) => {
      if (/p\d+$/.test(workflowId)) return 'gone';
      return isAway ? away() : 'told';
    };
    await receive(FIRST_WEBHOOK);
    await forwarder.round();
    expect(await countStates()).toEqual({ WAITING: 1 });
    isAway = false;
    await pass(15_000);
    expect(signals).toEqual([['batch/payroll/aftercare', [0]]]);
    expect(await countStates()).toEqual({ FORWARDED: 1 });
  });

  it('counts a webhook as forwarded when one of its partitions was told', async () => {
    answer = (workflowId) => (workflowId === 'batch/payroll/p1' ? 'told' : 'gone');
    await receive(JSON.stringify([{ id: 'mass-0' }, { id: 'mass-100' }, { id: 'bonus-0' }]));
    await forwarder.round();
    expect(await countStates()).toEqual({ FORWARDED: 1 });
  });

  it('leads to the same chunks, however webhooks are ordered, repeated and spread', async () => {
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

describe('webhooks that name nobody', () => {
  it('are ignored at once when they hold no id', async () => {
    await receive('hello', '{"state":"COMPLETED"}', '');
    await forwarder.round();
    expect(await countStates()).toEqual({ IGNORED: 3 });
  });

  it('are matched as soon as the id is known', async () => {
    await receive(webhookOf('mass-new'));
    await pass(20_000);
    expect(await countStates()).toEqual({ WAITING: 1 });
    await insertChunks(db, [{ batchId: 'late', chunk: 3, massPayoutId: 'mass-new' }]);
    await pass(2_000);
    expect(signals).toEqual([['batch/late/p0', [3]]]);
    expect(await countStates()).toEqual({ FORWARDED: 1 });
  });

  it('are ignored when the id is still unknown after a minute', async () => {
    await receive(webhookOf('nobody'));
    await pass(MATCH_WINDOW_MS - 250);
    expect(await countStates()).toEqual({ WAITING: 1 });
    await pass(2_250);
    expect(await countStates()).toEqual({ IGNORED: 1 });
    expect(forwarder.status().ignored).toBe(1);
  });

  it('get one more look after a long standstill, counted from their receipt', async () => {
    await receive(webhookOf('mass-new'), webhookOf('nobody'));
    clock.advance(10 * MATCH_WINDOW_MS);
    await insertChunks(db, [{ batchId: 'late', chunk: 3, massPayoutId: 'mass-new' }]);
    await forwarder.round();
    expect(signals).toEqual([['batch/late/p0', [3]]]);
    expect(await countStates()).toEqual({ FORWARDED: 1, IGNORED: 1 });
  });

  it('do not hold up those behind them', async () => {
    await receive(
      ...Array.from({ length: 500 }, (_, i) => webhookOf(`nobody-${i}`)),
      FIRST_WEBHOOK,
    );
    await forwarder.round();
    expect(signals).toEqual([['batch/payroll/p0', [0]]]);
  });

  it('cost no signals when they come in a flood, and the oldest are given up', async () => {
    forwarder = start(100);
    await receive(...Array.from({ length: 1_000 }, (_, i) => webhookOf(`forged-${i}`)));
    await forwarder.round();
    expect(signals).toEqual([]);
    expect(await countStates()).toEqual({ IGNORED: 900, WAITING: 100 });
    const [oldest] = await spool.next(1);
    expect(oldest?.body.toString()).toBe(webhookOf('forged-900'));
  });

  it('are given up when one alone holds more ids than are kept in mind', async () => {
    forwarder = start(100);
    await receive(JSON.stringify({ ids: Array.from({ length: 101 }, (_, i) => `forged-${i}`) }));
    await forwarder.round();
    expect(await countStates()).toEqual({ IGNORED: 1 });
  });
});

describe('while Temporal is away', () => {
  beforeEach(() => {
    answer = away;
  });

  it('everything waits, and is told when Temporal is back', async () => {
    await receive(FIRST_WEBHOOK, webhookOf('mass-100'));
    await pass(60_000);
    await receive(SECOND_WEBHOOK, FIRST_WEBHOOK);
    await pass(120_000);
    expect(await countStates()).toEqual({ WAITING: 4 });
    expect(forwarder.status()).toMatchObject({ temporal: 'down', lastForwardedAtMs: null });

    answer = () => 'told';
    await pass(10_000);
    expect(signalsByName()).toEqual([
      ['batch/payroll/p0', [0, 1]],
      ['batch/payroll/p1', [100]],
    ]);
    expect(await countStates()).toEqual({ FORWARDED: 4 });
    expect(forwarder.status()).toMatchObject({ temporal: 'up', forwarded: 4 });
  });

  it('it is tried less and less often, but at least every ten seconds', async () => {
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

  it('the log tells when it goes and when it comes back, and no more', async () => {
    await receive(FIRST_WEBHOOK);
    await pass(120_000);
    answer = () => 'told';
    await pass(20_000);
    expect(log.lines).toEqual([
      expect.stringContaining('Temporal does not answer'),
      expect.stringContaining('Temporal answers'),
    ]);
    expect(log.lines[0]).toContain('14 UNAVAILABLE');
  });

  it('unknown ids are still ignored after a minute', async () => {
    await receive(webhookOf('nobody'));
    await pass(MATCH_WINDOW_MS + 2_000);
    expect(await countStates()).toEqual({ IGNORED: 1 });
  });

  it('one partition that cannot be told does not stop the others', async () => {
    answer = (workflowId) => (workflowId === 'batch/payroll/p0' ? away() : 'told');
    for (const _again of [1, 2, 3]) {
      await receive(FIRST_WEBHOOK, webhookOf('mass-100'), webhookOf('bonus-0'));
      clock.advance(12_000);
      await forwarder.round();
      expect(forwarder.status().temporal).toBe('up');
    }
    expect(await countStates()).toEqual({ FORWARDED: 6, WAITING: 3 });
  });

  it('what a forwarder had in mind is found again by the next one', async () => {
    await receive(FIRST_WEBHOOK, webhookOf('nobody'));
    await pass(1_000);
    answer = () => 'told';
    forwarder = start();
    await forwarder.round();
    expect(signals).toEqual([['batch/payroll/p0', [0]]]);
    expect(await countStates()).toEqual({ FORWARDED: 1, WAITING: 1 });
  });
});

describe('an idle bridge', () => {
  it('asks now and then whether Temporal is there', async () => {
    await forwarder.round();
    expect([pings, forwarder.status().temporal]).toEqual([1, 'up']);
    await pass(60_000);
    expect(pings).toBe(7);
    answer = away;
    await pass(10_000);
    expect(forwarder.status().temporal).toBe('down');
  });

  it('does not know before it has asked', () => {
    expect(forwarder.status()).toEqual({
      temporal: 'unknown',
      lastForwardedAtMs: null,
      forwarded: 0,
      ignored: 0,
    });
  });

  it('forgets webhooks that were settled days ago', async () => {
    await receive(FIRST_WEBHOOK, ...Array.from({ length: 1_100 }, () => ''));
    await forwarder.round();
    clock.advance(4 * 24 * 3_600_000);
    await forwarder.round();
    expect(await countStates()).toEqual({});
  });
});

describe('when the store fails', () => {
  const rename = (from: string, to: string) =>
    sql`alter table ${sql.table(from)} rename to ${sql.table(to)}`.execute(db);

  it.each(['spool', 'chunk'])(
    'a round fails without the table "%s", and nothing is lost',
    async (table) => {
      await receive(FIRST_WEBHOOK, webhookOf('mass-new'));
      await rename(table, 'broken');
      await expect(forwarder.round()).rejects.toThrow(table);
      await rename('broken', table);
      await insertChunks(db, [{ batchId: 'late', chunk: 3, massPayoutId: 'mass-new' }]);
      await pass(2_000);
      expect(await countStates()).toEqual({ FORWARDED: 2 });
    },
  );

  it('webhooks without a match are remembered when looking again fails', async () => {
    await receive(webhookOf('mass-new'));
    await forwarder.round();
    await rename('chunk', 'broken');
    clock.advance(2_000);
    await expect(forwarder.round()).rejects.toThrow('chunk');
    await rename('broken', 'chunk');
    await insertChunks(db, [{ batchId: 'late', chunk: 3, massPayoutId: 'mass-new' }]);
    await pass(4_000);
    expect(signals).toEqual([['batch/late/p0', [3]]]);
  });

  it('what was told is settled later, and not told again', async () => {
    answer = async (): Promise<Told> => {
      await rename('spool', 'broken');
      return 'told';
    };
    await receive(FIRST_WEBHOOK);
    await expect(forwarder.round()).rejects.toThrow('spool');
    await rename('broken', 'spool');
    answer = () => 'told';
    await pass(5_000);
    expect(signals).toHaveLength(1);
    expect(await countStates()).toEqual({ FORWARDED: 1 });
  });
});

describe('the loop', () => {
  it('goes on after a failing store, and tells what came in last before it ends', async () => {
    await sql`alter table spool rename to broken`.execute(db);
    forwarder.start();
    await new Promise((resolve) => setImmediate(resolve));
    await sql`alter table broken rename to spool`.execute(db);
    await receive(FIRST_WEBHOOK);
    await forwarder.stop();
    expect(log.lines.join()).toContain('the spool cannot be worked on');
    expect(await countStates()).toEqual({ FORWARDED: 1 });
  });

  it('can be stopped before it was started', async () => {
    await forwarder.stop();
    expect(signals).toEqual([]);
  });
});
