import type { Db } from '../database/db.ts';
import type { Access } from '../database/decide.ts';
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { inGroups, type NewWebhook } from './spool-groups.ts';

/** WAITING: not handled yet. FORWARDED: a batch was notified. IGNORED: it names nothing of ours, or only ended batches. */
export type SpoolState = 'WAITING' | 'FORWARDED' | 'IGNORED';
export type SettledState = Exclude<SpoolState, 'WAITING'>;

/** One webhook, byte for byte as it came in. */
export type SpooledWebhook = Readonly<{ seq: number; receivedAtMs: number; body: Buffer }>;

/** The end of a webhook, and when. */
export type Settlement = Readonly<{ state: SettledState; atMs: number }>;

export type SpoolCounts = Readonly<{
  waiting: number;
  settled: number;
  /** `high`: webhooks that wait take half of the room. `full`: all of it, so that none can be taken any more. */
  room: 'ample' | 'high' | 'full';
  oldestWaitingAtMs: number | null;
  lastReceivedAtMs: number | null;
}>;

export type SpoolLimits = Readonly<{
  /** Webhooks kept. Settled ones count, and make room for new ones when it gets tight. */
  rowsMax: number;
  /** Bytes of their bodies together. */
  sizeBytesMax: number;
  /** How long a handled webhook is kept, for people who look for it. */
  keepSettledMs: number;
  /** Webhooks and bytes written with one commit. */
  groupRowsMax: number;
  groupSizeBytesMax: number;
  /** How long the counts of this process are used, where other bridges write the same spool. */
  countsMs: number;
}>;

/** At 100 webhooks a second this holds more than an hour without Temporal, and takes little more than 1 GiB of disk. */
export const SPOOL_LIMITS: SpoolLimits = {
  rowsMax: 500_000,
  sizeBytesMax: 1024 * 1024 * 1024,
  keepSettledMs: 3 * 24 * 60 * 60 * 1000,
  groupRowsMax: 250,
  groupSizeBytesMax: 8 * 1024 * 1024,
  countsMs: Number.POSITIVE_INFINITY,
};

/** The limits of a spool that several bridges write. Together they may exceed its size by the webhooks of this time. */
export const SHARED_SPOOL_LIMITS: SpoolLimits = { ...SPOOL_LIMITS, countsMs: 10_000 };

/** Webhooks settled or forgotten with one statement; keeps each commit short for the other writers of the store. */
const STATEMENT_ROWS_MAX = 500;

/** Written out and not bound: SQLite then sees at once that its index over waiting webhooks fits. */
const WAITING = sql.lit('WAITING');
const BODY_SIZE = sql<number>`length(body)`;

export type Spool = ReturnType<typeof createSpool>;

/**
 * Webhooks that were taken, on disk until they are handled. They survive the end of the process and a loss of power. Their
 * numbers are in the order of their commits, since one write of the spool runs at a time.
 */
export function createSpool({ db, decide }: Access, limits: SpoolLimits = SPOOL_LIMITS) {
  const getTally = createTallyKeeper(db, limits.countsMs);
  const appendInGroup = inGroups(limits, async (group) =>
    insert({ db, decide, limits, tally: await getTally() }, group),
  );
  return {
    /**
     * Writes a webhook down and returns its number once it is safe on disk.
     * Webhooks that come in together share one commit. Fails when the spool is full or cannot be written.
     */
    append: (body: Buffer, receivedAtMs: number): Promise<number> =>
      appendInGroup({ body, receivedAtMs }),

    /** The oldest waiting webhooks after `afterSeq`, in the order in which they came in. */
    async next(limit: number, afterSeq = 0): Promise<SpooledWebhook[]> {
      const rows = await db
        .selectFrom('spool')
        .select(['seq', 'received_at_ms as receivedAtMs', 'body'])
        .where('state', '=', WAITING)
        .where('seq', '>', afterSeq)
        .orderBy('seq')
        .limit(limit)
        .execute();
      // The driver hands a blob out as an ArrayBuffer.
      return rows.map((row) => ({ ...row, body: Buffer.from(row.body) }));
    },

    /** Stores the end of webhooks. Those that no longer wait stay as they are. */
    async settle(seqs: readonly number[], settlement: Settlement): Promise<void> {
      for (let from = 0; from < seqs.length; from += STATEMENT_ROWS_MAX) {
        const some = seqs.slice(from, from + STATEMENT_ROWS_MAX);
        await settleSome({ db, decide, limits, tally: await getTally() }, some, settlement);
      }
    },

    /** Forgets some of the settled webhooks that are too old; returns how many. Call it until that is 0. */
    prune: async (nowMs: number): Promise<number> =>
      forget({ db, decide, limits, tally: await getTally() }, nowMs - limits.keepSettledMs),

    counts: async (): Promise<SpoolCounts> =>
      readCounts({ db, decide, limits, tally: await getTally() }),
  };
}

type Context = Access & Readonly<{ limits: SpoolLimits; tally: Tally }>;

async function insert(context: Context, group: readonly NewWebhook[]): Promise<number[]> {
  const { decide, tally } = context;
  await makeRoom(context, group);
  const rows = await decide([{ part: 'spool' }], (tx) =>
    tx.insertInto('spool').values(group.map(toRow)).returning('seq').execute(),
  );
  for (const { body, receivedAtMs } of group) {
    count(tally.waiting, 1, body.length);
    tally.lastReceivedAtMs = receivedAtMs;
  }
  return rows.map((row) => row.seq).sort((a, b) => a - b);
}

