/** A time in milliseconds since 1970 as ISO 8601 in UTC. */
export const isoTime = (atMs: number): string => new Date(atMs).toISOString();

export const isoTimeOrNull = (atMs: number | null): string | null =>
  atMs === null ? null : isoTime(atMs);
