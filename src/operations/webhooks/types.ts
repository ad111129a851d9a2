import type { WebhookCondition } from '../../domain/webhooks/standing.ts';
import type { Looked } from './look.ts';
import type { EnsureStep } from '../../domain/webhooks/ensure.ts';

/** The steps that were taken, and the present state. `url` is without its token. */
export type Ensured = Readonly<{
  schema: 'bursar.webhooks-ensure/v1';
  act: EnsureStep['act'];
  dryRun: boolean;
  requestId: string | null;
  url: string;
  eventTypes: readonly string[];
  condition: Looked['condition'];
  duplicates: readonly string[];
  strays: readonly string[];
  secretFile: string | null;
}>;

/** A subscription as it may be shown. Instants are ISO 8601 in UTC. */
export type ShownSubscription = Readonly<{
  requestId: string;
  url: string;
  enabled: boolean;
  blocked: boolean;
  errorCount: number;
  failuresUntilBlocked: number;
  failingSince: string | null;
}>;

export type WebhookStatus = Readonly<{
  schema: 'bursar.webhooks/v1';
  /** The state by the service; SILENT comes from housekeeping. */
  condition: WebhookCondition;
  ours: ShownSubscription | null;
  duplicates: readonly ShownSubscription[];
  strays: readonly ShownSubscription[];
  /** When the bridge took the newest webhook. */
  lastWebhookAt: string | null;
  /** The result of housekeeping's last health check. */
  watch: Readonly<{ condition: string; since: string; seenAt: string; detail: string }> | null;
}>;
