import type { Db } from '../database/db.ts';
import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';

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
}>;

/** At 100 webhooks a second this holds more than an hour without Temporal, and takes little more than 1 GiB of disk. */
export const SPOOL_LIMITS: SpoolLimits = {
  rowsMax: 500_000,
  sizeBytesMax: 1024 * 1024 * 1024,
  keepSettledMs: 3 * 24 * 60 * 60 * 1000,
  groupRowsMax: 250,
  groupSizeBytesMax: 8 * 1024 * 1024,
};

/** Webhooks settled or forgotten with one statement; keeps each commit short for the other writers of the store. */
const STATEMENT_ROWS_MAX = 500;

/** Written out and not bound: SQLite then sees at once that its index over waiting webhooks fits. */
const WAITING = sql.lit('WAITING');
const BODY_SIZE = sql<number>`length(body)`;

export type Spool = ReturnType<typeof createSpool>;

/**
 * Webhooks that were taken, on disk until they are handled. One process appends; its appended webhooks survive its own
 * end and a loss of power.
 */
export function createSpool(db: Db, limits: SpoolLimits = SPOOL_LIMITS) {
  const getTally = createTallyKeeper(db);
  const appendInGroup = inGroups(limits, async (group) =>
    insert({ db, limits, tally: await getTally() }, group),
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
        await settleSome({ db, limits, tally: await getTally() }, some, settlement);
      }
    },

    /** Forgets some of the settled webhooks that are too old; returns how many. Call it until that is 0. */
    prune: async (nowMs: number): Promise<number> =>
      forget({ db, limits, tally: await getTally() }, nowMs - limits.keepSettledMs),

    counts: async (): Promise<SpoolCounts> => readCounts({ db, limits, tally: await getTally() }),
  };
}

type NewWebhook = Readonly<{ body: Buffer; receivedAtMs: number }>;
type Context = Readonly<{ db: Db; limits: SpoolLimits; tally: Tally }>;

async function insert(context: Context, group: readonly NewWebhook[]): Promise<number[]> {
  const { db, tally } = context;
  await makeRoom(context, group);
  // One statement is one transaction: when it returns, all of the group is on disk.
  const rows = await db.insertInto('spool').values(group.map(toRow)).returning('seq').execute();
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

async function forget({ db, tally }: Context, receivedBeforeMs: number): Promise<number> {
  if (tally.settled.rows === 0) return 0;
  const oldest = db
    .selectFrom('spool')
    .select('seq')
    .where('state', '!=', WAITING)
    .where('received_at_ms', '<', receivedBeforeMs)
    .orderBy('seq')
    .limit(STATEMENT_ROWS_MAX);
  const forgotten = await db
    .deleteFrom('spool')
    .where('seq', 'in', oldest)
    .returning(BODY_SIZE.as('sizeBytes'))
    .execute();
  for (const { sizeBytes } of forgotten) count(tally.settled, -1, -sizeBytes);
  return forgotten.length;
}

async function settleSome(
  { db, tally }: Context,
  seqs: readonly number[],
  { state, atMs }: Settlement,
): Promise<void> {
  const settled = await db
    .updateTable('spool')
    .set({ state, settled_at_ms: atMs })
    .where('seq', 'in', [...seqs])
    .where('state', '=', WAITING)
    .returning(BODY_SIZE.as('sizeBytes'))
    .execute();
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

/** Counts the table once, so that taking a webhook never does; each change of the table updates the count. */
function createTallyKeeper(db: Db): () => Promise<Tally> {
  let reading: Promise<Tally> | undefined;

  async function read(): Promise<Tally> {
    try {
      return await readTally(db);
    } catch (error) {
      reading = undefined;
      throw error;
    }
  }

  return () => (reading ??= read());
}

async function readTally(db: Db): Promise<Tally> {
  const rows = await db
    .selectFrom('spool')
    .select(({ fn }) => [
      sql<number>`state = ${WAITING}`.as('isWaiting'),
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

type Waiter = Readonly<{
  webhook: NewWebhook;
  resolve: (seq: number) => void;
  reject: (cause: unknown) => void;
}>;

/** A commit costs about the same for one webhook as for hundreds, so webhooks that arrive together are stored together. */
function inGroups(
  limits: SpoolLimits,
  write: (group: readonly NewWebhook[]) => Promise<readonly number[]>,
): (webhook: NewWebhook) => Promise<number> {
  const waiters: Waiter[] = [];
  let isWriting = false;

  async function writeAll(): Promise<void> {
    isWriting = true;
    while (waiters.length > 0) {
      // What this turn of the event loop still brings in belongs to the group.
      await setImmediate();
      await writeGroup(waiters.splice(0, groupLength(waiters, limits)));
    }
    isWriting = false;
  }

  async function writeGroup(group: readonly Waiter[]): Promise<void> {
    try {
      const seqs = await write(group.map((waiter) => waiter.webhook));
      group.forEach((waiter, i) => waiter.resolve(seqs[i] as number));
    } catch (cause) {
      for (const waiter of group) waiter.reject(cause);
    }
  }

  return (webhook) =>
    new Promise((resolve, reject) => {
      waiters.push({ webhook, resolve, reject });
      if (!isWriting) void writeAll();
    });
}

/** How many of the first ones fit into one group; at least one, however large it is. */
function groupLength(waiters: readonly Waiter[], limits: SpoolLimits): number {
  let sizeBytes = 0;
  const tooLarge = waiters.slice(0, limits.groupRowsMax).findIndex(({ webhook }, i) => {
    sizeBytes += webhook.body.length;
    return i > 0 && sizeBytes > limits.groupSizeBytesMax;
  });
  return tooLarge === -1 ? limits.groupRowsMax : tooLarge;
}
