import type { AdminAnswer, AdminEvent } from '../../admin/index.ts';
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { EVENT_GROUPS, EVENT_TYPES } from '@bursar/merchant-api/spec';
import { checkDepth, overrideData } from '../../core/data-overrides.ts';
import { groupOf, sampleData } from '../../core/event-samples.ts';
import { Refused } from '../../core/refusals.ts';
import type { SandboxStore } from '../../store/store.ts';
import type { Announcer } from '../../webhooks/announcer.ts';
import type { EventFeed, FeedEntry } from '../../webhooks/feed.ts';
import { chooseAccount } from './choose-account.ts';
import { type AdminRoute, adminRoute, nextOf, Nothing, OrderedPageQuery } from './route.ts';
import { isoTime } from './times.ts';

export type EventRoutesDeps = Readonly<{
  store: SandboxStore;
  announcer: Announcer;
  feed: EventFeed;
  accounts: readonly string[];
  nowMs: () => number;
}>;

/** /sandbox/events: the latest events, and triggers of new ones. */
export const eventRoutes = (deps: EventRoutesDeps): readonly AdminRoute[] => [
  listRoute(deps),
  typesRoute(deps),
  triggerRoute(deps),
];

const listRoute = ({ feed }: EventRoutesDeps) =>
  adminRoute({
    endpoint: 'GET /events',
    input: z.strictObject(OrderedPageQuery),
    answer: ({ order, after, limit }): AdminAnswer<'GET /events'> => {
      const page =
        order === 'oldest'
          ? feed.after(after ?? 0, limit)
          : feed.before(after ?? Number.MAX_SAFE_INTEGER, limit);
      return {
        events: page.map(eventRecord),
        next: nextOf(page, limit),
      };
    },
  });

/** Every type of event with its group and its sample data, and every group. */
const typesRoute = ({ accounts, nowMs }: EventRoutesDeps) =>
  adminRoute({
    endpoint: 'GET /events/types',
    input: Nothing,
    answer: (): AdminAnswer<'GET /events/types'> => {
      const facts = { account: accounts[0] ?? '', nowMs: nowMs(), newId: randomUUID };
      const types = EVENT_TYPES.map((type) => ({
        type,
        group: groupOf(type),
        data: sampleData(type, facts),
      }));
      return { types, groups: EVENT_GROUPS };
    },
  });

/** The most characters of the data of one event as JSON. */
const DATA_LENGTH_MAX = 16_384;

const Trigger = z.strictObject({
  type: z.enum(EVENT_TYPES),
  account: z.string().optional(),
  data: z.record(z.string(), z.unknown()).optional(),
  overrides: z.record(z.string(), z.unknown()).optional(),
});

/** Announces an event of any type. Nothing else changes. */
const triggerRoute = ({ store, announcer, accounts, nowMs }: EventRoutesDeps) =>
  adminRoute({
    endpoint: 'POST /events',
    input: Trigger,
    answer: ({
      type,
      account: named,
      data: given,
      overrides = {},
    }): AdminAnswer<'POST /events'> => {
      const account = chooseAccount(named, accounts);
      const sample = given ?? sampleData(type, { account, nowMs: nowMs(), newId: randomUUID });
      checkDepth([sample, overrides]);
      const data = overrideData({ ...sample }, overrides);
      if (JSON.stringify(data).length > DATA_LENGTH_MAX) {
        throw new Refused('FIELD_INVALID', 'data: is too long');
      }
      const event = { type, account, data };
      const subscriptions = store.transaction(() => announcer.announce(event));
      return { ...event, group: groupOf(type), subscriptions };
    },
  });

export const eventRecord = ({ n, atMs, event }: FeedEntry): AdminEvent => ({
  n,
  time: isoTime(atMs),
  type: event.type,
  account: event.account,
  data: event.data,
});
