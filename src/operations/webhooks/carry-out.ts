import { ask } from '../service/ask.ts';
import type { EnsureStep } from '../../domain/webhooks/ensure.ts';
import type { ServiceAccess } from '../context.ts';

/** The command that shows the effect of a call whose answer was lost. */
const LOOK = 'bursar webhooks status';

/** Carries out a step for our subscription. The caller reads the effect from the list, not from the answers. */
export async function carryOut(service: ServiceAccess, step: EnsureStep): Promise<void> {
  switch (step.act) {
    case 'nothing':
    case 'unblock':
      return;
    case 'create':
      return create(service, step);
    case 'change':
      return change(service, step);
    case 'replace':
      await create(service, step);
      return remove(service, step.id);
  }
}

type Wanted = Extract<EnsureStep, { url: string }>;

async function create(service: ServiceAccess, { url, eventTypes }: Wanted): Promise<void> {
  const input = { url, notificationEventTypes: [...eventTypes] };
  await ask(service, { call: (api) => api.createWebhookSubscription(input), look: LOOK });
}

async function change(
  service: ServiceAccess,
  { id, url, eventTypes }: Extract<EnsureStep, { act: 'change' }>,
): Promise<void> {
  const wanted = { requestId: id, url, notificationEventTypes: [...eventTypes] };
  await ask(service, { call: (api) => api.changeWebhookSubscription(wanted), look: LOOK });
}

/** A service that deletes none keeps the old one, which gets nothing as it is. */
async function remove(service: ServiceAccess, requestId: string): Promise<void> {
  if (!service.api.hasOperation('WEBHOOK_DELETE')) return;
  await ask(service, { call: (api) => api.deleteWebhookSubscription({ requestId }), look: LOOK });
}
