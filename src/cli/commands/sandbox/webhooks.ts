import type { AdminSubscription } from '@bursar/sandbox/admin';
import { flag } from '../../command-table/flag.ts';
import type { OperationCommand } from '../../command-table/operation-command.ts';
import { recordText, subscriptionState } from '../../print/record-text.ts';
import type { SandboxView } from '../../sandbox/pages.ts';
import { text } from './fields.ts';
import { sandboxList, sandboxRecord } from './operations.ts';

const SUBSCRIPTION_VIEW: SandboxView<'subscriptions', AdminSubscription> = {
  endpoint: 'GET /webhooks',
  schema: 'bursar.sandbox-webhooks/v1',
  name: 'subscriptions',
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

const listSubscriptions = sandboxList({
  name: 'webhooks list',
  isDefault: true,
  summary: 'list the subscriptions and how they fare (the default)',
  view: SUBSCRIPTION_VIEW,
});

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

/** Webhook subscriptions. */
export const SUBSCRIPTION_COMMANDS: readonly OperationCommand[] = [
  listSubscriptions,
  change('unblock', 'unblock a subscription; what failed meanwhile is sent again'),
  change('enable', 'enable a subscription; what waits is sent'),
  change('disable', 'disable a subscription; it gets nothing new'),
];
