/** Many events come together; one refresh shows them all. */
const DEBOUNCE_MS = 300;
/** While a batch runs, one refresh in a second is enough for people. */
const REFRESH_MS = 1_000;

export type Refresher = Readonly<{ now(): void; soon(): void }>;

/** Refreshes at once when asked to, and now and then however often something happens. */
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
