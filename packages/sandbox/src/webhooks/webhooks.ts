import { WEBHOOK_DELIVERED_STATUS } from '@bursar/merchant-api/spec';
import type { SandboxClock } from '../clock.ts';
import type { Modes } from '../core/modes.ts';
import type { Faults } from '../faults.ts';
import type { SandboxStore } from '../store/store.ts';
import { type Announcer, createAnnouncer } from './announcer.ts';
import { createFeed, type EventFeed } from './feed.ts';
import { isVirtualClock } from '../virtual-clock.ts';
import { createPoster, type SendPost } from './post.ts';
import { createRegistry, type SubscriptionRegistry } from './registry.ts';
import { createWebhookSender } from './webhook-sender.ts';
import { createSubscriptions, type Subscriptions } from './subscriptions.ts';

/** Everything that announces events. */
export type Webhooks = Readonly<{
  announcer: Announcer;
  subscriptions: Subscriptions;
  registry: SubscriptionRegistry;
  feed: EventFeed;
  /** Applies the settings and continues with the stored deliveries. */
  start(settingsUrl: string | null): void;
  /** Resolves when the answers to the webhooks under way are stored. */
  settled(): Promise<void>;
  close(): Promise<void>;
}>;

export type WebhooksDeps = Readonly<{
  store: SandboxStore;
  clock: SandboxClock;
  /** The clock that limits the time of a connection. */
  wireClock: SandboxClock;
  faults: Faults;
  modes: () => Modes;
  /** Whether webhooks may go to this computer and to private networks. */
  allowPrivate: boolean;
  /** How many times faster than in the spec retries follow and failures expire. */
  speed: number;
  /** Without it every webhook counts as delivered. */
  sendsWebhooks: boolean;
}>;

export function createWebhooks(deps: WebhooksDeps): Webhooks {
  const { store, clock, allowPrivate } = deps;
  const { nowMs } = clock;
  const portMin = (): number | null => deps.modes().webhookPortMin;
  const registry = createRegistry(store.subscriptions.all);
  const feed = createFeed({ nowMs, afterCommit: store.afterCommit });
  const sender = createWebhookSender({
    ...deps,
    registry,
    post: deps.sendsWebhooks
      ? awaitedBy(clock, createPoster({ clock: deps.wireClock, allowPrivate, portMin }))
      : deliverNothing,
  });
  const announcer = createAnnouncer({
    registry,
    drawFault: (kind) => deps.faults.draw('WEBHOOK', kind),
    modes: deps.modes,
    nowMs,
    publish: feed.publish,
    addDelivery: store.deliveries.add,
    onQueued: sender.expect,
  });
  const subscriptions = createSubscriptions({
    store,
    allowPrivate,
    modes: deps.modes,
    nowMs,
    onChanged(n) {
      registry.reload();
      sender.expect(n, nowMs());
    },
    onResend: sender.resend,
  });
  return {
    announcer,
    subscriptions,
    registry,
    feed,
    start(settingsUrl) {
      store.transaction(() => subscriptions.applySettings(settingsUrl));
      sender.wakeAll();
    },
    settled: sender.settled,
    close: sender.close,
  };
}

const deliverNothing: SendPost = () => ({
  answer: Promise.resolve({ status: WEBHOOK_DELIVERED_STATUS, reason: null }),
  abort: () => {},
});

/** A virtual clock stands still while a webhook is under way. */
function awaitedBy(clock: SandboxClock, post: SendPost): SendPost {
  if (!isVirtualClock(clock)) return post;
  return (message) => {
    const posting = post(message);
    clock.waitFor(posting.answer);
    return posting;
  };
}
