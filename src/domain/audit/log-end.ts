import { CLOSE_LOG, ENGINE, HEAD } from './actions.ts';
import {
  type AuditEntry,
  CHAIN_START,
  chained,
  type ChainedEntry,
  type ChainHead,
  type ChainLink,
  type EntryTexts,
  textsOf,
} from './chain.ts';

const HOUR_MS = 3_600_000;

/** After an entry of such an action the store chain names the end of the batch. */
const HEADED: readonly string[] = ['release', 'report', 'end', 'report-version'];

/** The end of the chain of a batch, and the time of its newest entry. */
export type BatchChainEnd = ChainLink & Readonly<{ atMs: number }>;

/** The end of the store chain, which has the entries about no batch and the heads of batches. */
export type StoreChainEnd = Readonly<{
  link: ChainLink;
  /** The hash from which the chain of each batch begins; null: it was not read, since the batch has its chain. */
  root: string | null;
  /** The end of the first chain, which an entry must close; null: it is closed, or the log has none. */
  open: ChainHead | null;
}>;

/** The ends of a log, for entries about one batch or about none. */
export type LogEnd = Readonly<{
  /** null: the batch has no chain yet. */
  batch: BatchChainEnd | null;
  /** null: none of the entries needs the store chain. */
  store: StoreChainEnd | null;
}>;

export const EMPTY_STORE: StoreChainEnd = {
  link: { n: 0, hash: CHAIN_START.hash },
  root: CHAIN_START.hash,
  open: null,
};

/** An entry and the texts that its hash covers. */
export type WrittenEntry = Readonly<{ entry: ChainedEntry; texts: EntryTexts }>;

/**
 * Whether the store chain must name the end of a batch after this entry: at its first entry, its release, a report, its
 * end, and at its first entry of each hour.
 */
export const isHeadDue = (
  previousAtMs: number | null,
  { action, atMs }: Readonly<{ action: string; atMs: number }>,
): boolean =>
  previousAtMs === null || HEADED.includes(action) || hourOf(previousAtMs) !== hourOf(atMs);

const hourOf = (atMs: number): number => Math.floor(atMs / HOUR_MS);

/** Whether entries about one batch, or about none, need the store chain. */
export function needsStoreChain(
  batch: BatchChainEnd | null,
  entries: readonly AuditEntry[],
): boolean {
  let previousAtMs = batch?.atMs ?? null;
  return entries.some((entry) => {
    const isDue = entry.batchId === null || isHeadDue(previousAtMs, entry);
    previousAtMs = entry.atMs;
    return isDue;
  });
}

/** How many entries {@link continued} returns. */
export function countToWrite({ store }: LogEnd, entries: readonly AuditEntry[]): number {
  const [entry] = entries;
  if (entry === undefined || store === null) return entries.length;
  return entries.length + (store.open === null ? 0 : 1) + (entry.batchId === null ? 0 : 1);
}

/** `seqs`: the numbers of the entries to write, in order. */
type Numbering = Readonly<{ seqs: readonly number[]; sha256(text: string): string }>;

/** The entries to write so that a log continues with `entries`, which are all about one batch or all about none. */
export function continued(
  { batch, store }: LogEnd,
  entries: readonly AuditEntry[],
  { seqs, sha256 }: Numbering,
): readonly WrittenEntry[] {
  const written: WrittenEntry[] = [];
  const add = (end: ChainLink, content: AuditEntry): ChainLink => {
    const texts = textsOf(content);
    const n = end.n + 1;
    const seq = seqs[written.length];
    if (seq === undefined) throw new Error('an entry has no number');
    const place = { seq, n, previousHash: end.hash };
    const entry = chained(place, content, { sha256, texts });
    written.push({ entry, texts });
    return { n, hash: entry.hash };
  };
  const last = entries.at(-1);
  if (last === undefined) return written;
  const { atMs, batchId } = last;
  const ofStore = { atMs, batchId: null, actor: ENGINE };
  let storeEnd = store;
  if (storeEnd !== null && storeEnd.open !== null) {
    const closing = { ...ofStore, action: CLOSE_LOG, detail: { ...storeEnd.open } };
    const link = add({ n: 0, hash: storeEnd.open.hash }, closing);
    storeEnd = { link, root: link.hash, open: null };
  }
  let end: ChainLink | undefined =
    batchId === null ? storeEnd?.link : (batch ?? rootLink(storeEnd));
  for (const entry of entries) {
    if (end === undefined) throw new Error('the store chain was not read');
    end = add(end, entry);
  }
  if (batchId !== null && storeEnd !== null && end !== undefined) {
    add(storeEnd.link, { ...ofStore, action: HEAD, detail: { batch: batchId, ...end } });
  }
  return written;
}

const rootLink = (store: StoreChainEnd | null): ChainLink | undefined =>
  store === null || store.root === null ? undefined : { n: 0, hash: store.root };
