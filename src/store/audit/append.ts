import { CompiledQuery } from 'kysely';
import { CLOSE_LOG } from '../../domain/audit/actions.ts';
import { type AuditEntry, CHAIN_START, type ChainHead } from '../../domain/audit/chain.ts';
import {
  type BatchChainEnd,
  continued,
  countToWrite,
  EMPTY_STORE,
  type LogEnd,
  needsStoreChain,
  type StoreChainEnd,
  type WrittenEntry,
} from '../../domain/audit/log-end.ts';
import type { Tx } from '../database/db.ts';
import { wordsOf } from '../engine/words.ts';
import { sha256 } from './facts.ts';

/** Adds an entry within a transaction: the entry and its change are committed together. */
export async function appendAudit(tx: Tx, entry: AuditEntry): Promise<ChainHead> {
  const written = await appendEntries(tx, [entry]);
  const own = written.find((one) => one.entry.action === entry.action);
  if (own === undefined) throw new Error('the entry was not written');
  return { seq: own.entry.seq, hash: own.entry.hash };
}

/**
 * Adds entries about one batch, or about none, within a transaction: they and their changes are committed together.
 * Returns them, with the entries of the store chain that they need.
 */
export async function appendEntries(
  tx: Tx,
  entries: readonly AuditEntry[],
): Promise<readonly WrittenEntry[]> {
  const [entry] = entries;
  if (entry === undefined) return [];
  const { newest, ...end } = await readEnd(tx, entry.batchId, entries);
  const { entryNumbers } = wordsOf(tx);
  // The end was read within the lock of its chain, so the numbers are in the order of the chain.
  const seqs = await entryNumbers(tx, newest, countToWrite(end, entries));
  const written = continued(end, entries, { seqs, sha256 });
  const rows = written.map(() => VALUES).join(', ');
  await tx.executeQuery(CompiledQuery.raw(`${INSERT} ${rows}`, written.flatMap(valuesOf)));
  return written;
}

async function readEnd(
  tx: Tx,
  batchId: string | null,
  entries: readonly AuditEntry[],
): Promise<LogEnd & Pick<Newest, 'newest'>> {
  const { newest, batch } = await readNewest(tx, batchId);
  if (!needsStoreChain(batch, entries)) return { newest, batch, store: null };
  const { lockMore } = wordsOf(tx);
  await lockMore(tx, ['chain']);
  const begins = batchId !== null && batch === null;
  return { newest, batch, store: await readStoreEnd(tx, begins) };
}

type NewestRow = { seq: number | null; n: number | null; hash: string; atMs: number };
type Newest = Readonly<{ newest: number; batch: BatchChainEnd | null }>;

/** The number of the newest entry, and the end of the chain of a batch. */
async function readNewest(tx: Tx, batchId: string | null): Promise<Newest> {
  const { rows } = await tx.executeQuery<NewestRow>(CompiledQuery.raw(NEWEST, [batchId]));
  const { seq, n = null, hash = '', atMs = 0 } = rows[0] ?? {};
  return { newest: seq ?? 0, batch: n === null ? null : { n, hash, atMs } };
}

// Every step of a payment runs it, and to put such a query together costs as much as to run it.
const NEWEST = `select (select max(seq) from audit) as seq, own.n, own.hash, own.at_ms as "atMs"
  from (select 1) as one left join (select n, hash, at_ms from audit
    where batch_id = ? order by seq desc limit 1) as own on true`;

/** The end of the store chain. `begins`: the chain of a batch begins. */
async function readStoreEnd(tx: Tx, begins: boolean): Promise<StoreChainEnd> {
  const ofStore = tx
    .selectFrom('audit')
    .select(['seq', 'n', 'hash', 'action'])
    .where('batch_id', 'is', null)
    .where('n', 'is not', null)
    .limit(1);
  const newest = await ofStore.orderBy('seq', 'desc').executeTakeFirst();
  if (newest === undefined || newest.n === null) {
    const open = await readFirst(tx);
    return open === undefined ? EMPTY_STORE : { ...EMPTY_STORE, open };
  }
  const link = { n: newest.n, hash: newest.hash };
  if (!begins) return { link, root: null, open: null };
  const first = await ofStore.orderBy('seq').executeTakeFirst();
  return { link, root: first?.action === CLOSE_LOG ? first.hash : CHAIN_START.hash, open: null };
}

/** The end of the first chain, which no entry has closed. */
const readFirst = (tx: Tx): Promise<ChainHead | undefined> =>
  tx.selectFrom('audit').select(['seq', 'hash']).orderBy('seq', 'desc').limit(1).executeTakeFirst();

const INSERT = `insert into audit
  (seq, n, at_ms, batch_id, actor, action, detail_json, facts_json, previous_hash, hash) values`;
const VALUES = '(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)';

const valuesOf = ({ entry, texts: { detailJson, factsJson } }: WrittenEntry): unknown[] => [
  ...[entry.seq, entry.n, entry.atMs, entry.batchId, entry.actor, entry.action],
  ...[detailJson, factsJson, entry.previousHash, entry.hash],
];
