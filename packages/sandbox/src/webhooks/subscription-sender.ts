import { createAlarm, type SandboxClock } from '../clock.ts';
import type { Modes } from '../core/modes.ts';
import { isActive, type Subscription, type SubscriptionRelease } from '../core/subscriptions.ts';
import { webhookHeaders } from '../core/webhook-message.ts';
import type { SubscriptionHealth } from '../core/webhooks.ts';
import type { Delivery } from '../store/delivery.ts';
import type { SandboxStore } from '../store/store.ts';
import {
  type AnsweredDelivery,
  type AttemptRunner,
  createAttemptRunner,
} from './attempt-runner.ts';
import type { SendPost, WebhookPost } from './post.ts';
import type { SubscriptionRegistry } from './registry.ts';
import { settleDelivery, type SettleRules } from './settle.ts';

/** The most attempts to one subscription at one time. */
const PARALLEL_MAX = 16;

/** Sends the deliveries of one subscription, so that a slow receiver delays no other. */
export type SubscriptionSender = Readonly<{
  /** Sends the delivery that is due at `dueMs` when that time comes. */
  expect(dueMs: number): void;
  /** Sends a delivery that a person made due again, even if an attempt is under way. */
  resend(deliveryId: number): void;
  /** Resolves when the answers to the attempts under way are stored. */
  settled(): Promise<void>;
  close(): Promise<void>;
}>;

export type SubscriptionSenderDeps = Readonly<{
  store: SandboxStore;
  registry: SubscriptionRegistry;
  clock: SandboxClock;
  post: SendPost;
  modes: () => Modes;
  /** How many times faster than in the spec retries follow and failures expire. */
  speed: number;
}>;

export type SenderTarget = Readonly<{
  /** The number of the subscription. */
  n: number;
  /** Called when the subscription and all its deliveries are removed. */
  onCleared(): void;
}>;

export function createSubscriptionSender(
  deps: SubscriptionSenderDeps,
  { n, onCleared }: SenderTarget,
): SubscriptionSender {
  const { store, registry, clock, modes } = deps;
  const alarm = createAlarm(clock, work);
  const runner = createAttemptRunner(deps.post, () => alarm.ringBy(clock.nowMs()));
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

  const settleAnswered = (): void => settleAnswers(deps, n, runner);

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

  function sendDue(subscription: Subscription): void {
    const nowMs = clock.nowMs();
    for (const delivery of nextOf(store.deliveries.due(n, nowMs, 2 * PARALLEL_MAX), runner)) {
      runner.send(delivery, postOf(subscription, delivery.body, modes()));
    }
    const nextMs = store.deliveries.nextDueMs(n, nowMs);
    if (nextMs !== null) alarm.ringBy(nextMs);
  }

  return {
    expect: alarm.ringBy,
    resend(deliveryId) {
      runner.resend(deliveryId);
      alarm.ringBy(clock.nowMs());
    },
    async settled() {
      await runner.answeredAll();
      if (!closed) settleAnswered();
    },
    async close() {
      closed = true;
      alarm.cancel();
      settleAnswered();
      await runner.close();
    },
  };
}

/** Stores all answers since the last call in one transaction. */
function settleAnswers(
  { store, registry, clock, speed }: SubscriptionSenderDeps,
  n: number,
  runner: AttemptRunner,
): void {
  const subscription = registry.get(n);
  const answered = runner.answered();
  if (subscription === undefined || answered.length === 0) return;
  const rules = { nowMs: clock.nowMs(), speed };
  const health = store.transaction(() => recordAnswers(store, { subscription, answered, rules }));
  registry.put({ ...subscription, health });
  runner.dropAnswered();
}

/**
 * Returns the deliveries to send now. Those under way stay due in the store, so that they are sent
 * again after a crash.
 */
const nextOf = (due: readonly Delivery[], { has, count }: AttemptRunner): Delivery[] =>
  due.filter(({ id }) => !has(id)).slice(0, PARALLEL_MAX - count());

const postOf = (
  { url, ...keys }: Subscription,
  body: string,
  { webhookSignature }: Modes,
): WebhookPost => ({ url, body, headers: webhookHeaders(keys, body, webhookSignature) });

type Answers = Readonly<{
  subscription: Subscription;
  answered: readonly AnsweredDelivery[];
  rules: SettleRules;
}>;

/** Stores the consequences of answers. Returns the new health of the subscription. */
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

/** The most deliveries that one transaction changes, so that other work does not wait long. */
const SLICE_LENGTH = 500;

/** The finished deliveries that are kept for each subscription and status. */
const DONE_KEPT_MAX = 50_000;

const DONE_STATUSES = ['DELIVERED', 'GIVEN_UP', 'DROPPED'] as const;

/** Deletes the oldest finished deliveries. */
function trimDone({ deliveries }: SandboxStore, n: number): void {
  const bounds = { kept: DONE_KEPT_MAX, limit: SLICE_LENGTH };
  for (const status of DONE_STATUSES) deliveries.trim(n, status, bounds);
}

/** Removes some deliveries of a deleted subscription. Returns whether there were any. */
const clearSlice = (store: SandboxStore, n: number): boolean =>
  store.transaction(() => {
    const isCleared = store.deliveries.clear(n, SLICE_LENGTH);
    if (!isCleared) store.subscriptions.remove(n);
    return isCleared;
  });

/** Makes some deliveries of an unblocking due at once. Returns the rest of the release. */
const releaseSlice = (
  store: SandboxStore,
  { n, release }: Readonly<{ n: number; release: SubscriptionRelease }>,
  nowMs: number,
): SubscriptionRelease | null =>
  store.transaction(() => {
    const left = store.deliveries.release(n, release, { nowMs, limit: SLICE_LENGTH });
    store.subscriptions.setRelease(n, left);
    return left;
  });
