import type { Db, Tx } from '../database/db.ts';
import type { Access } from '../database/decide.ts';
import { CompiledQuery, type Selectable } from 'kysely';
import {
  type AuditEntry,
  breakOf,
  CHAIN_START,
  chained,
  type ChainedEntry,
  type ChainHead,
  type EntryTexts,
  textsOf,
} from '../../domain/audit/chain.ts';
import type { Facts } from '../../domain/audit/facts.ts';
import { sha256 } from './facts.ts';
import type { Schema } from '../database/schema.ts';

/** Entries that are read at once. */
const PAGE = 500;

/** The result of checking the whole log. */
export type AuditCheck = Readonly<{
  entries: number;
  head: ChainHead;
  /** The first entry that is not as it was written; null when all are. */
  broken: Readonly<{ seq: number; problem: string }> | null;
}>;

/** An entry, and why it does not go on from the one before; null: it does. */
export type WalkedEntry = Readonly<{ entry: ChainedEntry; problem: string | null }>;

/** Entries of one batch, or of all, that come after a number, without those of some actions. */
export type Which = Readonly<{
  batchId?: string;
  afterSeq?: number;
  without?: readonly string[];
  limit: number;
}>;

/** Who decided or tried what. Entries are added and never changed; each has the hash of the one before. */
export const createAuditStore = ({ db, decide }: Access) => ({
  append: (entry: AuditEntry): Promise<ChainHead> =>
    decide(['chain'], (tx) => appendAudit(tx, entry)),

  /** Entries in order, at most `limit`, of one batch or of all. */
  list: (which: Which): Promise<ChainedEntry[]> => listEntries(db, which),

  /** The latest entry of an action that is meant; undefined: there is none. */
  latest: (
    action: string,
    isMeant: (entry: ChainedEntry) => boolean,
  ): Promise<ChainedEntry | undefined> => latestEntry(db, action, isMeant),

  /** The end of the chain. Written down elsewhere, it shows later whether entries were cut off. */
  head: async (): Promise<ChainHead> => (await readHead(db)) ?? CHAIN_START,

  /** The newest entry about a batch; undefined when there is none. Nothing of it can change without its hash. */
  headOf: (batchId: string): Promise<ChainHead | undefined> => readHead(db, batchId),

  /** Every entry in order, each with its fault; after a broken one the walk continues from that entry. */
  walk: (): AsyncGenerator<WalkedEntry> => walk(db),

  /** Checks the whole log. Entries that were cut off at its end show only against a head that is kept elsewhere. */
  verify: (): Promise<AuditCheck> => verify(db),
});

/** Adds entries within a transaction, in order: they and their changes are committed together. */
export async function appendEntries(tx: Tx, entries: readonly AuditEntry[]): Promise<void> {
  if (entries.length === 0) return;
  let head = await headOfChain(tx);
  const values: unknown[] = [];
  for (const entry of entries) {
    const texts = textsOf(entry);
    const next = chained(head, entry, { sha256, texts });
    values.push(...valuesOf(next, texts));
    head = { seq: next.seq, hash: next.hash };
  }
  const rows = entries.map(() => VALUES).join(', ');
  await tx.executeQuery(CompiledQuery.raw(`${INSERT} ${rows}`, values));
}

/** Adds an entry within a transaction: the entry and its change are committed together. */
export async function appendAudit(tx: Tx, entry: AuditEntry): Promise<ChainHead> {
  const texts = textsOf(entry);
  const next = chained(await headOfChain(tx), entry, { sha256, texts });
  await tx.executeQuery(CompiledQuery.raw(`${INSERT} ${VALUES}`, valuesOf(next, texts)));
  return { seq: next.seq, hash: next.hash };
}

const readHead = (db: Db, batchId?: string): Promise<ChainHead | undefined> =>
  db
    .selectFrom('audit')
    .select(['seq', 'hash'])
    .$if(batchId !== undefined, (query) => query.where('batch_id', '=', batchId ?? ''))
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst();

/** The end of the chain, for the entry that goes on from it. */
async function headOfChain(tx: Tx): Promise<ChainHead> {
  const { rows } = await tx.executeQuery<ChainHead>(NEWEST);
  return rows[0] ?? CHAIN_START;
}

// Every step of a payment runs it, and to put such a query together costs as much as to run it.
const NEWEST = CompiledQuery.raw('select seq, hash from audit order by seq desc limit 1');

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

async function* walk(db: Db): AsyncGenerator<WalkedEntry> {
  let head = CHAIN_START;
  // Goes on by the number of the last entry: a forged entry with a lower number would never be read again.
  for (let afterSeq = Number.MIN_SAFE_INTEGER; ; ) {
    const page = await listRows(db, { afterSeq, limit: PAGE });
    for (const row of page) {
      const entry = toEntry(row);
      // Compared byte by byte: Bursar did not write an entry with the same meaning in other text.
      const texts = { detailJson: row.detail_json, factsJson: row.facts_json };
      yield { entry, problem: breakOf(head, entry, { sha256, texts }) };
      head = { seq: entry.seq, hash: entry.hash };
    }
    if (page.length < PAGE) return;
    afterSeq = head.seq;
  }
}

async function verify(db: Db): Promise<AuditCheck> {
  let head = CHAIN_START;
  for await (const { entry, problem } of walk(db)) {
    if (problem !== null) {
      return { entries: head.seq, head, broken: { seq: head.seq + 1, problem } };
    }
    head = { seq: entry.seq, hash: entry.hash };
  }
  return { entries: head.seq, head, broken: null };
}

const INSERT = `insert into audit
  (seq, at_ms, batch_id, actor, action, detail_json, facts_json, previous_hash, hash) values`;
const VALUES = '(?, ?, ?, ?, ?, ?, ?, ?, ?)';

const valuesOf = (entry: ChainedEntry, { detailJson, factsJson }: EntryTexts): unknown[] => [
  ...[entry.seq, entry.atMs, entry.batchId, entry.actor, entry.action, detailJson, factsJson],
  ...[entry.previousHash, entry.hash],
];

const toEntry = (row: Selectable<Schema['audit']>): ChainedEntry => ({
  seq: row.seq,
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
