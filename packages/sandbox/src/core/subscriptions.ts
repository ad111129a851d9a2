import {
  EVENT_TYPES_OF_GROUP,
  EVENT_TYPES,
  type EventGroup,
  type EventType,
} from '@bursar/merchant-api/spec';
import type { SubscriptionHealth } from './webhooks.ts';

/** The receiver of a subscription and the events that it covers. */
export type SubscriptionTerms = EventCoverage & Readonly<{ url: string }>;

/** Types of events, and groups of which every type counts. */
export type EventCoverage = Readonly<{
  types: readonly EventType[];
  groups: readonly EventGroup[];
}>;

/** A subscription before the store numbers it. */
export type NewSubscription = SubscriptionTerms &
  Readonly<{
    /** The id in the admin API. */
    id: string;
    requestId: string;
    /** Null: the subscription covers the events of every account. */
    account: string | null;
    publicKey: string;
    secretKey: string;
    createdMs: number;
  }>;

/** Spec: "Webhook subscription (channel)". */
export type Subscription = NewSubscription &
  Readonly<{
    /** The number in the store. */
    n: number;
    enabled: boolean;
    /** The subscription is deleted. Only its queued deliveries still have to be removed. */
    deleted: boolean;
    health: SubscriptionHealth;
    release: SubscriptionRelease | null;
  }>;

/** Deliveries that an unblocking still has to send again. */
export type SubscriptionRelease = Readonly<{
  status: 'WAITING' | 'GIVEN_UP';
  /** Deliveries with a number above `afterId`, up to `toId`. */
  afterId: number;
  toId: number;
  /**
   * Of the deliveries that were given up, only those that failed after this time, in milliseconds
   * since 1970.
   */
  failedSinceMs: number;
}>;

/** Whether webhooks are sent to it now. */
export const isActive = ({ enabled, deleted, health }: Subscription): boolean =>
  enabled && !deleted && !health.blocked;

/** Returns every event type that it covers, each once, in the order of the spec. */
export function coveredTypes({ types, groups }: EventCoverage): EventType[] {
  const covered = new Set([...types, ...groups.flatMap((group) => EVENT_TYPES_OF_GROUP[group])]);
  return EVENT_TYPES.filter((type) => covered.has(type));
}

/** Whether two subscriptions have the same address and events, in any order. */
export const hasSameTerms = (one: SubscriptionTerms, other: SubscriptionTerms): boolean =>
  one.url === other.url && isSameSet(one.types, other.types) && isSameSet(one.groups, other.groups);

const isSameSet = (one: readonly string[], other: readonly string[]): boolean =>
  one.toSorted().join() === other.toSorted().join();
