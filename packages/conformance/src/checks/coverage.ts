import { EVENT_GROUPS, EVENT_TYPES_OF_GROUP, type EventGroup } from '@bursar/merchant-api/spec';
import { type ConformanceCheck, met } from '../check.ts';
import { demand, demandEqual, fieldOf, listOf, own } from '../expect.ts';
import type { CheckRun } from '../run.ts';
import {
  findChannel,
  type SubscriptionFields,
  withSubscription,
} from '../scenarios/subscriptions.ts';

const EVENTS = {
  section: 'Events',
  needs: ['WEBHOOK_CREATE', 'WEBHOOK_LIST', 'WEBHOOK_DELETE', 'objects'],
} as const;

/** Families of the table of event types whose name is that of a group. */
const FAMILIES: readonly EventGroup[] = [
  ...(['PAYOUT', 'SETTLEMENT_PAYOUT', 'SYSTEM', 'INVOICE', 'CUSTOMER_PURSE'] as const),
  ...(['FIAT_APPLIER', 'FIAT_DEPOSIT', 'FIAT_WITHDRAWAL', 'SETTLEMENT_ADAPTER'] as const),
];

/** Returns the event types that a subscription covers, sorted. */
const coveredBy = (run: CheckRun, asked: SubscriptionFields): Promise<readonly string[]> =>
  withSubscription(run, asked, async (requestId) => {
    const types = fieldOf(await findChannel(run, requestId), 'notificationEventTypes');
    return listOf(types).map(String).toSorted();
  });

const groupCheck = (group: EventGroup): ConformanceCheck => ({
  ...EVENTS,
  id: `webhooks.groups.${group}`,
  sentence: FAMILIES.includes(group)
    ? `A subscription to the group ${group} covers all event types of that group: ${EVENT_TYPES_OF_GROUP[group].join(', ')}.`
    : `${group} is a group of event types that can be subscribed to.`,
  try: async (run) => {
    const covered = await own(coveredBy(run, { notificationServiceTypes: [group] }));
    const types = FAMILIES.includes(group) ? EVENT_TYPES_OF_GROUP[group] : [];
    const missing = types.filter((type) => !covered.includes(type));
    demand(missing.length === 0, `coverage of ${missing.join(', ')}`, covered);
    return met(`${covered.length} event types`);
  },
});

const typesCheck = (group: EventGroup): readonly ConformanceCheck[] => {
  const types = EVENT_TYPES_OF_GROUP[group];
  if (types.length === 0) return [];
  return [
    {
      ...EVENTS,
      id: `webhooks.types.${group}`,
      sentence: `Event types: ${types.join(', ')}.`,
      try: async (run) => {
        const covered = await own(coveredBy(run, { notificationEventTypes: types }));
        demandEqual('types', covered.join(', '), types.toSorted().join(', '));
        return met();
      },
    },
  ];
};

export const coverageChecks: readonly ConformanceCheck[] = [
  ...EVENT_GROUPS.map(groupCheck),
  ...EVENT_GROUPS.flatMap(typesCheck),
  {
    ...EVENTS,
    id: 'webhooks.types-and-groups',
    sentence: 'A subscription is created with event types, groups of event types, or both.',
    try: async (run) => {
      const covered = await coveredBy(run, {
        notificationEventTypes: ['SYSTEM_SERVICE_WORK'],
        notificationServiceTypes: ['PAYOUT'],
      });
      const wanted = ['SYSTEM_SERVICE_WORK', ...EVENT_TYPES_OF_GROUP.PAYOUT].toSorted();
      demandEqual('types', covered.join(', '), wanted.join(', '));
      return met();
    },
  },
];
