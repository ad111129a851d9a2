import type { NotifyTarget } from '../config.ts';
import { notificationOf } from '../domain/notify/notification.ts';
import { EXIT } from '../domain/errors/exit-codes.ts';
import type { DeliveryStanding } from '../store/housekeeping/notifications.ts';
import type { Store } from '../store/index.ts';
import type { Surroundings } from '../operations/context.ts';
import type { NamespaceClient } from '../operations/engine/namespace-client.ts';
import { type Check, fail, ok } from './check.ts';

/** How long a worker may take to try every target, and how often the result is read, in milliseconds. */
const TEST_MS_MAX = 30_000;
const LOOK_EVERY_MS = 250;

export type SendTest = Readonly<{
  store: Store;
  namespace: NamespaceClient;
  targets: readonly NotifyTarget[];
  account: string;
}>;

/** Has a worker notify every target, as it does of batches: with its own settings and secrets. */
export async function sendTest(test: SendTest, context: Surroundings): Promise<Check[]> {
  const { store, namespace, targets, account } = test;
  const atMs = context.clock.nowMs();
  const at = new Date(atMs).toISOString();
  const news = { event: 'notify.test', batchId: null, key: at, data: {} } as const;
  const notification = notificationOf(news, { account, pageOf: () => '' }, at);
  await store.notifications.put(notification, { targets: targets.map(({ name }) => name), atMs });
  const isCalled = await namespace.callHousekeeping();
  const deliveries = await untilTried(test, notification.id, context);
  await endTest(store, deliveries);
  return deliveries.map((delivery) => testCheck(delivery, isCalled));
}

/** A test is not tried again: no person waits for it any more. */
async function endTest(
  store: SendTest['store'],
  deliveries: readonly DeliveryStanding[],
): Promise<void> {
  for (const { id, target, error } of deliveries) {
    const end = { state: 'GIVEN_UP', error: error ?? 'the test was over' } as const;
    await store.notifications.end({ id, target }, end);
  }
}

async function untilTried(
  { store }: SendTest,
  id: string,
  { clock, interrupted }: Surroundings,
): Promise<DeliveryStanding[]> {
  for (const endMs = clock.nowMs() + TEST_MS_MAX; ; ) {
    const deliveries = await store.notifications.deliveriesOf(id);
    const isOver = deliveries.every(({ state, error }) => state !== 'WAITING' || error !== null);
    if (isOver || interrupted.aborted || clock.nowMs() >= endMs) return deliveries;
    await clock.pause(LOOK_EVERY_MS, interrupted);
  }
}

function testCheck({ target, state, error }: DeliveryStanding, isCalled: boolean): Check {
  const name = `test of ${target}`;
  if (state === 'DELIVERED') return ok(name, 'delivered');
  if (error !== null) {
    return fail(name, {
      says: `not delivered: ${error}`,
      fix: 'Check the target, on the machine of the worker.',
      exitCode: EXIT.unreachable,
    });
  }
  return fail(name, {
    says: isCalled ? 'no worker tried it in time' : 'no background jobs run',
    fix: 'Start a worker ("npm run worker"); it runs the background jobs.',
    exitCode: EXIT.unreachable,
  });
}
