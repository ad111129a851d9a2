/** Limits that keep one page from using up the codec server. Times in milliseconds. */
export const CODEC_SERVER_LIMITS = {
  /** One page of a history has at most 4 MB. Base64 adds a third. */
  bodySizeBytesMax: 16 * 1024 * 1024,
  headerSizeBytesMax: 8 * 1024,
  connectionsMax: 64,
  headersTimeoutMs: 5_000,
  requestTimeoutMs: 30_000,
  keepAliveMs: 5_000,
  /** Time for which a browser may cache the response to a preflight request, in seconds. */
  preflightAgeSeconds: 600,
} as const;
