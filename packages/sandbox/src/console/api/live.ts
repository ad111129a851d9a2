import type { AdminEventTypes } from '@bursar/sandbox/admin';
import { createContext } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import { callAdmin } from './call-admin.ts';
import { createRefresher } from './refresher.ts';

export type LiveState = 'connecting' | 'live' | 'lost';

/** Tells when something may have changed in the sandbox. */
export type Live = Readonly<{
  state(): LiveState;
  /** Called when lists should be read again, and when the state of the connection changes. */
  listen(listener: LiveListener): () => void;
  /** Something was done here: everything is read again now. */
  touch(): void;
}>;

export type LiveListener = Readonly<{ refresh?: () => void; moved?: (state: LiveState) => void }>;

/** For what no event tells of, such as the log of requests. */
const POLL_MS = 4_000;
const RECONNECT_MS = 1_000;

/** Watches the sandbox while the page is seen. A browser has few connections to spare for each host. */
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
      // What went wrong is shown by the lists; here it only means to try again.
      return reconnectSoon();
    }
    // Another call may have been quicker, and a page that nobody sees needs none.
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
  useEffect(() => live.listen({ moved: setState }), [live]);
  return state;
}
