import { log } from '@temporalio/activity';
import { retryDelayMs } from '../../domain/notify/retry.ts';
import type { DeliveryEnd, Take, TakenDelivery } from '../../store/housekeeping/notifications.ts';
import type { Store } from '../../store/index.ts';
import { inParallel } from '../shared/in-parallel.ts';
import type { Delivered, Target } from './target.ts';

export type DeliverDeps = Readonly<{
  store: Store;
  targets: readonly Target[];
  nowMs(): number;
}>;

/** Tries that are made side by side. */
const TRIES_IN_PARALLEL = 8;

/** The results of deliveries that were due. */
export type DeliveryCounts = {
  delivered: number;
  failed: number;
  readonly givenUp: TakenDelivery[];
};

/** Tries deliveries that are due, each once, and stores the results. Never throws for the behaviour of a target. */
export async function deliverDue(
  deps: DeliverDeps,
  which: Pick<Take, 'limit' | 'id'>,
): Promise<DeliveryCounts> {
  const taken = await deps.store.notifications.take({ nowMs: deps.nowMs(), ...which });
  const tally: DeliveryCounts = { delivered: 0, failed: 0, givenUp: [] };
  await inParallel(TRIES_IN_PARALLEL, taken, async (delivery) => {
    const end = endOf(delivery, await tryOnce(deps, delivery), deps.nowMs());
    await deps.store.notifications.end(delivery, end);
    count(tally, delivery, end);
  });
  return tally;
}

async function tryOnce({ targets }: DeliverDeps, delivery: TakenDelivery): Promise<Delivered> {
  const target = targets.find(({ name }) => name === delivery.target);
  if (target !== undefined) return target.deliver(delivery);
  return { kind: 'failed', why: 'the settings of this worker have no such target', gone: true };
}

function endOf(
  { id, target, attempts }: TakenDelivery,
  outcome: Delivered,
  nowMs: number,
): DeliveryEnd {
  if (outcome.kind === 'delivered') return { state: 'DELIVERED' };
  const { why, gone = false, askedDelayMs } = outcome;
  const delayMs = gone
    ? undefined
    : retryDelayMs({ notificationId: id, target, attempts, askedDelayMs });
  return delayMs === undefined
    ? { state: 'GIVEN_UP', error: why }
    : { state: 'WAITING', error: why, nextAtMs: nowMs + delayMs };
}

function count(tally: DeliveryCounts, delivery: TakenDelivery, end: DeliveryEnd): void {
  if (end.state === 'DELIVERED') {
    tally.delivered += 1;
    return;
  }
  const { id, event, target, attempts } = delivery;
  tally.failed += 1;
  if (end.state === 'GIVEN_UP') tally.givenUp.push(delivery);
  const message =
    end.state === 'GIVEN_UP'
      ? 'a notification could not be delivered and is given up'
      : 'a notification could not be delivered and is tried again';
  log.warn(message, { id, event, target, attempts, why: end.error });
}
