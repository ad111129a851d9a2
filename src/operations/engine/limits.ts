/** How long reaching Temporal, and one call to it, may take, in milliseconds. */
export const CONNECT_MS_MAX = 6_000;
export const CALL_MS_MAX = 15_000;

/** A worker polls at least once a minute. A worker that did not poll for this long is gone. Milliseconds. */
export const WORKER_SEEN_MS_MAX = 75_000;

/** Temporal's own address when no profile names one. */
export const ADDRESS_DEFAULT = '127.0.0.1:7233';

/**
 * Failed tasks of one workflow in a row before people are notified: two. A worker that is killed in the middle of a
 * task fails one, and Temporal gives the next one to another worker.
 */
export const FAILED_TASKS_MIN = 2;
