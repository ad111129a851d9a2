import { z } from 'zod';
import type { Context } from '../../context.ts';
import { subscriptionText, withoutSecret } from '../../print/api-webhook-text.ts';
import { uuid } from './fields.ts';
import { payloadOr, readPayload } from './payload.ts';
import { runApi } from './run.ts';

export type DeleteWebhookFlags = Readonly<{ requestIdOrJson?: string }>;

const Payload = z.strictObject({ requestId: uuid });

/** `bursar api delete-webhook`: ends a subscription. */
export async function deleteWebhook(flags: DeleteWebhookFlags, context: Context): Promise<number> {
  const { json, it: requestId } = payloadOr(flags.requestIdOrJson);
  const typed = { requestId: ['REQUEST_ID', requestId] } as const;
  const payload = await readPayload(Payload, { json, typed }, context);
  return runApi(
    {
      schema: 'bursar.api-delete-webhook/v1',
      call: async (api) => {
        const answer = await api.deleteWebhookSubscription(payload);
        return { ...answer, value: withoutSecret(answer.value) };
      },
      lookedFor: `the request id ${payload.requestId}`,
      text: (parts) => subscriptionText('deleted', parts, context),
    },
    context,
  );
}
