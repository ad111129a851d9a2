/** What one page can take of the codec server. Times in milliseconds. */
export const CODEC_SERVER_LIMITS = {
  /** A page of a history is at most 4 MB, and a third more in base64. */
  bodySizeBytesMax: 16 * 1024 * 1024,
  headerSizeBytesMax: 8 * 1024,
  connectionsMax: 64,
  headersTimeoutMs: 5_000,
  requestTimeoutMs: 30_000,
  keepAliveMs: 5_000,
  /** How long a browser may remember the answer to a preflight request, in seconds. */
  preflightAgeSeconds: 600,
} as const;
