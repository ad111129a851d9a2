/** Retries after the first delivery. Spec: "Events" 4. */
export const WEBHOOK_RETRIES_MAX = 19;

/** First interval of the retries, in seconds. Spec: "Events" 4. */
export const WEBHOOK_RETRY_FIRST_S = 30;

/** Second interval, in seconds. Each later one is the sum of the two before. Spec: "Events" 4. */
export const WEBHOOK_RETRY_SECOND_S = 60;

/**
 * Waits between deliveries, in seconds: before the first retry, before the second, and so on.
 *
 * Spec: "Events" 4, "the first retry after 30 seconds; following intervals in the sequence 30 s, 60 s,
 * 90 s ... (each the sum of the two before)", is read as: 30 for the first retry, and then the
 * sequence that begins with 30 and 60 for the 18 retries that follow it. Only so are there 19 retries
 * of which the last waits 125430 s. It comes 328350 s (91.2 hours) after the first delivery.
 */
export function webhookRetryDelaysS(): readonly number[] {
  const delays = [WEBHOOK_RETRY_FIRST_S, WEBHOOK_RETRY_FIRST_S, WEBHOOK_RETRY_SECOND_S];
  while (delays.length < WEBHOOK_RETRIES_MAX) {
    delays.push((delays.at(-1) ?? 0) + (delays.at(-2) ?? 0));
  }
  return delays;
}

/** More failed deliveries than this block a subscription. Spec: "Limits". */
export const WEBHOOK_BLOCK_FAILURES = 100;

/** Time in which failed deliveries count for a block, in milliseconds. Spec: "Limits". */
export const WEBHOOK_BLOCK_WINDOW_MS = 600_000;

/** The only status that means delivered. Spec: "Events" 3. */
export const WEBHOOK_DELIVERED_STATUS = 200;
