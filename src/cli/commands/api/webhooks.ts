import type { Answer, WebhookSubscription, WebhookSubscriptionParts } from '@bursar/merchant-api';
import { z } from 'zod';
import { BursarError } from '../../../domain/errors/bursar-error.ts';
import type { Context } from '../../context.ts';
import { flag, operation, optionalFlag } from '../../operation-table/operation.ts';
import { list, type ListView } from '../../operation-table/printout.ts';
import { recordText, subscriptionState, unreadableText } from '../../print/record-text.ts';
import { namesFlag, text, uuid } from './fields.ts';
import { apiRecord, withApi } from './operations.ts';
import { ask } from '../../../operations/service/ask.ts';

/** A subscription as it may be printed. */
type WithoutSecret<Parts extends WebhookSubscriptionParts> = Omit<Parts, 'secretKey'>;

const SUBSCRIPTION_VIEW: ListView<WithoutSecret<WebhookSubscription>> = {
  schema: 'bursar.api-webhooks/v1',
  array: 'subscriptions',
  lineSchema: 'bursar.api-webhook/v1',
  columns: [
    { title: 'REQUEST ID', width: 36, cell: (of) => of.requestId },
    { title: 'STATE', width: 8, cell: (of) => subscriptionState(of) },
    { title: 'FAILURES', width: 8, right: true, cell: (of) => of.errorCount },
    { title: 'URL', width: 40, cell: (of) => of.url },
    { title: 'EVENTS', width: 34, cell: (of) => eventsText(of.notificationEventTypes) },
    { title: 'CREATED', width: 0, cell: (of) => ({ moment: of.createdDate ?? '' }) },
  ],
};

function eventsText([first = 'none', ...more]: readonly string[]): string {
  return more.length === 0 ? first : `${first} and ${more.length} more`;
}

const emptyText = (count: number): string | undefined =>
  count === 0 ? 'There are no webhook subscriptions.' : undefined;

/** The secret key as it is: a program that stores it needs every character. Throws LOOKUP_NOTHING. */
function secretOf(subscriptions: readonly WebhookSubscription[], wanted: string) {
  const found = subscriptions.find(
    ({ requestId }) => requestId.toLowerCase() === wanted.toLowerCase(),
  );
  if (found === undefined) {
    throw new BursarError('LOOKUP_NOTHING', { what: `the request id ${wanted}` });
  }
  if (found.secretKey === undefined) {
    throw new BursarError('LOOKUP_NOTHING', { what: `the secret key of ${wanted}` });
  }
  const secretKey = found.secretKey.reveal();
  return { schema: 'bursar.api-webhook-secret/v1', record: { secretKey }, text: secretKey };
}

function withoutSecret<Parts extends WebhookSubscriptionParts>(
  subscription: Parts,
): WithoutSecret<Parts> {
  const { secretKey: _, ...shown } = subscription;
  return shown;
}

/** The answer to a change of a subscription, as it may be printed. */
async function shownAnswer<Parts extends WebhookSubscriptionParts>(call: Promise<Answer<Parts>>) {
  const answer = await call;
  return { ...answer, value: withoutSecret(answer.value) };
}

type Done = 'created' | 'changed' | 'deleted';

const subscriptionText =
  (done: Done) =>
  (parts: WithoutSecret<WebhookSubscriptionParts>, context: Context): string => {
    const { requestId, ...rest } = parts;
    const named = requestId === undefined ? '' : ` ${requestId}`;
    return recordText(`Webhook subscription${named}: ${done}`, rest, context);
  };

const contentFields = {
  url: flag('--url <url>', 'receives the webhooks', text),
  notificationEventTypes: namesFlag(
    '--events <types>',
    'event types, with commas, such as PAYOUT_CHANGE_STATUS',
  ),
  notificationServiceTypes: namesFlag(
    '--groups <groups>',
    'all event types of these groups, with commas, such as PAYOUT',
  ),
};

/** The field and the words of a command about one subscription. */
const requestId = flag('[request-id]', 'the id that names it, or the payload', uuid);
const lookedFor = (given: Readonly<{ requestId: string }>) => `the request id ${given.requestId}`;

/** Operations on webhook subscriptions. */
export const WEBHOOK_OPERATIONS = [
  operation({
    name: 'webhooks',
    summary: 'list the webhook subscriptions and how they fare',
    fields: {
      showSecret: optionalFlag(
        '--show-secret <request-id>',
        'print the secret key of one, and nothing else',
        z.string(),
      ),
    },
    run: ({ showSecret }, context) =>
      withApi(context, async (service) => {
        const answer = await ask(service, { call: (api) => api.listWebhookSubscriptions() });
        const { subscriptions, unreadableParts } = answer;
        if (unreadableParts.length > 0) context.say(unreadableText(unreadableParts));
        return showSecret === undefined
          ? list(SUBSCRIPTION_VIEW, subscriptions.map(withoutSecret), { closing: emptyText })
          : secretOf(subscriptions, showSecret);
      }),
  }),
  apiRecord({
    name: 'create-webhook',
    summary: 'subscribe an address to events',
    description:
      'Subscribes an address to events. "bursar api webhooks --show-secret" shows its secret key.',
    fields: {
      requestId: optionalFlag('--request-id <uuid>', 'names the subscription from then on', uuid),
      ...contentFields,
    },
    payload: 'payload: url, requestId, notificationEventTypes, notificationServiceTypes',
    schema: 'bursar.api-create-webhook/v1',
    call: (api, input) => shownAnswer(api.createWebhookSubscription(input)),
    look: 'bursar api webhooks',
    text: subscriptionText('created'),
  }),
  apiRecord({
    name: 'change-webhook',
    summary: 'change a webhook subscription; give all that shall hold from now on',
    fields: {
      requestId,
      ...contentFields,
    },
    payloadIn: 'requestId',
    schema: 'bursar.api-change-webhook/v1',
    call: (api, change) => shownAnswer(api.changeWebhookSubscription(change)),
    lookedFor,
    text: subscriptionText('changed'),
  }),
  apiRecord({
    name: 'delete-webhook',
    summary: 'end a webhook subscription',
    fields: { requestId },
    payloadIn: 'requestId',
    schema: 'bursar.api-delete-webhook/v1',
    call: (api, given) => shownAnswer(api.deleteWebhookSubscription(given)),
    lookedFor,
    text: subscriptionText('deleted'),
  }),
];
