// oxlint-disable no-restricted-globals -- what is read here is a text that names its zone, and never a clock

/** When a batch was released, and when it is due at the earliest; null: not released, due at once. Milliseconds since 1970. */
export type ReleaseTimes = Readonly<{ releasedAtMs: number | null; dueAtMs: number | null }>;

/** The time that the submitter chose, and that the digest of the plan covers; null: the batch is due at once. */
export function dueAtMsOf(optionsJson: string): number | null {
  // Batches that were submitted before there was a choice have none.
  const { at = null } = JSON.parse(optionsJson) as Readonly<{ at?: string | null }>;
  return at === null ? null : Date.parse(at);
}

export const isDue = (dueAtMs: number | null, nowMs: number): boolean =>
  dueAtMs === null || nowMs >= dueAtMs;

/**
 * Whether a batch was released when it was due, or later. A release before counts for nothing.
 *
 * Example: bob and carol approve a plan that is to be paid in 30 days. A rogue workflow calls `releaseBatch` and `sendChunk` today.
 * Nothing leaves today, and nothing leaves in 31 days: by then the approvals have lapsed, and the batch needs another release.
 */
export const isReleased = ({ releasedAtMs, dueAtMs }: ReleaseTimes): boolean =>
  releasedAtMs !== null && isDue(dueAtMs, releasedAtMs);
