import { sql } from 'kysely';
import type { RowNumber } from '../../domain/rows/row.ts';
import { appendAudit } from '../audit/append.ts';
import { ENGINE } from '../audit/audited.ts';
import type { Tx } from '../database/db.ts';
import type { Access } from '../database/decide.ts';

/**
 * WAITING: to be tried. SENDING: a try is under way. SENT: the server has accepted it. REFUSED: it was not accepted, and is not
 * tried again. UNCLEAR: the server may have accepted it, so it is not tried again. DROPPED: there was nothing to send any more.
 */
export type NoticeState = 'WAITING' | 'SENDING' | 'SENT' | 'REFUSED' | 'UNCLEAR' | 'DROPPED';

/** Names the notice of one row. */
export type NoticeAt = Readonly<{ batchId: string; row: RowNumber }>;

/** A notice that was taken to be tried. `attempts` counts this try. */
export type TakenNotice = NoticeAt &
  Readonly<{ chunk: number; attempts: number; createdAtMs: number }>;

/** What follows from a try. `error`: a code, without a word of the server. */
export type NoticeEnd =
  | Readonly<{ state: 'SENT' | 'DROPPED' }>
  | Readonly<{ state: 'REFUSED' | 'UNCLEAR'; error: string }>
  | Readonly<{ state: 'WAITING'; error: string; nextAtMs: number }>;

/** An end of a chunk whose rows were not searched yet. */
export type UnsearchedChunk = Readonly<{
  batchId: string;
  chunk: number;
  reopened: number;
  fingerprint: string;
}>;

/** Which batches have notices. */
export type NoticeScope = Readonly<{ account: string; submittedSinceMs: number; limit: number }>;

export type NoticeTake = Readonly<{
  account: string;
  nowMs: number;
  limit: number;
  /** Tries that may begin within one minute. */
  perMinute: number;
}>;

const MINUTE_MS = 60_000;

/** A try that has not ended after this time was cut off, in milliseconds. It is longer than a try takes. */
const CUT_OFF_MS = 10 * MINUTE_MS;

/** Rows that are written with one statement. */
const ROWS_PER_STATEMENT = 500;

/** Written out and not bound: SQLite then sees that its partial indexes fit. */
const WAITING = sql.lit('WAITING');
const SENDING = sql.lit('SENDING');

/** Notices to payees: at most one e-mail for each paid row. */
export const createNoticeStore = ({ db, decide }: Access) => ({
  /** Ends of chunks whose rows were not searched yet, the oldest batch first. An end that has changed counts as new. */
  unsearched: ({ account, submittedSinceMs, limit }: NoticeScope): Promise<UnsearchedChunk[]> =>
    db
      .selectFrom('chunk')
      .innerJoin('batch', 'batch.batch_id', 'chunk.batch_id')
      .select(['batch.batch_id as batchId', 'chunk.chunk', 'reopened'])
      .select(({ fn, val }) => fn.coalesce('payout_fingerprint', val('')).as('fingerprint'))
      .where('account', '=', account)
      .where('submitted_at_ms', '>=', submittedSinceMs)
      .where('final', '=', 1)
      .where('state', '=', 'CREATED')
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('payee_notice_chunk as seen')
              .select('seen.chunk')
              .whereRef('seen.batch_id', '=', 'chunk.batch_id')
              .whereRef('seen.chunk', '=', 'chunk.chunk')
              .whereRef('seen.reopened', '=', 'chunk.reopened')
              .where(({ eb, ref, fn, val }) =>
                eb(ref('seen.fingerprint'), '=', fn.coalesce('chunk.payout_fingerprint', val(''))),
              ),
          ),
        ),
      )
      .orderBy('submitted_at_ms')
      .orderBy('batch.batch_id')
      .orderBy('chunk.chunk')
      .limit(limit)
      .execute(),

  /** Stores that the rows of a chunk were searched, with a notice for each of these rows. A row that has one keeps it. */
  add: (of: UnsearchedChunk, rows: readonly RowNumber[], atMs: number): Promise<void> =>
    decide([{ part: 'notifications' }], (tx) => add(tx, { of, rows, atMs })),

  /**
   * Takes notices that are due, the longest due first. From then on a notice is SENDING, so no second try begins before this one
   * has ended.
   */
  take: (take: NoticeTake): Promise<TakenNotice[]> =>
    decide([{ part: 'notifications' }], (tx) => takeDue(tx, take)),

  /** Tries that were cut off, as by the end of a worker. They are SENDING until {@link end} is called. */
  cutOff: (account: string, nowMs: number): Promise<NoticeAt[]> =>
    db
      .selectFrom('payee_notice')
      .innerJoin('batch', 'batch.batch_id', 'payee_notice.batch_id')
      .select(['payee_notice.batch_id as batchId', 'row'])
      .where('account', '=', account)
      .where('state', '=', SENDING)
      .where('tried_at_ms', '<=', nowMs - CUT_OFF_MS)
      .execute(),

  /**
   * Stores the results of tries of one batch. Those that are not sent and not tried again get an entry in the log of the batch,
   * one for each reason. A notice that is not SENDING stays as it is.
   */
  end: (batchId: string, ends: ReadonlyMap<RowNumber, NoticeEnd>, atMs: number): Promise<void> =>
    storeEnds(decide, { batchId, ends, atMs }),

  /** The notices of a batch, by row. */
  list: (batchId: string) =>
    db
      .selectFrom('payee_notice')
      .select(['row', 'state', 'attempts', 'error', 'next_at_ms as nextAtMs'])
      .where('batch_id', '=', batchId)
      .orderBy('row')
      .execute(),
});

