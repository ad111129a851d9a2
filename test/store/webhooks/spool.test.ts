import type { Connection } from '../../../src/store/database/db.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { CompiledQuery, createQueryId, type RootOperationNode, sql } from 'kysely';
import { createSpool, SPOOL_LIMITS, type Spool } from '../../../src/store/webhooks/spool.ts';
import { openConnection } from '../../../src/store/engine/open.ts';
import { fillDisk } from '../../support/full-disk.ts';
import { accessTo } from '../../../src/store/database/decide.ts';
import { onServer, testStoreUrl } from '../../support/test-database.ts';

/** How a disk is filled, and what a database gives away of its plans, is of SQLite. */
const itOnFiles = onServer ? it.skip : it;
/** A spool without webhooks, whose next one has number 1. */
const EMPTIED = onServer
  ? ['truncate spool restart identity']
  : ['delete from spool', 'delete from sqlite_sequence'];

const DAY_MS = 24 * 60 * 60 * 1000;

let folder: string;
let db: Connection;
let spool: Spool;

const open = async (): Promise<Connection> => openConnection(await testStoreUrl(folder));
const bytes = (text: string): Buffer => Buffer.from(text);
const bodiesOf = (webhooks: readonly { body: Buffer }[]): string[] =>
  webhooks.map(({ body }) => body.toString());

async function statesOf(): Promise<Record<string, string>> {
  const rows = await db.selectFrom('spool').selectAll().orderBy('seq').execute();
  return Object.fromEntries(rows.map((row) => [Buffer.from(row.body).toString(), row.state]));
}

/** The same database, with a count of its inserts; each is one commit. */
function countInserts(): { counted: Connection; inserts: () => number } {
  let inserts = 0;
  const counted = db.withPlugin({
    transformQuery({ node }) {
      if (node.kind === 'InsertQueryNode') inserts += 1;
      return node;
    },
    transformResult: ({ result }) => Promise.resolve(result),
  });
  return { counted, inserts: () => inserts };
}

const appendAll = (to: Spool, texts: readonly string[], receivedAtMs = 1): Promise<number[]> =>
  Promise.all(texts.map((text) => to.append(bytes(text), receivedAtMs)));

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'bursar-spool-'));
  db = await open();
  spool = createSpool(accessTo(db));
});

afterEach(async () => {
  await db.destroy();
  rmSync(folder, { recursive: true });
});

describe('taking webhooks', () => {
  it('gives them back in the order in which they came in, byte for byte', async () => {
    const odd = Buffer.from([0, 255, 254, 0, 10]);
    await spool.append(bytes('first'), 5);
    await spool.append(odd, 6);
    await spool.append(Buffer.alloc(0), 7);
    expect(await spool.next(10)).toEqual([
      { seq: 1, receivedAtMs: 5, body: bytes('first') },
      { seq: 2, receivedAtMs: 6, body: odd },
      { seq: 3, receivedAtMs: 7, body: Buffer.alloc(0) },
    ]);
  });

  it('keeps any bytes unchanged', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 2_000 }), async (array) => {
        const seq = await spool.append(Buffer.from(array), 1);
        const [webhook] = await spool.next(1, seq - 1);
        expect(webhook?.body.equals(array)).toBe(true);
      }),
      { numRuns: 50 },
    );
  });

  it('keeps them over a restart', async () => {
    await spool.append(bytes('kept'), 5);
    await db.destroy();
    db = await open();
    spool = createSpool(accessTo(db));
    expect(bodiesOf(await spool.next(10))).toEqual(['kept']);
    expect(await spool.counts()).toMatchObject({ waiting: 1, lastReceivedAtMs: 5 });
  });

  itOnFiles('writes with a durability that survives a loss of power', async () => {
    const { rows } = await sql<{ synchronous: number }>`pragma synchronous`.execute(db);
    expect(rows).toEqual([{ synchronous: 2 }]);
  });

  it('gives each its own number, also when hundreds come in at once', async () => {
    const texts = Array.from({ length: 700 }, (_, i) => `webhook ${i}`);
    const seqs = await appendAll(spool, texts);
    expect(new Set(seqs).size).toBe(700);
    const bySeq = new Map((await spool.next(700)).map(({ seq, body }) => [seq, body.toString()]));
    expect(seqs.map((seq) => bySeq.get(seq))).toEqual(texts);
  });

  it.each([
    { webhooks: 1, groupRowsMax: 100, commits: 1 },
    { webhooks: 100, groupRowsMax: 100, commits: 1 },
    { webhooks: 101, groupRowsMax: 100, commits: 2 },
    { webhooks: 5, groupRowsMax: 1, commits: 5 },
  ])(
    'writes $webhooks that come in together with $commits commits of at most $groupRowsMax',
    async ({ webhooks, groupRowsMax, commits }) => {
      const { counted, inserts } = countInserts();
      const grouping = createSpool(accessTo(counted), { ...SPOOL_LIMITS, groupRowsMax });
      await appendAll(grouping, Array.from({ length: webhooks }, String));
      expect(inserts()).toBe(commits);
    },
  );

  it('bounds the bytes of one commit, but takes a body that is larger alone', async () => {
    const { counted, inserts } = countInserts();
    const grouping = createSpool(accessTo(counted), { ...SPOOL_LIMITS, groupSizeBytesMax: 10 });
    await appendAll(grouping, ['12345', '12345', '123456789012', '1', '2']);
    expect(inserts()).toBe(3);
    expect(bodiesOf(await spool.next(10))).toEqual(['12345', '12345', '123456789012', '1', '2']);
  });

  it('fails for every sender of a group when it cannot be written, and works again afterwards', async () => {
    await sql`alter table spool rename to away`.execute(db);
    const failed = await Promise.allSettled(['a', 'b'].map((text) => spool.append(bytes(text), 1)));
    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await sql`alter table away rename to spool`.execute(db);
    await spool.append(bytes('c'), 1);
    expect(bodiesOf(await spool.next(10))).toEqual(['c']);
    expect(await spool.counts()).toMatchObject({ waiting: 1 });
  });

  itOnFiles('reports that the disk is full, and keeps the stored webhooks', async () => {
    await spool.append(bytes('kept'), 1);
    await fillDisk(db);
    const append = spool.append(Buffer.alloc(100_000), 1);
    await expect(append).rejects.toMatchObject({ code: 'STORE_FULL' });
    expect(bodiesOf(await spool.next(10))).toEqual(['kept']);
  });
});

