/**
 * How long a webhook may take after its change, in milliseconds. The service sends it at once, and a second time after
 * 30 seconds.
 */
export const WEBHOOK_DELAY_MS_MAX = 300_000;

/** A webhook may arrive before the answer or the read that shows the same change, in milliseconds. */
const LEAD_MS = 60_000;

/** How far back changes count, in milliseconds. */
export const CHANGES_MS = 86_400_000;

/**
 * `changedAtMs`: the newest change, at least WEBHOOK_DELAY_MS_MAX ago, that a webhook must have reported: an accepted
 * create, or another state in a read. null: none.
 */
export type WebhookTraffic = Readonly<{
  changedAtMs: number | null;
  lastReceivedAtMs: number | null;
}>;

/** Whether a webhook should have come, and none at all did: neither about that change nor about anything later. */
export const isSilent = ({ changedAtMs, lastReceivedAtMs }: WebhookTraffic): boolean =>
  changedAtMs !== null && (lastReceivedAtMs === null || lastReceivedAtMs < changedAtMs - LEAD_MS);
