import type { SandboxEvent } from '../core/events.ts';

/** An event with its number; numbers grow, over restarts too. */
export type FeedEntry = Readonly<{ n: number; atMs: number; event: SandboxEvent }>;

/** Everything that happens, for people who watch; it needs no subscription and knows no faults. */
export type Feed = Readonly<{
  /** Shows an event when the transaction in which it happened is durable. */
  publish(event: SandboxEvent): void;
  /** What is remembered and comes after a number, oldest first. */
  after(n: number, limit: number): FeedEntry[];
  /** What is remembered and comes before a number, newest first. */
  before(n: number, limit: number): FeedEntry[];
  /** The number of the latest event; 0 when there was none. */
  lastN(): number;
  /** Calls `listener` at every event until the returned function is called. */
  listen(listener: (entry: FeedEntry) => void): () => void;
}>;

export type FeedDeps = Readonly<{
  nowMs: () => number;
  afterCommit(work: () => void): void;
}>;

/** Events that are remembered, in memory only. */
const REMEMBERED_MAX = 10_000;

export function createFeed({ nowMs, afterCommit }: FeedDeps): Feed {
  const listeners = new Set<(entry: FeedEntry) => void>();
  // The place of an entry follows from its number, so that remembering one moves no other.
  const ring: FeedEntry[] = [];
  // Far more than one event in each millisecond of an earlier run would have to happen to meet it.
  const firstN = nowMs() * 1_000;
  let nextN = firstN;

  const firstRemembered = (): number => Math.max(firstN, nextN - REMEMBERED_MAX);

  /** The entries from one number up to and without another. */
  const range = (start: number, end: number): FeedEntry[] =>
    Array.from({ length: Math.max(0, end - start) }, (_, index) => start + index).flatMap(
      (each) => ring[(each - firstN) % REMEMBERED_MAX] ?? [],
    );

  function show(entry: FeedEntry): void {
    ring[(entry.n - firstN) % REMEMBERED_MAX] = entry;
    for (const listener of listeners) listener(entry);
  }

  return {
    publish(event) {
      const entry = { atMs: nowMs(), event: copyOf(event) };
      afterCommit(() => show({ ...entry, n: nextN++ }));
    },
    after(n, limit) {
      const start = Math.max(n + 1, firstRemembered());
      return range(start, Math.min(start + limit, nextN));
    },
    before(n, limit) {
      const end = Math.min(n, nextN);
      return range(Math.max(end - limit, firstRemembered()), end).reverse();
    },
    lastN: () => (nextN === firstN ? 0 : nextN - 1),
    listen(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/**
 * A copy that keeps nothing else alive: a text that came with a request is a window on its whole body, which would stay in
 * memory for as long as the event is remembered.
 */
const copyOf = (event: SandboxEvent): SandboxEvent =>
  JSON.parse(JSON.stringify(event)) as SandboxEvent;
