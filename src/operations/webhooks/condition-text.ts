import type { WebhookCondition } from '../../domain/webhooks/standing.ts';

const TEXTS: Readonly<Record<WebhookCondition, string>> = {
  OK: 'well',
  NEAR_BLOCK: 'deliveries fail; the service may soon block it',
  INCOMPLETE: 'it lacks the event that reports changes',
  DISABLED: 'disabled',
  BLOCKED: 'blocked by the service',
  MISSING: 'there is none',
  UNUSED: 'the account has none, and bridge.public_url is not set: Bursar polls',
  UNLISTED: 'the service does not list subscriptions',
  SILENT: 'mass payouts changed, and no webhook came',
};

/** How webhooks come, for people. */
export const conditionText = (condition: WebhookCondition): string => TEXTS[condition];
