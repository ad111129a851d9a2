import { EXIT } from '../../../domain/errors/exit-codes.ts';
import type { Context } from '../../context.ts';
import { printResult } from '../../print/output.ts';
import { recordText } from '../../print/record-text.ts';
import type { SandboxFlags } from '../../sandbox/address.ts';
import { Subscription, Subscriptions } from '../../sandbox/event-records.ts';
import { printable } from '../../terminal/printable.ts';
import { createTable } from '../../terminal/table.ts';
import { openSandbox, printAll } from './open.ts';

/** `bursar sandbox webhooks list`: every subscription and how it fares. */
export async function webhooks(flags: SandboxFlags, context: Context): Promise<number> {
  const sandbox = await openSandbox(flags, context);
  const { subscriptions } = await sandbox.ask({ path: '/webhooks', answer: Subscriptions });
  await printAll(context, subscriptions, output());
  return EXIT.done;
}

export type WebhookActFlags = SandboxFlags &
  Readonly<{ act: 'enable' | 'disable' | 'unblock'; id: string }>;

/** `bursar sandbox webhooks enable|disable|unblock ID`: what a person does with a subscription. */
export async function actOnWebhook(
  { act, id, ...flags }: WebhookActFlags,
  context: Context,
): Promise<number> {
  const sandbox = await openSandbox(flags, context);
  const subscription = await sandbox.ask({
    method: 'POST',
    path: `/webhooks/${act}`,
    body: { id },
    answer: Subscription,
  });
  printResult(context, {
    json: { schema: 'bursar.sandbox-webhook/v1', ...subscription },
    text: recordText(
      `Webhook subscription ${subscription.id}: ${stateOf(subscription)}`,
      {
        url: subscription.url,
        deliveries: countsText(subscription),
      },
      context,
    ),
  });
  return EXIT.done;
}

function output() {
  const table = createTable([
    { title: 'ID', width: 36 },
    { title: 'STATE', width: 8 },
    { title: 'ERRORS', width: 6, right: true },
    { title: 'URL', width: 36 },
    { title: 'EVENTS', width: 37 },
    { title: 'DELIVERIES', width: 0 },
  ]);
  return {
    schema: 'bursar.sandbox-webhooks/v1',
    name: 'subscriptions',
    lineSchema: 'bursar.sandbox-webhook/v1',
    header: table.header(),
    textOf: (of: Subscription) =>
      table.row([
        printable(of.id),
        stateOf(of),
        String(of.errorCount),
        ...[of.url, eventsText(of), countsText(of)].map(printable),
      ]),
  };
}

function stateOf({ enabled, blockedByErrorCount }: Subscription): string {
  if (blockedByErrorCount) return 'blocked';
  return enabled ? 'enabled' : 'disabled';
}

/** The first two names of what it is subscribed to. */
function eventsText({ notificationServiceTypes, notificationEventTypes }: Subscription): string {
  const [first, second, ...more] = [...notificationServiceTypes, ...notificationEventTypes];
  const shown = [first, second].filter((name) => name !== undefined).join(', ');
  return more.length === 0 ? shown : `${shown} and ${more.length} more`;
}

function countsText({ deliveries }: Subscription): string {
  const counts = Object.entries(deliveries).map(([status, count]) => `${count} ${status}`);
  return counts.length === 0 ? 'none' : counts.join(', ');
}
