import type { WebhookCondition } from '../../domain/webhooks/standing.ts';

const TEXTS: Readonly<Record<WebhookCondition, string>> = {
  OK: 'healthy',
  NEAR_BLOCK: 'deliveries fail, and the service may soon block the subscription',
  INCOMPLETE: 'the subscription lacks the event that reports changes',
  DISABLED: 'disabled',
  BLOCKED: 'blocked by the service',
  MISSING: 'no subscription',
  UNUSED: 'not used (no subscription, and bridge.public_url is not set); Bursar polls',
  UNLISTED: 'the service does not list subscriptions',
  SILENT: 'mass payouts changed, and no webhook arrived',
};

/** How webhooks come, for people. The condition of another version is shown as it is. */
export const conditionText = (condition: string): string =>
  (TEXTS as Readonly<Record<string, string | undefined>>)[condition] ?? condition;