const toRow = ({ body, receivedAtMs }: NewWebhook) => ({
  received_at_ms: receivedAtMs,
  body_sha256: createHash('sha256').update(body).digest('hex'),
  body,
  state: 'WAITING' satisfies SpoolState,
});

async function makeRoom(context: Context, group: readonly NewWebhook[]): Promise<void> {
  while (!hasRoom(context, group)) {
    const forgotten = await forget(context, Number.MAX_SAFE_INTEGER);
    if (forgotten > 0) continue;
    throw new Error(`the spool is full: ${context.tally.waiting.rows} webhooks wait in it`);
  }
}

function hasRoom({ limits, tally }: Context, group: readonly NewWebhook[]): boolean {
  const { waiting, settled } = tally;
  const addedBytes = group.reduce((sum, { body }) => sum + body.length, 0);
  return (
    waiting.rows + settled.rows + group.length <= limits.rowsMax &&
    waiting.sizeBytes + settled.sizeBytes + addedBytes <= limits.sizeBytesMax
  );
}

async function forget({ db, decide, tally }: Context, receivedBeforeMs: number): Promise<number> {
  if (tally.settled.rows === 0) return 0;
  const oldest = db
    .selectFrom('spool')
    .select('seq')
    .where('state', '!=', WAITING)
    .where('received_at_ms', '<', receivedBeforeMs)
    .orderBy('seq')
    .limit(STATEMENT_ROWS_MAX);
  const forgotten = await decide([{ part: 'spool' }], (tx) =>
    tx
      .deleteFrom('spool')
      .where('seq', 'in', oldest)
      .returning(BODY_SIZE.as('sizeBytes'))
      .execute(),
  );
  for (const { sizeBytes } of forgotten) count(tally.settled, -1, -sizeBytes);
  return forgotten.length;
}

async function settleSome(
  { decide, tally }: Context,
  seqs: readonly number[],
  { state, atMs }: Settlement,
): Promise<void> {
  const settled = await decide([{ part: 'spool' }], (tx) =>
    tx
      .updateTable('spool')
      .set({ state, settled_at_ms: atMs })
      .where('seq', 'in', [...seqs])
      .where('state', '=', WAITING)
      .returning(BODY_SIZE.as('sizeBytes'))
      .execute(),
  );
  for (const { sizeBytes } of settled) {
    count(tally.waiting, -1, -sizeBytes);
    count(tally.settled, 1, sizeBytes);
  }
}

async function readCounts({ db, limits, tally }: Context): Promise<SpoolCounts> {
  const oldest = await db
    .selectFrom('spool')
    .select('received_at_ms')
    .where('state', '=', WAITING)
    .orderBy('seq')
    .limit(1)
    .executeTakeFirst();
  return {
    waiting: tally.waiting.rows,
    settled: tally.settled.rows,
    room: roomBeside(tally.waiting, limits),
    oldestWaitingAtMs: oldest?.received_at_ms ?? null,
    lastReceivedAtMs: tally.lastReceivedAtMs,
  };
}

function roomBeside(waiting: Amount, limits: SpoolLimits): SpoolCounts['room'] {
  const share = Math.max(waiting.rows / limits.rowsMax, waiting.sizeBytes / limits.sizeBytesMax);
  if (share >= 1) return 'full';
  return share >= 0.5 ? 'high' : 'ample';
}

type Amount = { rows: number; sizeBytes: number };
type Tally = { waiting: Amount; settled: Amount; lastReceivedAtMs: number | null };

function count(amount: Amount, rows: number, sizeBytes: number): void {
  amount.rows += rows;
  amount.sizeBytes += sizeBytes;
}

/** Counts the table rarely, so that taking a webhook never does; each change of the table updates the count. */
function createTallyKeeper(db: Db, keptMs: number): () => Promise<Tally> {
  let reading: Promise<Tally> | undefined;
  let readAtMs = 0;

  async function read(): Promise<Tally> {
    try {
      return await readTally(db);
    } catch (error) {
      reading = undefined;
      throw error;
    }
  }

  return () => {
    if (performance.now() - readAtMs >= keptMs) reading = undefined;
    if (reading === undefined) readAtMs = performance.now();
    return (reading ??= read());
  };
}

async function readTally(db: Db): Promise<Tally> {
  const rows = await db
    .selectFrom('spool')
    .select(({ fn }) => [
      sql<number>`case when state = ${WAITING} then 1 else 0 end`.as('isWaiting'),
      fn.countAll<number>().as('rows'),
      fn.sum<number>(BODY_SIZE).as('sizeBytes'),
      fn.max('received_at_ms').as('lastReceivedAtMs'),
    ])
    .groupBy('isWaiting')
    .execute();
  const amountOf = (isWaiting: number): Amount => {
    const found = rows.find((row) => row.isWaiting === isWaiting);
    return { rows: found?.rows ?? 0, sizeBytes: found?.sizeBytes ?? 0 };
  };
  return {
    waiting: amountOf(1),
    settled: amountOf(0),
    lastReceivedAtMs:
      rows.length === 0 ? null : Math.max(...rows.map((row) => row.lastReceivedAtMs)),
  };
}
