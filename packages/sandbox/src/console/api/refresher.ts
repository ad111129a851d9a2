/** Many events come together. One refresh shows them all. */
const DEBOUNCE_MS = 300;
/** While a batch runs, one refresh in a second is enough for people. */
const REFRESH_MS = 1_000;

export type Refresher = Readonly<{ now(): void; soon(): void }>;

/**
 * `now` refreshes at once. `soon` refreshes later, at most once a second, however often it is
 * called.
 */
export function createRefresher(refresh: () => void): Refresher {
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
