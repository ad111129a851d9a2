import { type SandboxClock, createAlarm } from '../clock.ts';
import type { Modes } from '../core/modes.ts';
import { isActive, type SubscriptionRelease, type Subscription } from '../core/subscriptions.ts';
import { webhookHeaders } from '../core/webhook-message.ts';
import type { SubscriptionHealth } from '../core/webhooks.ts';
import type { SandboxStore } from '../store/store.ts';
import { type AnsweredDelivery, createCourier } from './courier.ts';
import type { Poster } from './post.ts';
import type { Registry } from './registry.ts';
import { type SettleRules, settleDelivery } from './settle.ts';
import { clearSlice, releaseSlice, trimDone } from './slices.ts';

/** Deliveries to one subscription that are under way at one time. */
const PARALLEL_MAX = 16;

/** Sends the deliveries of one subscription, so that a slow receiver holds up no other. */
export type Lane = Readonly<{
  /** Makes sure that what is due at `dueMs` is sent then. */
  expect(dueMs: number): void;
  /** A delivery was made due anew, and is sent again even if it is under way. */
  resend(deliveryId: number): void;
  close(): Promise<void>;
}>;

export type LaneDeps = Readonly<{
  store: SandboxStore;
  registry: Registry;
  clock: SandboxClock;
  post: Poster;
  modes: () => Modes;
  /** How many times faster than the spec says retries follow and failures expire. */
  speed: number;
}>;

export type LaneTarget = Readonly<{
  /** Number of the subscription. */
  n: number;
  /** Called when the subscription and all that was queued for it is cleared away. */
  onCleared(): void;
}>;

export function createLane(deps: LaneDeps, { n, onCleared }: LaneTarget): Lane {
  const { store, registry, clock, modes, speed } = deps;
  const queue = store.deliveries;
  const alarm = createAlarm(clock, work);
  const courier = createCourier(deps.post, () => alarm.ringBy(clock.nowMs()));
  let closed = false;

  function work(): void {
    if (closed) return;
    settleAnswered();
    const subscription = registry.get(n);
    if (subscription === undefined) return;
    if (subscription.deleted) return clear();
    trimDone(store, n);
    if (!isActive(subscription)) return;
    if (subscription.release !== null) releaseHeld(subscription, subscription.release);
    sendDue(subscription);
  }

  /** One transaction for all answers that came since the last one. */
  function settleAnswered(): void {
    const subscription = registry.get(n);
    const answered = courier.answered();
    if (subscription === undefined || answered.length === 0) return;
    const rules = { nowMs: clock.nowMs(), speed };
    const health = store.transaction(() => recordAnswers(store, { subscription, answered, rules }));
    registry.put({ ...subscription, health });
    courier.dropAnswered();
  }

  function clear(): void {
    if (clearSlice(store, n)) return alarm.ringBy(clock.nowMs());
    registry.reload();
    onCleared();
  }

  function releaseHeld(subscription: Subscription, release: SubscriptionRelease): void {
    const left = releaseSlice(store, { n, release }, clock.nowMs());
    registry.put({ ...subscription, release: left });
    if (left !== null) alarm.ringBy(clock.nowMs());
  }

  function sendDue({ url, ...keys }: Subscription): void {
    const nowMs = clock.nowMs();
    // Those under way are still due in the store, so that a crash sends them again.
    for (const delivery of queue.due(n, nowMs, PARALLEL_MAX + courier.count())) {
      if (courier.count() >= PARALLEL_MAX) break;
      if (courier.has(delivery.id)) continue;
      const { body } = delivery;
      courier.send(delivery, {
        url,
        body,
        headers: webhookHeaders(keys, body, modes().webhookSignature),
      });
    }
    const nextMs = queue.nextDueMs(n, nowMs);
    if (nextMs !== null) alarm.ringBy(nextMs);
  }

  return {
    expect: alarm.ringBy,
    resend(deliveryId) {
      courier.resend(deliveryId);
      alarm.ringBy(clock.nowMs());
    },
    async close() {
      closed = true;
      alarm.cancel();
      settleAnswered();
      await courier.close();
    },
  };
}

type Answers = Readonly<{
  subscription: Subscription;
  answered: readonly AnsweredDelivery[];
  rules: SettleRules;
}>;

/** Writes down what follows from answers, and returns how the subscription fares after them. */
function recordAnswers(
  { subscriptions, deliveries }: SandboxStore,
  { subscription: { n, health: before }, answered, rules }: Answers,
): SubscriptionHealth {
  let health = before;
  for (const { delivery, answer, isResent } of answered) {
    const settled = settleDelivery(delivery, answer, { health, ...rules });
    const stored = isResent ? deliveries.get(delivery.id) : null;
    deliveries.update(stored === null ? settled.update : { ...stored, log: settled.update.log });
    ({ health } = settled);
  }
  if (health !== before) subscriptions.setHealth(n, health);
  return health;
}
