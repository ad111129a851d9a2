import {
  ADMIN_DELIVERY_STATUSES,
  type AdminDelivery,
  type AdminSubscription,
} from '@bursar/sandbox/admin';
import { z } from 'zod';
import { flag, optionalFlag } from '../../command-table/flag.ts';
import type { OperationCommand } from '../../command-table/operation-command.ts';
import { list, type ListView } from '../../command-table/printout.ts';
import { recordText } from '../../print/record-text.ts';
import { changes, latestDeliveries } from '../../sandbox/deliveries.ts';
import { lookPause } from '../../sandbox/pages.ts';
import { fromOneUp, oneOf, tailFields, text } from './fields.ts';
import {
  refuseEndlessJson,
  sandboxList,
  sandboxOperation,
  sandboxRecord,
  TAIL_DEFAULT,
} from './operations.ts';

const SUBSCRIPTION_VIEW: ListView<AdminSubscription> = {
  schema: 'bursar.sandbox-webhooks/v1',
  name: 'subscriptions',
  lineSchema: 'bursar.sandbox-webhook/v1',
  columns: [
    { title: 'ID', width: 36, cell: (of) => of.id },
    { title: 'STATE', width: 8, cell: (of) => stateOf(of) },
    { title: 'ERRORS', width: 6, right: true, cell: (of) => of.errorCount },
    { title: 'URL', width: 36, cell: (of) => of.url },
    { title: 'EVENTS', width: 37, cell: (of) => eventsText(of) },
    { title: 'DELIVERIES', width: 0, cell: (of) => countsText(of) },
  ],
};

function stateOf({ enabled, blockedByErrorCount }: AdminSubscription): string {
  if (blockedByErrorCount) return 'blocked';
  return enabled ? 'enabled' : 'disabled';
}

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
  request: () => ({ endpoint: 'GET /webhooks' }),
  items: ({ subscriptions }) => subscriptions,
});

/** An act of a person on a subscription in the service's own interface. */
const change = (name: 'unblock' | 'enable' | 'disable', summary: string): OperationCommand =>
  sandboxRecord({
    name: `webhooks ${name}`,
    summary,
    fields: { id: flag('<id>', 'id of the subscription, as the list tells it', text) },
    schema: 'bursar.sandbox-webhook/v1',
    request: (body) => ({ endpoint: `POST /webhooks/${name}` as const, body }),
    text(subscription, context) {
      const title = `Webhook subscription ${subscription.id}: ${stateOf(subscription)}`;
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

const DELIVERY_VIEW: ListView<AdminDelivery> = {
  schema: 'bursar.sandbox-deliveries/v1',
  name: 'deliveries',
  lineSchema: 'bursar.sandbox-delivery/v1',
  columns: [
    { title: 'ID', width: 6, right: true, cell: (of) => of.id },
    { title: 'STATUS', width: 9, cell: (of) => of.status },
    { title: 'EVENT', width: 36, cell: (of) => of.type },
    { title: 'SUBSCRIPTION', width: 36, cell: (of) => of.subscription },
    { title: 'ATTEMPTS', width: 8, right: true, cell: (of) => of.attempts.length },
    { title: 'LAST ANSWER', width: 20, cell: (of) => answerText(of) },
    { title: 'CREATED', width: 0, cell: (of) => ({ moment: of.createdDate }) },
  ],
};

function answerText({ attempts, fault }: AdminDelivery): string {
  const last = attempts.at(-1);
  if (last === undefined) return fault === null ? '-' : `fault ${fault}`;
  return last.status === null ? (last.reason ?? 'no answer') : String(last.status);
}

const listDeliveries = sandboxOperation({
  name: 'deliveries list',
  isDefault: true,
  summary: 'list the webhooks that were sent or are to be, the latest last (the default)',
  fields: {
    ...tailFields,
    subscription: optionalFlag('--subscription <id>', 'only those of this subscription', text),
    status: optionalFlag(
      '--status <status>',
      'only WAITING, HELD, DELIVERED, GIVEN_UP or DROPPED',
      oneOf(ADMIN_DELIVERY_STATUSES),
    ),
    follow: optionalFlag(
      '-f, --follow',
      'go on with those that come or change, until Ctrl-C',
      z.boolean(),
    ),
  },
  async run({ tail: count = TAIL_DEFAULT, follow, ...query }, sandbox, context) {
    if (!follow) return list(DELIVERY_VIEW, await latestDeliveries(sandbox, query, count));
    refuseEndlessJson(context);
    const pause = lookPause(context);
    return list(DELIVERY_VIEW, changes(sandbox, query, { count, pause }));
  },
});

const resendDelivery = sandboxRecord({
  name: 'deliveries resend',
  summary: 'send one webhook again, whatever became of it',
  fields: {
    id: flag('<id>', 'number of the webhook, as the list tells it', fromOneUp),
  },
  schema: 'bursar.sandbox-delivery/v1',
  request: (body) => ({ endpoint: 'POST /deliveries/resend', body }),
  text({ id, status, attempts, ...rest }, context) {
    const record = { ...rest, attempts: attempts.length };
    return recordText(`Webhook ${id}: ${status}`, record, context);
  },
});

/** The webhooks themselves. */
export const DELIVERY_COMMANDS: readonly OperationCommand[] = [listDeliveries, resendDelivery];
