import type { Db } from '../database/db.ts';
import type { Access } from '../database/decide.ts';
import type { Selectable } from 'kysely';
import {
  type AuditEntry,
  CHAIN_START,
  type ChainedEntry,
  type ChainHead,
  type Hashing,
  isAsWritten,
} from '../../domain/audit/chain.ts';
import type { Facts } from '../../domain/audit/facts.ts';
import { createLogCheck } from '../../domain/audit/log-check.ts';
import { appendAudit } from './append.ts';
import { sha256 } from './facts.ts';
import type { Schema } from '../database/schema.ts';

/** Entries that are read at once. */
const PAGE = 500;

/** The result of checking the log, or the part of it that concerns one batch. */
export type AuditCheck = Readonly<{
  /** The number of checked entries. */
  entries: number;
  /** The end of the store chain, or of the chain of the batch. */
  head: ChainHead;
  /** The first entry that is not as it was written; null when all are. */
  broken: Readonly<{ seq: number; problem: string }> | null;
}>;

/** An entry and its fault. `entry` is null for a fault that shows at the end of the log. */
export type WalkedEntry = Readonly<{
  entry: ChainedEntry | null;
  seq: number;
  problem: string | null;
}>;

/** Entries of one batch, or of all, that come after a number, without those of some actions. */
export type Which = Readonly<{
  batchId?: string;
  afterSeq?: number;
  without?: readonly string[];
  limit: number;
}>;

/** Who decided or tried what. Entries are added and never changed; each has the hash of the one before in its chain. */
export const createAuditStore = ({ db, decide }: Access) => ({
  append: (entry: AuditEntry): Promise<ChainHead> =>
    decide(entry.batchId === null ? ['chain'] : [{ batch: entry.batchId }], (tx) =>
      appendAudit(tx, entry),
    ),

  /** Entries in order, at most `limit`, of one batch or of all. */
  list: (which: Which): Promise<ChainedEntry[]> => listEntries(db, which),

  /** The latest entry of an action that is meant; undefined: there is none. */
  latest: (
    action: string,
    isMeant: (entry: ChainedEntry) => boolean,
  ): Promise<ChainedEntry | undefined> => latestEntry(db, action, isMeant),

  /** All entries of an action about a batch, in order. */
  ofAction: (batchId: string, action: string): Promise<ChainedEntry[]> =>
    entriesOfAction(db, batchId, action),

  /** The newest entry of all chains. */
  head: async (): Promise<ChainHead> => (await readHead(db)) ?? CHAIN_START,

  /** The newest entry of the store chain, which has the heads of all batches; undefined: the log is empty. */
  storeHead: async (): Promise<ChainHead | undefined> =>
    (await readStoreHead(db)) ?? (await readHead(db)),

  /** The newest entry about a batch; undefined when there is none. Nothing of its chain can change without its hash. */
  headOf: (batchId: string): Promise<ChainHead | undefined> => readHead(db, batchId),

  /**
   * Every entry in order, each with its fault; after a broken one the walk continues from that entry. `batchIds`: of the
   * chains of batches these alone.
   */
  walk: (batchIds?: readonly string[]): AsyncGenerator<WalkedEntry> => walk(db, batchIds),

  /**
   * Checks the whole log, or of the chains of batches one alone. Entries that were cut off after the last head show only
   * against an entry that is kept elsewhere.
   */
  verify: (batchId?: string): Promise<AuditCheck> => verify(db, batchId),

  /** Hashes by the number of the entry, of entries of any chain that have the hash of their content. */
  writtenHashes: (from: number, to: number): Promise<Map<number, string>> =>
    writtenHashes(db, from, to),
});

const readHead = (db: Db, batchId?: string): Promise<ChainHead | undefined> =>
  db
    .selectFrom('audit')
    .select(['seq', 'hash'])
    .$if(batchId !== undefined, (query) => query.where('batch_id', '=', batchId ?? ''))
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst();

const readStoreHead = (db: Db): Promise<ChainHead | undefined> =>
  db
    .selectFrom('audit')
    .select(['seq', 'hash'])
    .where('batch_id', 'is', null)
    .where('n', 'is not', null)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst();

async function listEntries(db: Db, which: Which): Promise<ChainedEntry[]> {
  return (await listRows(db, which)).map(toEntry);
}

