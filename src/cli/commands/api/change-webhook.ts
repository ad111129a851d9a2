import { z } from 'zod';
import type { Context } from '../../context.ts';
import { subscriptionText, withoutSecret } from '../../print/api-webhook-text.ts';
import { uuid } from './fields.ts';
import { payloadOr, readPayload } from './payload.ts';
import { runApi } from './run.ts';
import { type SubscriptionFlags, subscriptionFields, typedSubscription } from './subscription.ts';

export type ChangeWebhookFlags = SubscriptionFlags & Readonly<{ requestIdOrJson?: string }>;

const Payload = z.strictObject({ requestId: uuid, ...subscriptionFields });

/** `bursar api change-webhook`: what a subscription is to be from now on. */
export async function changeWebhook(flags: ChangeWebhookFlags, context: Context): Promise<number> {
  const { json, it: requestId } = payloadOr(flags.requestIdOrJson);
  const typed = { requestId: ['REQUEST_ID', requestId], ...typedSubscription(flags) } as const;
  const change = await readPayload(Payload, { json, typed }, context);
  return runApi(
    {
      schema: 'bursar.api-change-webhook/v1',
      call: async (api) => {
        const answer = await api.changeWebhookSubscription(change);
        return { ...answer, value: withoutSecret(answer.value) };
      },
      lookedFor: `the request id ${change.requestId}`,
      text: (parts) => subscriptionText('changed', parts, context),
    },
    context,
  );
}
