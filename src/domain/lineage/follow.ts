/**
 * How often the end of one mass payout may be taken back. People send a withdrawal again a few times. After more
 * changes no state of the service is used, so that the batch comes to its end.
 */
export const REOPENED_MAX = 8;

/** The longest time between two rechecks, in milliseconds: a day. */
export const FOLLOW_MS_MAX = 86_400_000;

/** How long to wait before ends that people can change are read again: shortly after a change, then ever longer. */
export const nextFollowMs = (
  delayMs: number,
  { changed, firstMs }: Readonly<{ changed: boolean; firstMs: number }>,
): number => Math.min(changed ? firstMs : Math.max(delayMs * 2, firstMs), FOLLOW_MS_MAX);
