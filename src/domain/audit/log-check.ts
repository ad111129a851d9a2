import { CLOSE_LOG, HEAD } from './actions.ts';
import { breakOf, CHAIN_START, type ChainedEntry, type ChainLink, type Hashing } from './chain.ts';
import { type BatchChainEnd, isHeadDue } from './log-end.ts';

/** A fault of the log at an entry. */
export type LogFault = Readonly<{ seq: number; problem: string }>;

/** Checks the chains of a log, whose entries come in the order of their numbers. */
export type LogCheck = Readonly<{
  /** Returns the fault of an entry, or null. After a fault the check continues from that entry. */
  take(entry: ChainedEntry, hashing?: Hashing): string | null;
  /** The faults that show at the end of the log: heads of batches that the store chain lacks. */
  rest(): readonly LogFault[];
}>;

type BatchChain = Readonly<{
  end: BatchChainEnd;
  /** The number of the entry whose head the store chain must name; null: it has named it. */
  due: number | null;
}>;

/**
 * The chains of a log: the first one, which had the entries of all batches, then the store chain and one of each batch.
 * `batchIds`: the log has the entries of these batches alone, beside those of the first chain and of the store chain.
 */
export function createLogCheck(batchIds?: readonly string[]): LogCheck {
  const batches = new Map<string, BatchChain>();
  let first: ChainLink = { n: 0, hash: CHAIN_START.hash };
  let store: ChainLink = first;
  let root = CHAIN_START.hash;

  const takeFirst = (entry: ChainedEntry, hashing?: Hashing): string | null => {
    const problem = breakOf(first, entry, hashing);
    first = { n: entry.seq, hash: entry.hash };
    return problem;
  };

  const takeHead = ({ detail }: ChainedEntry): string | null => {
    const { batch, n, hash } = detail;
    if (typeof batch !== 'string' || batchIds?.includes(batch) === false) return null;
    const chain = batches.get(batch);
    if (chain !== undefined) batches.set(batch, { ...chain, due: null });
    const isEnd = chain?.end.n === n && chain?.end.hash === hash;
    return isEnd
      ? null
      : `it names entry ${String(n)} of batch ${batch}, and the log has another end`;
  };

  const takeStore = (entry: ChainedEntry, n: number, hashing?: Hashing): string | null => {
    const isFirst = store.n === 0;
    const problem = breakOf(isFirst ? { n: 0, hash: first.hash } : store, entry, hashing);
    store = { n, hash: entry.hash };
    const closes = isFirst && entry.action === CLOSE_LOG;
    if (closes) root = entry.hash;
    if (problem !== null) return problem;
    if (isFirst && !closes && first.n > 0)
      return 'the entry that closes the first chain is missing';
    return entry.action === HEAD ? takeHead(entry) : null;
  };

  const takeBatch = (
    entry: ChainedEntry & Readonly<{ batchId: string }>,
    n: number,
    hashing?: Hashing,
  ): string | null => {
    const chain = batches.get(entry.batchId);
    const problem = breakOf(chain?.end ?? { n: 0, hash: root }, entry, hashing);
    const isDue = isHeadDue(chain?.end.atMs ?? null, entry);
    const end = { n, hash: entry.hash, atMs: entry.atMs };
    batches.set(entry.batchId, { end, due: isDue ? entry.seq : (chain?.due ?? null) });
    return problem;
  };

  return {
    take(entry, hashing) {
      const { n, batchId: about } = entry;
      if (n === null) return takeFirst(entry, hashing);
      if (about === null) return takeStore(entry, n, hashing);
      return takeBatch({ ...entry, batchId: about }, n, hashing);
    },
    rest: () =>
      [...batches].flatMap(([batch, { due }]) =>
        due === null
          ? []
          : [{ seq: due, problem: `the entry after it, the head of batch ${batch}, is missing` }],
      ),
  };
}
