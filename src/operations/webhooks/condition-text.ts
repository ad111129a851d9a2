import type { WebhookCondition } from '../../domain/webhooks/standing.ts';

const TEXTS: Readonly<Record<WebhookCondition, string>> = {
  OK: 'healthy',
  NEAR_BLOCK: 'deliveries fail; the service may soon block it',
  INCOMPLETE: 'it lacks the event that reports changes',
  DISABLED: 'disabled',
  BLOCKED: 'blocked by the service',
  MISSING: 'there is none',
  UNUSED:
    'not used: the account has no subscription, and bridge.public_url is not set, so Bursar polls',
  UNLISTED: 'the service does not list subscriptions',
  SILENT: 'mass payouts changed, and no webhook came',
};

/** How webhooks come, for people. The condition of another version is shown as it is. */
export const conditionText = (condition: string): string =>
  (TEXTS as Readonly<Record<string, string | undefined>>)[condition] ?? condition;
