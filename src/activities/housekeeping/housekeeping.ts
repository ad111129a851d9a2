import type { NotifyActivities, HealthCheckActivities } from '../../contract/housekeeping.ts';
import type { OurHooks } from '../../domain/webhooks/hook-address.ts';
import type { Store } from '../../store/index.ts';
import { createTargets, hookEnvOf, type TargetSettings } from '../notifications/targets.ts';
import { createNotifyActivities, notify, type NotifyDeps } from '../notifications/notify.ts';
import type { Service } from '../service/service.ts';
import { createDeliveryCheck } from './delivery-check.ts';
import type { HousekeepingTask } from './task.ts';
import { createSubscriptionCheck } from './subscription-check.ts';
import { createHealthCheckActivities } from './health-check.ts';

/** The dependencies of notifications. */
export type NotificationDeps = NotifyDeps;

export type NotificationOptions = Readonly<{
  store: Store;
  account: string;
  /** The targets, with the events that they subscribe to. */
  targets: readonly TargetSettings[];
  /** The environment of this process; commands get little of it. */
  env: Readonly<Record<string, string | undefined>>;
  /** Address of the page of a batch. */
  pageOf(batchId: string): string;
  /** Address of the web app. */
  webUrl?: string | undefined;
  nowMs(): number;
}>;

export const notificationDepsOf = ({
  store,
  account,
  targets,
  env,
  pageOf,
  webUrl,
  nowMs,
}: NotificationOptions): NotificationDeps => ({
  store,
  targets: createTargets(targets, { hookEnv: hookEnvOf(env), nowMs }),
  sender: { account, pageOf, webUrl },
  nowMs,
});

export type HousekeepingDeps = Readonly<{
  store: Store;
  service: Service;
  taskQueue: string;
  notifications: NotificationDeps;
  hooks(): OurHooks;
  lastReceivedAtMs(): Promise<number | null>;
  /** Further checks, before waiting notifications are repeated. */
  tasks: readonly HousekeepingTask[];
  /** Checks that may take long, after all others. */
  lastTasks: readonly HousekeepingTask[];
  everyMs: number;
  nowMs(): number;
}>;

/** The activities that notify people, and those of the checks that belong to no batch. */
export function createHousekeepingActivities(
  deps: HousekeepingDeps,
): NotifyActivities & HealthCheckActivities {
  const { store, service, notifications, hooks, lastReceivedAtMs, nowMs } = deps;
  const webhooks = createSubscriptionCheck({
    store,
    service,
    hooks,
    lastReceivedAtMs,
    nowMs,
    notify: (news) => notify(notifications, news),
  });
  const tasks = [webhooks, ...deps.tasks, createDeliveryCheck(notifications), ...deps.lastTasks];
  return {
    ...createNotifyActivities(notifications),
    ...createHealthCheckActivities({ ...deps, tasks }),
  };
}
