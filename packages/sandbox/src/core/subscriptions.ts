import {
  EVENT_TYPES_OF_GROUP,
  EVENT_TYPES,
  type EventGroup,
  type EventType,
} from '@bursar/merchant-api/spec';
import type { SubscriptionHealth } from './webhooks.ts';

/** What a subscription asks for. */
export type SubscriptionTerms = Readonly<{
  url: string;
  types: readonly EventType[];
  groups: readonly EventGroup[];
}>;

/** Spec: "Webhook subscription (channel)". */
export type Subscription = SubscriptionTerms &
  Readonly<{
    /** Its number in the store. */
    n: number;
    /** Its name in the admin API. */
    id: string;
    requestId: string;
    /** Null: it gets the events of every account. */
    account: string | null;
    publicKey: string;
    secretKey: string;
    createdMs: number;
    enabled: boolean;
    /** It is gone; only what was queued for it is still to be cleared away. */
    deleted: boolean;
    health: SubscriptionHealth;
    release: SubscriptionRelease | null;
  }>;

/** What is still to be sent again after an unblocking, as far as it has come. */
export type SubscriptionRelease = Readonly<{
  status: 'WAITING' | 'GIVEN_UP';
  /** Deliveries with a number above `afterId`, up to `toId`. */
  afterId: number;
  toId: number;
  /** Of those given up, the ones that failed since then, in milliseconds since 1970. */
  failedSinceMs: number;
}>;

/** Whether anything is sent to it now. */
export const isActive = ({ enabled, deleted, health }: Subscription): boolean =>
  enabled && !deleted && !health.blocked;

/** All event types that it gets, each once, in the order of the spec. */
export function coveredTypes({
  types,
  groups,
}: Pick<SubscriptionTerms, 'types' | 'groups'>): EventType[] {
  const covered = new Set([...types, ...groups.flatMap((group) => EVENT_TYPES_OF_GROUP[group])]);
  return EVENT_TYPES.filter((type) => covered.has(type));
}

/** Whether two subscriptions ask for the same, in whatever order they name it. */
export const hasSameTerms = (one: SubscriptionTerms, other: SubscriptionTerms): boolean =>
  one.url === other.url && isSameSet(one.types, other.types) && isSameSet(one.groups, other.groups);

const isSameSet = (one: readonly string[], other: readonly string[]): boolean =>
  one.toSorted().join() === other.toSorted().join();
