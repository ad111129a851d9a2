import { readNames } from '../../../operations/input/names.ts';
import { text, texts } from './fields.ts';

/** What a webhook subscription is to cover, as it was typed. */
export type SubscriptionFlags = Readonly<{ url?: string; events?: string; groups?: string }>;

/** The fields of a subscription in a payload. */
export const subscriptionFields = {
  url: text,
  notificationEventTypes: texts.exactOptional(),
  notificationServiceTypes: texts.exactOptional(),
};

/** The flags of a subscription by the fields of the payload. */
export const typedSubscription = ({ url, events, groups }: SubscriptionFlags) =>
  ({
    url: ['--url', url],
    notificationEventTypes: ['--events', events === undefined ? undefined : readNames(events)],
    notificationServiceTypes: ['--groups', groups === undefined ? undefined : readNames(groups)],
  }) as const;
