import type { AdminEventType, AdminSubscription, AdminTriggeredEvent } from '@bursar/sandbox/admin';
import { flagInvalid } from '../../../operations/input/flag-error.ts';
import { readJsonText } from '../../../operations/input/json-text.ts';
import { flag, type OperationCommand, optionalFlag } from '../../operation-table/operation.ts';
import { list, type ListView } from '../../operation-table/printout.ts';
import { recordText, subscriptionState } from '../../print/record-text.ts';
import { printable } from '../../terminal/printable.ts';
import { eventType, oneAccount, readPairs, text } from './fields.ts';
import { listen } from './listen.ts';
import { sandboxOperation, sandboxRecord } from './operations.ts';

const TYPE_VIEW: ListView<AdminEventType> = {
  schema: 'bursar.sandbox-event-types/v1',
  array: 'types',
  lineSchema: 'bursar.sandbox-event-type/v1',
  columns: [
    { title: 'EVENT', width: 46, cell: (of) => of.type },
    { title: 'GROUP', width: 0, cell: (of) => of.group },
  ],
};

const readOverrides = (texts: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(readPairs('--override', texts)).map(([path, value]) => [path, readValue(value)]),
  );

/** Text, unless it is a list, an object, a text in quotes, or one of the three words. So amounts stay text. */
function readValue(value: string): unknown {
  const isJson = /^(\[|\{|"|true$|false$|null$)/.test(value);
  return isJson ? readJsonText('--override', value) : value;
}

function announcedText({ type, subscriptions, data }: AdminTriggeredEvent): string {
  const who = `${subscriptions} ${subscriptions === 1 ? 'subscription gets' : 'subscriptions get'} it`;
  return `${type}: ${who}.\n${printable(JSON.stringify(data))}`;
}

const SUBSCRIPTION_VIEW: ListView<AdminSubscription> = {
  schema: 'bursar.sandbox-webhooks/v1',
  array: 'subscriptions',
  lineSchema: 'bursar.sandbox-webhook/v1',
  columns: [
    { title: 'ID', width: 36, cell: (of) => of.id },
    { title: 'STATE', width: 8, cell: (of) => subscriptionState(of) },
    { title: 'ERRORS', width: 6, right: true, cell: (of) => of.errorCount },
    { title: 'URL', width: 36, cell: (of) => of.url },
    { title: 'EVENTS', width: 37, cell: (of) => eventsText(of) },
    { title: 'DELIVERIES', width: 0, cell: (of) => countsText(of) },
  ],
};

/** The first two names of the events that a subscription covers. */
function eventsText({
  notificationServiceTypes,
  notificationEventTypes,
}: AdminSubscription): string {
  const [first, second, ...more] = [...notificationServiceTypes, ...notificationEventTypes];
  const shown = [first, second].filter((name) => name !== undefined).join(', ');
  return more.length === 0 ? shown : `${shown} and ${more.length} more`;
}

function countsText({ deliveries }: AdminSubscription): string {
  const counts = Object.entries(deliveries).map(([status, count]) => `${count} ${status}`);
  return counts.length === 0 ? 'none' : counts.join(', ');
}

/** An act of a person on a subscription in the service's own interface. */
const change = (name: 'unblock' | 'enable' | 'disable', summary: string): OperationCommand =>
  sandboxRecord({
    name: `webhooks ${name}`,
    summary,
    fields: { id: flag('<id>', 'id of the subscription in the list', text) },
    endpoint: `POST /webhooks/${name}`,
    schema: 'bursar.sandbox-webhook/v1',
    text(subscription, context) {
      const title = `Webhook subscription ${subscription.id}: ${subscriptionState(subscription)}`;
      const shown = { url: subscription.url, deliveries: countsText(subscription) };
      return recordText(title, shown, context);
    },
  });

/** Events, and the subscriptions that get them. */
export const EVENT_OPERATIONS = [
  sandboxOperation({
    name: 'trigger',
    summary: 'announce an event as if it had happened',
    description: [
      'Announces an event as if it had happened; nothing else changes.',
      'Values of --override are text, unless they are JSON lists, objects or quoted texts, or',
      'true, false or null.',
    ].join('\n'),
    fields: {
      event: optionalFlag(
        '[event]',
        'type of the event; without it the types are listed',
        eventType,
      ),
      override: flag(
        { form: '--override <path=value>', isRepeated: true },
        'put a value into the data, by a dotted path',
        text.array().default([]),
      ),
      ...oneAccount,
    },
    async run({ event: type, override, account }, sandbox) {
      if (type === undefined) {
        if (override.length > 0 || account !== undefined)
          throw flagInvalid('EVENT', 'it is missing');
        const { types } = await sandbox.call('GET /events/types');
        return list(TYPE_VIEW, types);
      }
      const overrides = readOverrides(override);
      const record = await sandbox.call('POST /events', { type, account, overrides });
      return { schema: 'bursar.sandbox-event/v1', record, text: announcedText(record) };
    },
  }),
  listen,
  sandboxOperation({
    name: 'webhooks list',
    isDefault: true,
    summary: 'list the subscriptions and how they fare (the default)',
    run: async (_given, sandbox) =>
      list(SUBSCRIPTION_VIEW, (await sandbox.call('GET /webhooks')).subscriptions),
  }),
  change('unblock', 'unblock a subscription; what failed meanwhile is sent again'),
  change('enable', 'enable a subscription; what waits is sent'),
  change('disable', 'disable a subscription; it gets nothing new'),
];
