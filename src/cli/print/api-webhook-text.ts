import type { WebhookSubscription, WebhookSubscriptionParts } from '@bursar/merchant-api';
import type { Context } from '../context.ts';
import { printable } from '../terminal/printable.ts';
import { createTable } from '../terminal/table.ts';
import { dateText, recordText } from './record-text.ts';

type Reader = Pick<Context, 'clock' | 'colours'>;
type Shown = Omit<WebhookSubscription, 'secretKey'>;

/** A subscription as it may be printed. */
export function withoutSecret<Parts extends WebhookSubscriptionParts>(
  subscription: Parts,
): Omit<Parts, 'secretKey'> {
  const { secretKey: _, ...shown } = subscription;
  return shown;
}

/** How a list of subscriptions is printed. */
export function webhookList({ clock }: Pick<Context, 'clock'>) {
  const table = createTable([
    { title: 'REQUEST ID', width: 36 },
    { title: 'STATE', width: 8 },
    { title: 'FAILURES', width: 8, right: true },
    { title: 'URL', width: 40 },
    { title: 'EVENTS', width: 34 },
    { title: 'CREATED', width: 0 },
  ]);
  return {
    schema: 'bursar.api-webhooks/v1',
    about: {},
    name: 'subscriptions',
    lineSchema: 'bursar.api-webhook/v1',
    header: table.header(),
    textOf: (of: Shown) =>
      table.row([
        printable(of.requestId),
        stateText(of),
        String(of.errorCount),
        printable(of.url),
        printable(eventsText(of.notificationEventTypes)),
        dateText(of.createdDate, clock),
      ]),
  };
}

const stateText = ({ enabled, blockedByErrorCount }: Shown): string => {
  if (blockedByErrorCount) return 'blocked';
  return enabled ? 'enabled' : 'disabled';
};

function eventsText([first = 'none', ...more]: readonly string[]): string {
  return more.length === 0 ? first : `${first} and ${more.length} more`;
}

/** What a service says about a subscription that was created, changed or deleted, for people. */
export function subscriptionText(
  done: 'created' | 'changed' | 'deleted',
  parts: Omit<WebhookSubscriptionParts, 'secretKey'>,
  context: Reader,
): string {
  const { requestId, ...rest } = parts;
  const named = requestId === undefined ? '' : ` ${requestId}`;
  return recordText(`Webhook subscription${named}: ${done}`, rest, context);
}