describe('reading on', () => {
  it('returns no more than the demanded number, and goes on behind a number', async () => {
    await appendAll(spool, ['a', 'b', 'c', 'd']);
    expect(bodiesOf(await spool.next(2))).toEqual(['a', 'b']);
    expect(bodiesOf(await spool.next(2, 2))).toEqual(['c', 'd']);
    expect(await spool.next(2, 4)).toEqual([]);
  });

  it('passes over those that are settled', async () => {
    await appendAll(spool, ['a', 'b', 'c']);
    await spool.settle([2], { state: 'IGNORED', atMs: 9 });
    expect(bodiesOf(await spool.next(10))).toEqual(['a', 'c']);
  });

  itOnFiles('uses the index over waiting webhooks', async () => {
    const asked: RootOperationNode[] = [];
    const watched = db.withPlugin({
      transformQuery({ node }) {
        asked.push(node);
        return node;
      },
      transformResult: ({ result }) => Promise.resolve(result),
    });
    await createSpool(accessTo(watched)).next(10, 5);
    const [query] = asked.map((node) => db.getExecutor().compileQuery(node, createQueryId()));
    const { rows } = await db.executeQuery<{ detail: string }>(
      CompiledQuery.raw(`explain query plan ${query?.sql}`, [...(query?.parameters ?? [])]),
    );
    expect(rows.map(({ detail }) => detail).join()).toContain('spool_waiting');
  });
});

describe('settling', () => {
  it('stores the result of each, and its time', async () => {
    await appendAll(spool, ['a', 'b', 'c']);
    await spool.settle([1], { state: 'FORWARDED', atMs: 8 });
    await spool.settle([3], { state: 'IGNORED', atMs: 9 });
    expect(await statesOf()).toEqual({ a: 'FORWARDED', b: 'WAITING', c: 'IGNORED' });
    const rows = await db.selectFrom('spool').select('settled_at_ms').orderBy('seq').execute();
    expect(rows.map((row) => row.settled_at_ms)).toEqual([8, null, 9]);
  });

  it('leaves settled ones as they are', async () => {
    await appendAll(spool, ['a']);
    await spool.settle([1], { state: 'FORWARDED', atMs: 8 });
    await spool.settle([1], { state: 'IGNORED', atMs: 9 });
    expect(await statesOf()).toEqual({ a: 'FORWARDED' });
    expect(await spool.counts()).toMatchObject({ waiting: 0, settled: 1 });
  });

  it('takes thousands of webhooks at once, and an empty list without an error', async () => {
    const seqs = await appendAll(
      spool,
      Array.from({ length: 1_201 }, (_, i) => `w${i}`),
    );
    await spool.settle(seqs, { state: 'FORWARDED', atMs: 8 });
    await spool.settle([], { state: 'FORWARDED', atMs: 8 });
    expect(await spool.counts()).toMatchObject({ waiting: 0, settled: 1_201 });
  });
});

