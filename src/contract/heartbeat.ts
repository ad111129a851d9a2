/** How often an activity tells Temporal that its worker goes on, in milliseconds. */
export const HEARTBEAT_INTERVAL_MS = 1_500;

/** A worker that was not heard of for so long is taken for dead, in milliseconds: two heartbeats may get lost before. */
export const HEARTBEAT_TIMEOUT_MS = 5_000;
