import { z } from 'zod';
import { pageOf } from './pages.ts';

const nullableText = z.string().nullable();
const Data = z.record(z.string(), z.unknown());

/** An event as the stream and the list of events have it. */
export const SandboxEvent = z.object({
  n: z.int(),
  time: z.string(),
  type: z.string(),
  account: z.string(),
  data: Data,
});
export type SandboxEvent = z.output<typeof SandboxEvent>;

export const EventPage = pageOf('events', z.object({ n: z.int() }));

/** An event that was announced by hand. */
export const Announced = z.object({
  type: z.string(),
  account: z.string(),
  group: z.string(),
  subscriptions: z.int(),
  data: Data,
});
export type Announced = z.output<typeof Announced>;

export const EventType = z.object({ type: z.string(), group: z.string(), data: Data });
export type EventType = z.output<typeof EventType>;

export const EventTypes = z.object({ types: z.array(EventType) });

export const Subscription = z.object({
  id: z.string(),
  requestId: nullableText,
  account: nullableText,
  url: z.string(),
  notificationEventTypes: z.array(z.string()),
  notificationServiceTypes: z.array(z.string()),
  enabled: z.boolean(),
  createdDate: z.string(),
  blockedByErrorCount: z.boolean(),
  errorCount: z.int(),
  errorFirstDate: nullableText,
  errorLastDate: nullableText,
  deliveries: z.record(z.string(), z.int()),
});
export type Subscription = z.output<typeof Subscription>;

export const Subscriptions = z.object({ subscriptions: z.array(Subscription) });

export const Delivery = z.object({
  id: z.int(),
  subscription: z.string(),
  type: z.string(),
  account: z.string(),
  body: z.string(),
  fault: nullableText,
  status: z.string(),
  createdDate: z.string(),
  nextDate: nullableText,
  attempts: z.array(
    z.object({ time: z.string(), status: z.int().nullable(), reason: nullableText }),
  ),
});
export type Delivery = z.output<typeof Delivery>;

export const DeliveryPage = pageOf('deliveries', Delivery);
