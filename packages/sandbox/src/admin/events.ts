import { EVENT_GROUPS, EVENT_TYPES } from '@bursar/merchant-api/spec';
import { z } from 'zod';
import { JsonFields, listOf, NextItem } from './values.ts';

const Type = z.enum(EVENT_TYPES);
const Group = z.enum(EVENT_GROUPS);

/** An event, in the list of events and in the stream. */
export const AdminEvent = z.object({
  n: z.int(),
  time: z.string(),
  type: Type,
  account: z.string(),
  data: JsonFields,
});
export type AdminEvent = z.output<typeof AdminEvent>;

export const AdminEvents = z.object({ events: listOf(AdminEvent), next: NextItem });

/** An event that a person triggered. */
export const AdminTriggeredEvent = z.object({
  type: Type,
  account: z.string(),
  group: Group,
  /** How many subscriptions get it. */
  subscriptions: z.int(),
  data: JsonFields,
});
export type AdminTriggeredEvent = z.output<typeof AdminTriggeredEvent>;

/** A type of event with the data that a trigger sends by default. */
export const AdminEventType = z.object({ type: Type, group: Group, data: JsonFields });
export type AdminEventType = z.output<typeof AdminEventType>;

export const AdminEventTypes = z.object({ types: listOf(AdminEventType), groups: listOf(Group) });
export type AdminEventTypes = z.output<typeof AdminEventTypes>;