const listRows = (db: Db, { batchId, afterSeq = 0, without = [], limit }: Which) =>
  db
    .selectFrom('audit')
    .selectAll()
    .where('seq', '>', afterSeq)
    .$if(batchId !== undefined, (query) => query.where('batch_id', '=', batchId ?? ''))
    .$if(without.length > 0, (query) => query.where('action', 'not in', without))
    .orderBy('seq')
    .limit(limit)
    .execute();

async function entriesOfAction(db: Db, batchId: string, action: string): Promise<ChainedEntry[]> {
  const rows = await db
    .selectFrom('audit')
    .selectAll()
    .where('batch_id', '=', batchId)
    .where('action', '=', action)
    .orderBy('seq')
    .execute();
  return rows.map(toEntry);
}

async function latestEntry(
  db: Db,
  action: string,
  isMeant: (entry: ChainedEntry) => boolean,
): Promise<ChainedEntry | undefined> {
  for (let beforeSeq = Number.MAX_SAFE_INTEGER; ; ) {
    const rows = await db
      .selectFrom('audit')
      .selectAll()
      .where('action', '=', action)
      .where('seq', '<', beforeSeq)
      .orderBy('seq', 'desc')
      .limit(PAGE)
      .execute();
    const found = rows.map(toEntry).find(isMeant);
    const last = rows.at(-1);
    if (found !== undefined || last === undefined) return found;
    beforeSeq = last.seq;
  }
}

async function* walk(db: Db, batchIds?: readonly string[]): AsyncGenerator<WalkedEntry> {
  const check = createLogCheck(batchIds);
  // Goes on by the number of the last entry: a forged entry with a lower number would never be read again.
  for (let afterSeq = Number.MIN_SAFE_INTEGER; ; ) {
    const page = await chainsOf(db, batchIds)
      .where('seq', '>', afterSeq)
      .orderBy('seq')
      .limit(PAGE)
      .execute();
    for (const row of page) {
      const entry = toEntry(row);
      yield { entry, seq: entry.seq, problem: check.take(entry, hashingOf(row)) };
      afterSeq = entry.seq;
    }
    if (page.length < PAGE) break;
  }
  for (const fault of check.rest()) yield { entry: null, ...fault };
}

/** The entries of the first chain, of the store chain and of the chains of some batches, or of all. */
const chainsOf = (db: Db, batchIds?: readonly string[]) =>
  db
    .selectFrom('audit')
    .selectAll()
    .$if(batchIds !== undefined, (query) =>
      query.where(({ or, eb }) =>
        or([eb('batch_id', 'in', batchIds ?? []), eb('batch_id', 'is', null), eb('n', 'is', null)]),
      ),
    );

/** Compared byte by byte: Bursar did not write an entry with the same meaning in other text. */
const hashingOf = (row: Selectable<Schema['audit']>): Hashing => ({
  sha256,
  texts: { detailJson: row.detail_json, factsJson: row.facts_json },
});

async function verify(db: Db, batchId?: string): Promise<AuditCheck> {
  let head = CHAIN_START;
  let entries = 0;
  for await (const { entry, seq, problem } of walk(
    db,
    batchId === undefined ? undefined : [batchId],
  )) {
    if (problem !== null) return { entries, head, broken: { seq, problem } };
    if (entry === null) continue;
    entries += 1;
    const isOfEnd = entry.n === null || entry.batchId === (batchId ?? null);
    if (isOfEnd) head = { seq, hash: entry.hash };
  }
  return { entries, head, broken: null };
}

async function writtenHashes(db: Db, from: number, to: number): Promise<Map<number, string>> {
  const rows = await db
    .selectFrom('audit')
    .selectAll()
    .where('seq', '>=', from)
    .where('seq', '<=', to)
    .orderBy('seq')
    .execute();
  const written = rows.filter((row) => isAsWritten(toEntry(row), hashingOf(row)));
  return new Map(written.map(({ seq, hash }) => [seq, hash]));
}

const toEntry = (row: Selectable<Schema['audit']>): ChainedEntry => ({
  seq: row.seq,
  n: row.n,
  atMs: row.at_ms,
  batchId: row.batch_id,
  actor: row.actor,
  action: row.action,
  detail: readJson(row.detail_json),
  ...(row.facts_json === null ? {} : { facts: readJson(row.facts_json) as Facts }),
  previousHash: row.previous_hash,
  hash: row.hash,
});

/** An entry that was made unreadable is shown as it is; its hash does not fit. */
function readJson(text: string): ChainedEntry['detail'] {
  try {
    return JSON.parse(text) as ChainedEntry['detail'];
  } catch {
    return { unreadable: text };
  }
}
