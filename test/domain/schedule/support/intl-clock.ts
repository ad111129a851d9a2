const clocks = new Map<string, Intl.DateTimeFormat>();

/** Making one takes longer than asking it a hundred times. */
function clockOf(timezone: string): Intl.DateTimeFormat {
  const clock =
    clocks.get(timezone) ??
    new Intl.DateTimeFormat('sv-SE', {
      timeZone: timezone,
      dateStyle: 'short',
      timeStyle: 'short',
    });
  clocks.set(timezone, clock);
  return clock;
}

/** What the clocks of a zone show, read with Intl alone, as `2026-11-30T09:00`. Swedes write as ISO 8601 does. */
export const wallAt = (instantMs: number, timezone: string): string =>
  clockOf(timezone).format(instantMs).replace(' ', 'T');

const offsetAt = (instantMs: number, timezone: string): number =>
  Date.parse(`${wallAt(instantMs, timezone)}Z`) - Math.floor(instantMs / 60_000) * 60_000;

const DAY_MS = 86_400_000;

/** Every instant at which the clocks show a time, in order; none in a gap, two where clocks go back. */
export function instantsOf(wall: string, timezone: string): number[] {
  const asUtcMs = Date.parse(`${wall}Z`);
  const found = [-2, -1, 0, 1, 2].flatMap((days) => {
    const instantMs = asUtcMs - offsetAt(asUtcMs + days * DAY_MS, timezone);
    return wallAt(instantMs, timezone) === wall ? [instantMs] : [];
  });
  return [...new Set(found)].sort((a, b) => a - b);
}

/** The instant that a time would have had if the clocks had not jumped. */
export const instantWithoutJump = (wall: string, timezone: string): number => {
  const asUtcMs = Date.parse(`${wall}Z`);
  return asUtcMs - offsetAt(asUtcMs - 2 * DAY_MS, timezone);
};
