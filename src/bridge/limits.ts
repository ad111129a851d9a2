/** Limits that keep one sender from using up the bridge. Times in milliseconds. */
export type BridgeLimits = Readonly<{
  /** Bytes of a body that are stored. The bridge reads and drops the others. */
  bodySizeBytesMax: number;
  headerSizeBytesMax: number;
  connectionsMax: number;
  requestsPerConnectionMax: number;
  headersTimeoutMs: number;
  requestTimeoutMs: number;
  /** Time between two checks of all connections against the two timeouts above. */
  timeoutCheckMs: number;
  keepAliveMs: number;
}>;

/**
 * The service sends one small webhook for each event, so it stays far below these limits.
 * `connectionsMax` bodies of the largest size take 64 MiB of memory.
 */
export const BRIDGE_LIMITS: BridgeLimits = {
  bodySizeBytesMax: 256 * 1024,
  headerSizeBytesMax: 8 * 1024,
  connectionsMax: 256,
  requestsPerConnectionMax: 10_000,
  headersTimeoutMs: 5_000,
  requestTimeoutMs: 10_000,
  timeoutCheckMs: 1_000,
  keepAliveMs: 5_000,
};
