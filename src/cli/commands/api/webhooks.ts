import { ask } from '../../../operations/service/ask.ts';
import { BursarError } from '../../../domain/errors/bursar-error.ts';
import { EXIT } from '../../../domain/errors/exit-codes.ts';
import type { WebhookSubscription } from '@bursar/merchant-api';
import type { Context } from '../../context.ts';
import { webhookList, withoutSecret } from '../../print/api-webhook-text.ts';
import { printList, printResult } from '../../print/output.ts';
import { withApi } from './run.ts';

export type WebhooksFlags = Readonly<{ showSecret?: string }>;

/** `bursar api webhooks`: every webhook subscription and how it fares, or the secret key of one and nothing else. */
export const webhooks = ({ showSecret }: WebhooksFlags, context: Context): Promise<number> =>
  withApi(context, async (service) => {
    const subscriptions = await ask(service, { call: (api) => api.listWebhookSubscriptions() });
    if (showSecret === undefined) return printSubscriptions(subscriptions, context);
    const wanted = ({ requestId }: WebhookSubscription) =>
      requestId.toLowerCase() === showSecret.toLowerCase();
    const found = subscriptions.find(wanted);
    const what = `the request id ${showSecret}`;
    if (found === undefined) throw new BursarError('LOOKUP_NOTHING', { what });
    const secretKey = found.secretKey.reveal();
    const json = { schema: 'bursar.api-webhook-secret/v1', secretKey };
    // As it is: whoever stores it needs every character.
    printResult(context, { json, text: secretKey });
    return EXIT.done;
  });

async function printSubscriptions(
  subscriptions: readonly WebhookSubscription[],
  context: Context,
): Promise<number> {
  const count = await printList(context, subscriptions.map(withoutSecret), webhookList(context));
  if (count === 0 && context.format === 'text') context.say('There are no webhook subscriptions.');
  return EXIT.done;
}
