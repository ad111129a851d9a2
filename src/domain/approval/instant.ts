// oxlint-disable no-restricted-globals -- what is read here is a text that names its zone, and never a clock

/** Milliseconds since 1970 of an instant as `toISOString` writes it; undefined for any other text: an instant has one text. */
export function instantMs(text: string): number | undefined {
  const ms = Date.parse(text);
  return !Number.isNaN(ms) && instantText(ms) === text ? ms : undefined;
}

/** An instant as ISO 8601 in UTC. */
export const instantText = (ms: number): string => new Date(ms).toISOString();