describe('counting', () => {
  it('has no figures at first', async () => {
    expect(await spool.counts()).toEqual({
      waiting: 0,
      settled: 0,
      room: 'ample',
      oldestWaitingAtMs: null,
      lastReceivedAtMs: null,
    });
  });

  it('returns the oldest that waits and the newest that came', async () => {
    await spool.append(bytes('a'), 5);
    await spool.append(bytes('b'), 6);
    await spool.append(bytes('c'), 7);
    await spool.settle([1], { state: 'IGNORED', atMs: 9 });
    expect(await spool.counts()).toEqual({
      waiting: 2,
      settled: 1,
      room: 'ample',
      oldestWaitingAtMs: 6,
      lastReceivedAtMs: 7,
    });
  });

  it('gives the figures of a spool that is opened again, after any acts', async () => {
    const action = fc.record({
      what: fc.constantFrom('append', 'append', 'settle', 'prune'),
      number: fc.integer({ min: 0, max: 40 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(action, { maxLength: 30 }), async (actions) => {
        for (const statement of EMPTIED) await sql.raw(statement).execute(db);
        const limits = { ...SPOOL_LIMITS, keepSettledMs: 0, rowsMax: 20, sizeBytesMax: 500 };
        const mine = createSpool(accessTo(db), limits);
        for (const [i, { what, number }] of actions.entries()) {
          if (what === 'append') await Promise.allSettled([mine.append(Buffer.alloc(number), i)]);
          if (what === 'settle') await mine.settle([number], { state: 'IGNORED', atMs: i });
          if (what === 'prune') await mine.prune(number);
        }
        const { lastReceivedAtMs: _mine, ...counts } = await mine.counts();
        const { lastReceivedAtMs: _fresh, ...fresh } = await createSpool(
          accessTo(db),
          limits,
        ).counts();
        expect(counts).toEqual(fresh);
      }),
      { numRuns: 60 },
    );
  });
});

describe('staying bounded', () => {
  it.each([
    { waiting: 4, room: 'ample' },
    { waiting: 5, room: 'high' },
    { waiting: 9, room: 'high' },
    { waiting: 10, room: 'full' },
  ])('has $room room when $waiting of 10 wait', async ({ waiting, room }) => {
    const small = createSpool(accessTo(db), { ...SPOOL_LIMITS, rowsMax: 10 });
    await appendAll(small, Array.from({ length: waiting }, String));
    expect(await small.counts()).toMatchObject({ room });
  });

  it.each([
    ['webhooks', { rowsMax: 3 }],
    ['bytes', { sizeBytesMax: 3 }],
  ])('takes no more than its %s', async (_what, limits) => {
    const small = createSpool(accessTo(db), { ...SPOOL_LIMITS, ...limits });
    await appendAll(small, ['a', 'b', 'c']);
    await expect(small.append(bytes('d'), 1)).rejects.toThrow('3 webhooks wait');
    expect(await small.counts()).toMatchObject({ waiting: 3, room: 'full' });
  });

  it('deletes the oldest settled ones when it needs their space', async () => {
    const small = createSpool(accessTo(db), { ...SPOOL_LIMITS, rowsMax: 3 });
    await appendAll(small, ['a', 'b', 'c']);
    await small.settle([2, 3], { state: 'IGNORED', atMs: 1 });
    await small.append(bytes('d'), 1);
    expect(await statesOf()).toEqual({ a: 'WAITING', d: 'WAITING' });
  });

  it('deletes settled webhooks after some days, and never one that waits', async () => {
    const oldMs = 10 * DAY_MS;
    await spool.append(bytes('old and settled'), oldMs);
    await spool.append(bytes('old and waiting'), oldMs);
    await spool.append(bytes('new and settled'), oldMs + DAY_MS);
    await spool.settle([1, 3], { state: 'FORWARDED', atMs: oldMs + DAY_MS });
    expect(await spool.prune(oldMs + SPOOL_LIMITS.keepSettledMs)).toBe(0);
    expect(await spool.prune(oldMs + SPOOL_LIMITS.keepSettledMs + 1)).toBe(1);
    expect(await statesOf()).toEqual({
      'old and waiting': 'WAITING',
      'new and settled': 'FORWARDED',
    });
  });

  it('never gives a number twice, even when the last webhook was deleted', async () => {
    const first = await spool.append(bytes('a'), 1);
    await spool.settle([first], { state: 'IGNORED', atMs: 1 });
    await spool.prune(100 * DAY_MS);
    expect(await spool.append(bytes('b'), 1)).toBeGreaterThan(first);
  });
});
