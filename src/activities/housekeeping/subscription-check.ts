import type { NotifiableEvent, NotifyEvent } from '../../domain/notify/events.ts';
import { type OurHooks, shownHookUrl } from '../../domain/webhooks/hook-address.ts';
import {
  CHANGES_MS,
  isDown,
  isSilent,
  judgeSubscriptions,
  WEBHOOK_DELAY_MS_MAX,
  type WebhookCondition,
  type WebhookHealth,
} from '../../domain/webhooks/standing.ts';
import { failuresUntilBlock, subscriptionFacts } from '../../domain/webhooks/subscription.ts';
import { refuseHiddenOurs } from '../../domain/webhooks/hidden-ours.ts';
import type { Store } from '../../store/index.ts';
import { HEALTH_CHECKS, type HealthCheck } from '../../store/housekeeping/health-checks.ts';
import { callService, type Service } from '../service/service.ts';
import type { HousekeepingTask } from './task.ts';

export type SubscriptionCheckDeps = Readonly<{
  store: Store;
  service: Service;
  /** Read each time: the bridge may have made its token since. */
  hooks(): OurHooks;
  /** When the newest webhook came; null: unknown. */
  lastReceivedAtMs(): Promise<number | null>;
  notify(news: NotifiableEvent): Promise<void>;
  nowMs(): number;
}>;

/** How long the service may take to list subscriptions, in milliseconds. */
const LIST_MS_MAX = 10_000;

/**
 * Checks the webhook subscription. Warns before the service blocks it, when webhooks do not arrive, and when they
 * arrive again. Each change is notified once.
 */
export const createSubscriptionCheck = (deps: SubscriptionCheckDeps): HousekeepingTask => ({
  name: 'webhooks',
  run: () => run(deps),
});

/** The result of one check. */
type Seen = Readonly<{
  condition: WebhookCondition;
  detail: string;
  data: NotifiableEvent['data'];
}>;

async function run(deps: SubscriptionCheckDeps): Promise<string> {
  const { store, service, nowMs } = deps;
  const atMs = nowMs();
  const before = await store.watches.webhooks(service.account);
  const health = await readSubscriptions(deps, atMs);
  const receivedAtMs = await deps.lastReceivedAtMs();
  const listed = health?.condition ?? 'UNLISTED';
  const seen = (await isSilentNow(deps, { listed, before, receivedAtMs, atMs }))
    ? describeSilence(receivedAtMs)
    : describe(health, atMs);
  // The notification comes first: after a crash in between, the next check finds the same change and sends it under the
  // same key.
  await notifyChange(deps, before, seen);
  const { condition, detail } = seen;
  await store.watches.note(HEALTH_CHECKS.webhooks(service.account), { condition, atMs, detail });
  return `${condition}${detail === '' ? '' : `: ${detail}`}`;
}

/** Reads and stores the subscriptions. Returns the health of ours; undefined where the service does not list them. */
async function readSubscriptions(
  deps: SubscriptionCheckDeps,
  atMs: number,
): Promise<WebhookHealth | undefined> {
  const { store, service, hooks } = deps;
  if (!service.api.hasOperation('WEBHOOK_LIST')) return undefined;
  const signal = AbortSignal.timeout(LIST_MS_MAX);
  const { value } = await callService(service, (api) => api.listWebhookSubscriptions({ signal }));
  const facts = value.subscriptions.map((listed) => subscriptionFacts(listed, Date.parse));
  const health = judgeSubscriptions(facts, hooks());
  refuseHiddenOurs(health, value);
  const leading = [health.ours, ...health.duplicates];
  const shown = facts.map((one) => ({
    id: one.id,
    url: shownHookUrl(one.url),
    ours: leading.includes(one),
    enabled: one.enabled,
    blocked: one.blocked,
    errorCount: one.errorCount,
  }));
  await store.subscriptions.replace(service.account, shown, atMs);
  return health;
}

/** Conditions in which webhooks should come. */
const SHOULD_COME: readonly WebhookCondition[] = ['OK', 'UNUSED', 'UNLISTED'];

type Before = HealthCheck<WebhookCondition> | undefined;

/**
 * Whether a webhook should have come and did not. What happened before the subscription was seen to be well proves nothing;
 * where no webhook ever came, perhaps none is wanted; and silence ends with the next webhook, not with the day.
 */
async function isSilentNow(
  { store, service }: SubscriptionCheckDeps,
  now: Readonly<{
    listed: WebhookCondition;
    before: Before;
    receivedAtMs: number | null;
    atMs: number;
  }>,
): Promise<boolean> {
  const { listed, before, receivedAtMs, atMs } = now;
  if (before === undefined || !SHOULD_COME.includes(listed)) return false;
  if (before.condition === 'SILENT') return receivedAtMs === null || receivedAtMs < before.sinceMs;
  if (before.condition !== listed || (listed !== 'OK' && receivedAtMs === null)) return false;
  const changedAtMs = await store.subscriptions.lastChange(service.account, {
    fromMs: Math.max(atMs - CHANGES_MS, before.sinceMs),
    untilMs: atMs - WEBHOOK_DELAY_MS_MAX,
  });
  return isSilent({ changedAtMs, lastReceivedAtMs: receivedAtMs });
}

const describeSilence = (receivedAtMs: number | null): Seen => {
  const lastWebhookAt = receivedAtMs === null ? null : new Date(receivedAtMs).toISOString();
  return {
    condition: 'SILENT',
    detail: `mass payouts changed, and the last webhook came ${lastWebhookAt ?? 'never'}`,
    data: { lastWebhookAt },
  };
};

function describe(health: WebhookHealth | undefined, atMs: number): Seen {
  if (health === undefined) return { condition: 'UNLISTED', detail: '', data: {} };
  const { condition, ours, duplicates } = health;
  const others = duplicates.map(({ id }) => id);
  const twice = others.length === 0 ? '' : `also ${others.join(', ')}: every event comes twice`;
  if (ours === undefined) return { condition, detail: '', data: {} };
  const { id: subscription, errorCount: failures } = ours;
  const failuresLeft = failuresUntilBlock(ours, atMs);
  const failing =
    failures === 0 ? '' : `${failures} failures in a row, blocked after ${failuresLeft} more`;
  return {
    condition,
    detail: [subscription, failing, twice].filter((part) => part !== '').join('; '),
    data: {
      subscription,
      failures,
      ...(condition === 'NEAR_BLOCK' ? { failuresUntilBlocked: failuresLeft } : {}),
    },
  };
}

/** The event of a condition; conditions without one cause no notification. */
const EVENTS: Readonly<Partial<Record<WebhookCondition, NotifyEvent>>> = {
  NEAR_BLOCK: 'webhooks.near_block',
  BLOCKED: 'webhooks.blocked',
  DISABLED: 'webhooks.disabled',
  INCOMPLETE: 'webhooks.incomplete',
  MISSING: 'webhooks.missing',
  SILENT: 'webhooks.silent',
};

async function notifyChange(
  { notify }: SubscriptionCheckDeps,
  before: Before,
  { condition, data }: Seen,
): Promise<void> {
  if (before?.condition === condition) return;
  const isWellAgain = before !== undefined && isDown(before.condition) && !isDown(condition);
  const event = isWellAgain ? 'webhooks.recovered' : EVENTS[condition];
  if (event === undefined) return;
  // The instant of the last check stays the same until this one is stored.
  await notify({ event, batchId: null, key: `${condition}/${before?.seenAtMs ?? 0}`, data });
}
