/** What one sender can take of the bridge. Times in milliseconds. */
export type BridgeLimits = Readonly<{
  /** What is kept of a body; the rest of a longer one is read and dropped. */
  bodySizeBytesMax: number;
  headerSizeBytesMax: number;
  connectionsMax: number;
  requestsPerConnectionMax: number;
  headersTimeoutMs: number;
  requestTimeoutMs: number;
  /** How often connections are checked against the two above. */
  timeoutCheckMs: number;
  keepAliveMs: number;
}>;

/**
 * The service sends one small webhook for each event, so all of this is far above its need.
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