type NoticeEnds = Readonly<{
  batchId: string;
  ends: ReadonlyMap<RowNumber, NoticeEnd>;
  atMs: number;
}>;

/** Without an entry no payment of the batch waits for the write. */
async function storeEnds(
  decide: Access['decide'],
  { batchId, ends, atMs }: NoticeEnds,
): Promise<void> {
  const entries = entriesOf(ends);
  const part = { part: 'notifications' } as const;
  await decide(entries.length === 0 ? [part] : [{ batch: batchId }, part], async (tx) => {
    for (const [row, each] of ends) await endOne(tx, { batchId, row }, each);
    for (const entry of entries) await appendAudit(tx, { ...entry, atMs, batchId, actor: ENGINE });
  });
}

type NewNotices = Readonly<{ of: UnsearchedChunk; rows: readonly RowNumber[]; atMs: number }>;

async function add(tx: Tx, { of, rows, atMs }: NewNotices): Promise<void> {
  const { batchId, chunk, reopened, fingerprint } = of;
  for (let from = 0; from < rows.length; from += ROWS_PER_STATEMENT) {
    const page = rows.slice(from, from + ROWS_PER_STATEMENT).map((row) => ({
      batch_id: batchId,
      row,
      chunk,
      state: 'WAITING',
      attempts: 0,
      created_at_ms: atMs,
      next_at_ms: atMs,
      tried_at_ms: null,
      error: null,
    }));
    await tx
      .insertInto('payee_notice')
      .values(page)
      .onConflict((conflict) => conflict.columns(['batch_id', 'row']).doNothing())
      .execute();
  }
  await tx
    .insertInto('payee_notice_chunk')
    .values({ batch_id: batchId, chunk, reopened, fingerprint })
    .onConflict((conflict) =>
      conflict.columns(['batch_id', 'chunk', 'reopened', 'fingerprint']).doNothing(),
    )
    .execute();
}

async function takeDue(
  tx: Tx,
  { account, nowMs, limit, perMinute }: NoticeTake,
): Promise<TakenNotice[]> {
  const { begun } = await tx
    .selectFrom('payee_notice')
    .select(({ fn }) => fn.countAll<number>().as('begun'))
    .where('tried_at_ms', '>', nowMs - MINUTE_MS)
    .executeTakeFirstOrThrow();
  const free = Math.min(limit, perMinute - begun);
  if (free <= 0) return [];
  const due = await tx
    .selectFrom('payee_notice')
    .innerJoin('batch', 'batch.batch_id', 'payee_notice.batch_id')
    .select(['payee_notice.batch_id as batchId', 'row', 'chunk', 'attempts'])
    .select('created_at_ms as createdAtMs')
    .where('account', '=', account)
    .where('state', '=', WAITING)
    .where('next_at_ms', '<=', nowMs)
    .orderBy('next_at_ms')
    .orderBy('payee_notice.batch_id')
    .orderBy('row')
    .limit(free)
    .execute();
  for (const { batchId, row, attempts } of due) {
    await tx
      .updateTable('payee_notice')
      .set({ state: 'SENDING', attempts: attempts + 1, tried_at_ms: nowMs })
      .where('batch_id', '=', batchId)
      .where('row', '=', row)
      .execute();
  }
  return due.map((notice) => ({ ...notice, attempts: notice.attempts + 1 }));
}

async function endOne(tx: Tx, { batchId, row }: NoticeAt, end: NoticeEnd): Promise<void> {
  await tx
    .updateTable('payee_notice')
    .set({
      state: end.state,
      error: 'error' in end ? end.error : null,
      ...(end.state === 'WAITING' ? { next_at_ms: end.nextAtMs } : {}),
    })
    .where('batch_id', '=', batchId)
    .where('row', '=', row)
    .where('state', '=', SENDING)
    .execute();
}

/** One entry for each state and reason, with the numbers of its rows. */
function entriesOf(ends: ReadonlyMap<RowNumber, NoticeEnd>) {
  const rowsOf = new Map<string, RowNumber[]>();
  for (const [row, end] of ends) {
    if (end.state !== 'REFUSED' && end.state !== 'UNCLEAR') continue;
    const key = JSON.stringify([end.state, end.error]);
    rowsOf.set(key, [...(rowsOf.get(key) ?? []), row]);
  }
  return Array.from(rowsOf, ([key, rows]) => {
    const [state, error] = JSON.parse(key) as [string, string];
    const action = state === 'UNCLEAR' ? 'payee-notice-unclear' : 'payee-notice-refused';
    return { action, detail: { rows: rows.toSorted((a, b) => a - b), error } };
  });
}
