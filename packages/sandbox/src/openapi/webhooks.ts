import { EVENT_TYPES, type EventType, HEADER_KEY, HEADER_SIGN } from '@bursar/merchant-api/spec';
import { groupOf, sampleData } from '../core/event-samples.ts';
import { EXAMPLE_ACCOUNT, EXAMPLE_MS } from './examples/facts.ts';
import { eventName, pascalCase, schemaRef } from './names.ts';

const EXAMPLE_FACTS = {
  account: EXAMPLE_ACCOUNT,
  nowMs: EXAMPLE_MS,
  newId: () => '5e2a9c07-41d8-4f6b-8b3c-96f0d7e15a24',
};

/** A header that the receiver of a webhook can check. */
const header = (name: string, description: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
});

/** ASSUMED: the spec does not show how a webhook is signed. */
export const WEBHOOK_PARAMETERS = {
  WebhookKey: header(HEADER_KEY, 'The publicKey of the subscription.'),
  WebhookSign: header(
    HEADER_SIGN,
    'HMAC-SHA512 of the bytes of the body with the secretKey of the subscription, in hexadecimal.',
  ),
};

const PARAMETERS = Object.keys(WEBHOOK_PARAMETERS).map((name) => ({
  $ref: `#/components/parameters/${name}`,
}));

/** The possible answers of a receiver. Spec: "Events" 3 and 4. */
const RESPONSES = {
  '200': { description: 'Delivered. The webhook is not sent again.' },
  default: { description: 'Every other answer is an error. 19 retries follow.' },
};

/** Every event of the specification as a webhook. */
export const webhooks = (): Readonly<Record<string, unknown>> =>
  Object.fromEntries(EVENT_TYPES.map((type) => [type, { post: webhookOf(type) }]));

function webhookOf(type: EventType) {
  const group = groupOf(type);
  return {
    operationId: `on${pascalCase(type)}`,
    tags: ['Webhooks'],
    summary: `${type}, of the group ${group}`,
    parameters: PARAMETERS,
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: schemaRef(eventName(group)),
          example: { type, account: EXAMPLE_ACCOUNT, data: sampleData(type, EXAMPLE_FACTS) },
        },
      },
    },
    responses: RESPONSES,
  };
}
