import type { Command } from 'commander';
import type { ChangeWebhookFlags } from '../../commands/api/change-webhook.ts';
import type { CreateWebhookFlags } from '../../commands/api/create-webhook.ts';
import type { WebhooksFlags } from '../../commands/api/webhooks.ts';
import type { AddCommands } from '../add-commands.ts';
import { given } from './payload-argument.ts';

const REQUEST_ID = ['[request-id]', 'the id that names it, or the payload'] as const;

/** Operations on webhook subscriptions. */
export const addWebhookCommands: AddCommands = (api, run) => {
  api.commandsGroup('Webhooks:');
  api
    .command('webhooks')
    .option('--show-secret <request-id>', 'print the secret key of one, and nothing else')
    .description('list the webhook subscriptions and how they fare')
    .action((flags: WebhooksFlags) =>
      run(async () => (await import('../../commands/api/webhooks.ts')).webhooks, flags),
    );
  subscription(
    api
      .command('create-webhook')
      .argument(
        '[json]',
        'payload: url, requestId, notificationEventTypes, notificationServiceTypes',
      )
      .option('--request-id <uuid>', 'names the subscription from then on')
      .summary('subscribe an address to events')
      .description(
        'Subscribes an address to events. "bursar api webhooks --show-secret" shows its secret key.',
      ),
  ).action((json: string | undefined, flags: Omit<CreateWebhookFlags, 'json'>) =>
    run(
      async () => (await import('../../commands/api/create-webhook.ts')).createWebhook,
      given('json', json, flags),
    ),
  );
  subscription(
    api
      .command('change-webhook')
      .argument(...REQUEST_ID)
      .description('change a webhook subscription; give all that shall hold from now on'),
  ).action((requestId: string | undefined, flags: Omit<ChangeWebhookFlags, 'requestIdOrJson'>) =>
    run(
      async () => (await import('../../commands/api/change-webhook.ts')).changeWebhook,
      given('requestIdOrJson', requestId, flags),
    ),
  );
  api
    .command('delete-webhook')
    .argument(...REQUEST_ID)
    .description('end a webhook subscription')
    .action((requestId: string | undefined) =>
      run(
        async () => (await import('../../commands/api/delete-webhook.ts')).deleteWebhook,
        given('requestIdOrJson', requestId, {}),
      ),
    );
};

const subscription = (command: Command): Command =>
  command
    .option('--url <url>', 'receives the webhooks')
    .option('--events <types>', 'event types, with commas, such as PAYOUT_CHANGE_STATUS')
    .option('--groups <groups>', 'all event types of these groups, with commas, such as PAYOUT');
