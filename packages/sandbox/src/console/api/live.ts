import type { AdminEventTypes } from '@bursar/sandbox/admin';
import { createContext } from 'preact';
import { useContext, useLayoutEffect, useState } from 'preact/hooks';
import { callAdmin } from './call-admin.ts';

export type LiveState = 'connecting' | 'live' | 'lost';

/** Notifies its listeners when something may have changed in the sandbox. */
export type Live = Readonly<{
  state(): LiveState;
  /**
   * Calls the listener when lists should be read again, and when the state of the connection
   * changes.
   */
  listen(listener: LiveListener): () => void;
  /** Refreshes everything now, after an action on this page. */
  touch(): void;
}>;

export type LiveListener = Readonly<{ refresh?: () => void; moved?: (state: LiveState) => void }>;

/** Some changes have no event, such as new entries of the log of requests. */
const POLL_MS = 4_000;
const RECONNECT_MS = 1_000;

/** Follows the sandbox while the page is visible. A browser allows few connections to each host. */
export function createLive(): Live {
  const listeners = new Set<LiveListener>();
  let state: LiveState = 'connecting';
  let source: EventSource | null = null;
  let types: AdminEventTypes['types'] | null = null;
  let reconnectTimer = 0;
  const refresher = createRefresher(() => {
    for (const { refresh } of listeners) refresh?.();
  });

  function move(next: LiveState): void {
    if (next === state) return;
    state = next;
    for (const { moved } of listeners) moved?.(state);
  }

  function reconnectSoon(): void {
    source?.close();
    source = null;
    move('lost');
    clearTimeout(reconnectTimer);
    reconnectTimer = window.setTimeout(() => void connect(), RECONNECT_MS);
  }

  async function connect(): Promise<void> {
    clearTimeout(reconnectTimer);
    if (source !== null || document.hidden) return;
    try {
      types ??= (await callAdmin('GET /events/types')).types;
    } catch {
      // The lists show the error. Here it only leads to another attempt.
      return reconnectSoon();
    }
    // Another call may have connected already, and a hidden page needs no connection.
    if (source !== null || document.hidden) return;
    const stream = new EventSource('/sandbox/events/stream');
    source = stream;
    for (const { type } of types) stream.addEventListener(type, refresher.soon);
    stream.addEventListener('error', () => stream === source && reconnectSoon());
    stream.addEventListener('open', () => {
      move('live');
      refresher.now();
    });
  }

  function follow(): void {
    if (!document.hidden) return void connect();
    source?.close();
    source = null;
    move('connecting');
  }

  document.addEventListener('visibilitychange', follow);
  setInterval(() => document.hidden || refresher.soon(), POLL_MS);
  void connect();
  return {
    state: () => state,
    touch: refresher.now,
    listen(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

export const LiveContext = createContext<Live>({
  state: () => 'connecting',
  listen: () => () => {},
  touch: () => {},
});

export const useLive = (): Live => useContext(LiveContext);

export function useLiveState(): LiveState {
  const live = useLive();
  const [state, setState] = useState(live.state());
  // It listens in the task that read the state. An effect after the paint could miss a change.
  useLayoutEffect(() => live.listen({ moved: setState }), [live]);
  return state;
}

/** Many events come together. One refresh shows them all. */
const DEBOUNCE_MS = 300;
/** While a batch runs, one refresh in a second is enough for people. */
const REFRESH_MS = 1_000;

type Refresher = Readonly<{ now(): void; soon(): void }>;

/**
 * `now` refreshes at once. `soon` refreshes later, at most once a second, however often it is
 * called.
 */
function createRefresher(refresh: () => void): Refresher {
  let timer = 0;
  let refreshedMs = Number.NEGATIVE_INFINITY;

  function now(): void {
    clearTimeout(timer);
    timer = 0;
    refreshedMs = performance.now();
    refresh();
  }

  return {
    now,
    soon() {
      if (timer !== 0) return;
      const restMs = refreshedMs + REFRESH_MS - performance.now();
      timer = window.setTimeout(now, Math.max(DEBOUNCE_MS, restMs));
    },
  };
}
