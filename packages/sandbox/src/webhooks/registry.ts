import type { SandboxEvent } from '../core/events.ts';
import { coveredTypes, type Subscription } from '../core/subscriptions.ts';

/**
 * Every subscription in memory, so that neither an event nor a delivery reads them from the store.
 */
export type SubscriptionRegistry = Readonly<{
  all(): readonly Subscription[];
  get(n: number): Subscription | undefined;
  /**
   * Returns the subscriptions that get an event. A blocked one is included: its deliveries wait.
   */
  receiversOf(event: SandboxEvent): readonly Subscription[];
  /** Replaces the copy of a subscription that was stored. */
  put(subscription: Subscription): void;
  /** Reads all subscriptions again. */
  reload(): void;
}>;

export function createRegistry(readAll: () => readonly Subscription[]): SubscriptionRegistry {
  let byNumber = new Map<number, Subscription>();
  let receivers: readonly Readonly<{ n: number; account: string | null; types: Set<string> }>[] =
    [];

  function reload(): void {
    byNumber = new Map(readAll().map((each) => [each.n, each]));
    receivers = [...byNumber.values()]
      .filter(({ enabled, deleted }) => enabled && !deleted)
      .map((each) => ({ ...each, types: new Set(coveredTypes(each)) }));
  }

  reload();
  return {
    all: () => [...byNumber.values()],
    get: (n) => byNumber.get(n),
    receiversOf: ({ type, account }) =>
      receivers
        .filter((each) => (each.account ?? account) === account && each.types.has(type))
        .flatMap(({ n }) => byNumber.get(n) ?? []),
    put: (subscription) => void byNumber.set(subscription.n, subscription),
    reload,
  };
}
