import type { NotifyActivities, WatchActivities } from '../../contract/housekeeping.ts';
import type { OurHooks } from '../../domain/webhooks/hook-address.ts';
import type { Store } from '../../store/index.ts';
import { createTargets, hookEnvOf, type TargetSettings } from '../notifications/targets.ts';
import { createNotifyActivities, tell, type TellDeps } from '../notifications/notify.ts';
import type { Service } from '../service/service.ts';
import { createDeliveryRound } from './delivery-check.ts';
import type { Round } from './task.ts';
import { createSubscriptionRound } from './subscription-check.ts';
import { createWatchActivities } from './health-check.ts';

/** The dependencies of notifications. */
export type Telling = TellDeps;

export type TellingOptions = Readonly<{
  store: Store;
  account: string;
  /** The targets, with the events that they subscribe to. */
  targets: readonly TargetSettings[];
  /** The environment of this process; commands get little of it. */
  env: Readonly<Record<string, string | undefined>>;
  /** Address of the page of a batch. */
  pageOf(batchId: string): string;
  nowMs(): number;
}>;

export const tellingOf = ({
  store,
  account,
  targets,
  env,
  pageOf,
  nowMs,
}: TellingOptions): Telling => ({
  store,
  targets: createTargets(targets, { hookEnv: hookEnvOf(env), nowMs }),
  teller: { account, pageOf },
  nowMs,
});

export type UpkeepDeps = Readonly<{
  store: Store;
  service: Service;
  telling: Telling;
  hooks(): OurHooks;
  lastReceivedAtMs(): Promise<number | null>;
  /** Further checks, before waiting notifications are repeated. */
  rounds: readonly Round[];
  everyMs: number;
  nowMs(): number;
}>;

/** The activities that notify people, and those of the checks that belong to no batch. */
export function createUpkeepActivities(deps: UpkeepDeps): NotifyActivities & WatchActivities {
  const { store, service, telling, hooks, lastReceivedAtMs, everyMs, nowMs } = deps;
  const webhooks = createSubscriptionRound({
    store,
    service,
    hooks,
    lastReceivedAtMs,
    nowMs,
    tell: (news) => tell(telling, news),
  });
  const rounds = [webhooks, ...deps.rounds, createDeliveryRound(telling)];
  return {
    ...createNotifyActivities(telling),
    ...createWatchActivities({ store, service, rounds, everyMs, nowMs }),
  };
}
