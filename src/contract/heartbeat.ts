/** How often an activity sends a heartbeat to Temporal, in milliseconds. */
export const HEARTBEAT_INTERVAL_MS = 1_500;

/** After this time without a heartbeat a worker counts as dead, in milliseconds. Two heartbeats may get lost before. */
export const HEARTBEAT_TIMEOUT_MS = 5_000;
