import type { SandboxEvent } from '../core/events.ts';

/** An event with its number. Numbers grow, over restarts too. */
export type FeedEntry = Readonly<{ n: number; atMs: number; event: SandboxEvent }>;

/**
 * Every event, for people who follow the sandbox. It needs no subscription, and faults do not
 * affect it.
 */
export type EventFeed = Readonly<{
  /** Shows an event once its transaction is committed. */
  publish(event: SandboxEvent): void;
  /** Returns the kept events after a number, oldest first. */
  after(n: number, limit: number): FeedEntry[];
  /** Returns the kept events before a number, newest first. */
  before(n: number, limit: number): FeedEntry[];
  /** The number of the latest event. 0 when there was none. */
  lastN(): number;
  /** Calls `listener` at every event until the returned function is called. */
  listen(listener: (entry: FeedEntry) => void): () => void;
}>;

export type FeedDeps = Readonly<{
  nowMs: () => number;
  afterCommit(work: () => void): void;
}>;

/** The most events in memory. */
const REMEMBERED_MAX = 10_000;

export function createFeed({ nowMs, afterCommit }: FeedDeps): EventFeed {
  const listeners = new Set<(entry: FeedEntry) => void>();
  // A ring buffer: the number of an entry gives its index.
  const ring: FeedEntry[] = [];
  // An earlier run would need more than 1,000 events in each millisecond to reach this number.
  const firstN = nowMs() * 1_000;
  let nextN = firstN;

  const firstRemembered = (): number => Math.max(firstN, nextN - REMEMBERED_MAX);

  /** The entries from one number up to, but not including, another. */
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
 * Copies an event. A string of a request keeps the whole body in memory, for as long as the event
 * exists.
 */
const copyOf = (event: SandboxEvent): SandboxEvent =>
  JSON.parse(JSON.stringify(event)) as SandboxEvent;
