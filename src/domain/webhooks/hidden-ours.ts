import { unreadableAnswer, type UnreadPart } from '../settling/unreadable-parts.ts';
import type { WebhookHealth } from './standing.ts';

/**
 * Throws SERVICE_ANSWER_UNREADABLE when no subscription of the list is ours and one could not be read: it may be ours, so it must not
 * be called missing, and no second one be made.
 */
export function refuseHiddenOurs(
  { ours }: WebhookHealth,
  { unreadableParts }: Readonly<{ unreadableParts: readonly UnreadPart[] }>,
): void {
  if (ours !== undefined || unreadableParts.length === 0) return;
  throw unreadableAnswer('WEBHOOK_LIST', unreadableParts);
}
