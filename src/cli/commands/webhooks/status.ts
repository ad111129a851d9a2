import type { ShownSubscription, WebhookStatus } from '../../../operations/webhooks/types.ts';
import type { Sources } from '../../../operations/batch/types.ts';
import type { Settings } from '../../../config.ts';
import { EXIT } from '../../../domain/errors/exit-codes.ts';
import { shownHookUrl } from '../../../domain/webhooks/hook-address.ts';
import {
  failuresUntilBlock,
  type SubscriptionFacts,
} from '../../../domain/webhooks/subscription.ts';
import { openSpoolGlance } from '../../../store/webhooks/spool-glance.ts';
import type { HealthCheck } from '../../../store/housekeeping/health-checks.ts';
import { withSources } from '../../../operations/batch/sources.ts';
import type { Context } from '../../context.ts';
import type { ServiceAccess } from '../../../operations/context.ts';
import { isSubscribedBySandbox } from '../../sandbox/sandbox-subscription.ts';
import { printResult } from '../../print/output.ts';
import { withService } from '../../../operations/service/preflight.ts';
import { lookAtSubscriptions } from '../../../operations/webhooks/look.ts';
import { statusText } from '../../print/webhook-status-text.ts';

/** `bursar webhooks status`: how webhooks come. */
export const webhookStatus = (_flags: object, context: Context): Promise<number> =>
  withSources(context, (sources) =>
    withService(sources.settings, context, async (service) => {
      const status = await readStatus(sources, service, context.clock.nowMs());
      const isTold =
        status.condition === 'UNUSED' && (await isSubscribedBySandbox(sources.settings, context));
      printResult(context, { json: status, text: statusText(status, isTold, context) });
      return EXIT.done;
    }),
  );

async function readStatus(
  { settings, store }: Sources,
  service: ServiceAccess,
  nowMs: number,
): Promise<WebhookStatus> {
  const watch = await store.watches.webhooks(service.account);
  const looked = await look(settings, service);
  const show = (one: SubscriptionFacts): ShownSubscription => shown(one, nowMs);
  const listed = looked?.condition ?? 'UNLISTED';
  const isSilent = watch?.condition === 'SILENT' && !['MISSING', 'BLOCKED'].includes(listed);
  return {
    schema: 'bursar.webhooks/v1',
    condition: isSilent ? 'SILENT' : listed,
    ours: looked?.ours === undefined ? null : show(looked.ours),
    duplicates: (looked?.duplicates ?? []).map(show),
    strays: (looked?.strays ?? []).map(show),
    lastWebhookAt: instantOf(await lastReceivedAtMs(settings)),
    watch: watch === undefined ? null : watchOf(watch),
  };
}

async function look({ bridge }: Settings, service: ServiceAccess) {
  if (!service.api.hasOperation('WEBHOOK_LIST')) return undefined;
  const { readBridgeTokens } = await import('../../../config.ts');
  const tokens = readBridgeTokens(bridge.tokenFile);
  return lookAtSubscriptions(service, { publicUrl: bridge.publicUrl ?? null, tokens });
}

async function lastReceivedAtMs({ store }: Settings): Promise<number | null> {
  const glance = await openSpoolGlance(store.url);
  try {
    return await glance.lastReceivedAtMs();
  } finally {
    await glance.close();
  }
}

const shown = (one: SubscriptionFacts, nowMs: number): ShownSubscription => ({
  requestId: one.id,
  url: shownHookUrl(one.url),
  enabled: one.enabled,
  blocked: one.blocked,
  errorCount: one.errorCount,
  failuresUntilBlocked: failuresUntilBlock(one, nowMs),
  failingSince: one.errorCount === 0 ? null : instantOf(one.errorFirstMs),
});

const watchOf = ({ condition, sinceMs, seenAtMs, detail }: HealthCheck) => ({
  condition,
  since: new Date(sinceMs).toISOString(),
  seenAt: new Date(seenAtMs).toISOString(),
  detail,
});

const instantOf = (ms: number | null): string | null =>
  ms === null ? null : new Date(ms).toISOString();
