import { z } from 'zod';
import type { Context } from '../../context.ts';
import { subscriptionText, withoutSecret } from '../../print/api-webhook-text.ts';
import { uuid } from './fields.ts';
import { readPayload } from './payload.ts';
import { runApi } from './run.ts';
import { type SubscriptionFlags, subscriptionFields, typedSubscription } from './subscription.ts';

export type CreateWebhookFlags = SubscriptionFlags &
  Readonly<{ json?: string; requestId?: string }>;

const Payload = z.strictObject({ ...subscriptionFields, requestId: uuid.exactOptional() });

/** `bursar api create-webhook`: subscribes an address to events. */
export async function createWebhook(flags: CreateWebhookFlags, context: Context): Promise<number> {
  const typed = {
    ...typedSubscription(flags),
    requestId: ['--request-id', flags.requestId],
  } as const;
  const input = await readPayload(Payload, { json: flags.json, typed }, context);
  return runApi(
    {
      schema: 'bursar.api-create-webhook/v1',
      call: async (api) => {
        const answer = await api.createWebhookSubscription(input);
        return { ...answer, value: withoutSecret(answer.value) };
      },
      look: 'bursar api webhooks',
      text: (parts) => subscriptionText('created', parts, context),
    },
    context,
  );
}
