import { type Clock, createAlarm } from '../clock.ts';
import { webhookHeaders } from '../core/webhooks.ts';
import type { Store } from '../store/store.ts';
import type { Delivery, Subscription } from '../store/webhooks.ts';
import type { Poster, Posting } from './post.ts';
import { settleDelivery } from './settle.ts';

/** Deliveries under way at one time. */
const PARALLEL_MAX = 16;

export type Sender = Readonly<{
  /** Makes sure that what is due at `dueMs` is sent then. */
  expect(dueMs: number): void;
  close(): Promise<void>;
}>;

export type SenderDeps = Readonly<{
  store: Pick<Store, 'webhooks' | 'transaction'>;
  clock: Clock;
  post: Poster;
  /** How many times faster than the spec says retries follow and failures expire. */
  speed: number;
}>;

/** Sends what is queued when it is due, again and again by the retry schedule. Spec: "Events". */
export function createSender({ store, clock, post, speed }: SenderDeps): Sender {
  const queue = store.webhooks;
  const underWay = new Map<number, Readonly<{ posting: Posting; done: Promise<void> }>>();
  const alarm = createAlarm(clock, sendDue);
  let closed = false;

  function sendDue(): void {
    const nowMs = clock.nowMs();
    const subscriptions = new Map(queue.subscriptions().map((each) => [each.id, each]));
    // Those under way are still due in the store, so that a crash sends them again.
    for (const delivery of queue.due(nowMs, PARALLEL_MAX + underWay.size)) {
      if (underWay.size >= PARALLEL_MAX) break;
      const subscription = subscriptions.get(delivery.subscription);
      if (subscription !== undefined && !underWay.has(delivery.id)) start(subscription, delivery);
    }
    const nextMs = queue.nextDueMs(nowMs);
    if (nextMs !== null) alarm.ringBy(nextMs);
  }

  function start({ url, publicKey, secretKey }: Subscription, delivery: Delivery): void {
    const headers = webhookHeaders({ publicKey, secretKey }, delivery.body);
    const posting = post({ url, headers, body: delivery.body });
    const done = posting.status.then((status) => {
      underWay.delete(delivery.id);
      if (closed) return;
      const deps = { queue, nowMs: clock.nowMs(), speed };
      store.transaction(() => settleDelivery(deps, delivery, status));
      alarm.ringBy(clock.nowMs());
    });
    underWay.set(delivery.id, { posting, done });
  }

  return {
    expect: alarm.ringBy,
    async close() {
      closed = true;
      alarm.cancel();
      const open = [...underWay.values()];
      for (const { posting } of open) posting.abort();
      await Promise.all(open.map(({ done }) => done));
    },
  };
}
