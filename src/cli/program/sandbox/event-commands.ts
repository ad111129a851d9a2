import type { Command } from 'commander';
import type { DeliveriesFlags } from '../../commands/sandbox/deliveries.ts';
import type { ListenFlags } from '../../commands/sandbox/listen.ts';
import type { TriggerFlags } from '../../commands/sandbox/trigger.ts';
import type { WebhookActFlags } from '../../commands/sandbox/webhooks.ts';
import type { AddCommands, Run } from '../add-commands.ts';
import { collect, defaultCommand, ONE_ACCOUNT, tail } from './options.ts';

const WEBHOOK_ACTS: readonly Readonly<{ name: WebhookActFlags['act']; does: string }>[] = [
  { name: 'unblock', does: 'unblock a subscription; what failed meanwhile is sent again' },
  { name: 'enable', does: 'enable a subscription; what waits is sent' },
  { name: 'disable', does: 'disable a subscription; it gets nothing new' },
];

/** Events and webhooks. */
export const addSandboxEventCommands: AddCommands = (sandbox, run) => {
  sandbox.commandsGroup('Events and webhooks:');
  sandbox
    .command('trigger')
    .argument('[event]', 'type of the event; without it the types are listed')
    .option('--override <path=value>', 'put a value into the data, by a dotted path', collect)
    .option(...ONE_ACCOUNT)
    .summary('announce an event as if it had happened')
    .description(
      [
        'Announces an event as if it had happened; nothing else changes.',
        'Values of --override are text, unless they are JSON lists, objects or quoted texts, or',
        'true, false or null.',
      ].join('\n'),
    )
    .action((event: string | undefined, flags: Omit<TriggerFlags, 'event'>) =>
      run(async () => (await import('../../commands/sandbox/trigger.ts')).trigger, {
        ...flags,
        ...(event === undefined ? {} : { event }),
      }),
    );
  sandbox
    .command('listen')
    .option('--forward-to <url>', 'POST each event there; without it events are only shown')
    .option('--events <types>', 'only events of these types, with commas')
    .option('--print-json', 'print each event as JSON too')
    .summary('forward events to an address, until Ctrl-C')
    .description(
      [
        'Forwards events to an address as they happen, one after the other, until Ctrl-C.',
        'Each is sent once and unsigned, whatever modes and faults say; a webhook subscription is',
        'what is signed and retried.',
      ].join('\n'),
    )
    .action((flags: ListenFlags) =>
      run(async () => (await import('../../commands/sandbox/listen.ts')).listen, flags),
    );
  const webhooks = sandbox
    .command('webhooks')
    .helpCommand(false)
    .description('list webhook subscriptions, unblock, enable and disable them');
  defaultCommand(webhooks, 'list')
    .description('list the subscriptions and how they fare (the default)')
    .action(() =>
      run(async () => (await import('../../commands/sandbox/webhooks.ts')).webhooks, {}),
    );
  for (const { name, does } of WEBHOOK_ACTS) {
    webhooks
      .command(name)
      .argument('<id>', 'id of the subscription, as the list tells it')
      .description(does)
      .action((id: string) =>
        run(async () => (await import('../../commands/sandbox/webhooks.ts')).actOnWebhook, {
          act: name,
          id,
        }),
      );
  }
  addDeliveryCommands(sandbox, run);
};

function addDeliveryCommands(sandbox: Command, run: Run): void {
  const deliveries = sandbox
    .command('deliveries')
    .helpCommand(false)
    .description('list the webhooks, and send one again');
  tail(defaultCommand(deliveries, 'list'))
    .option('--subscription <id>', 'only those of this subscription')
    .option('--status <status>', 'only WAITING, HELD, DELIVERED, GIVEN_UP or DROPPED')
    .option('-f, --follow', 'go on with those that come or change, until Ctrl-C')
    .description('list the webhooks that were sent or are to be, the latest last (the default)')
    .action((flags: DeliveriesFlags) =>
      run(async () => (await import('../../commands/sandbox/deliveries.ts')).deliveries, flags),
    );
  deliveries
    .command('resend')
    .argument('<id>', 'number of the webhook, as the list tells it')
    .description('send one webhook again, whatever became of it')
    .action((id: string) =>
      run(async () => (await import('../../commands/sandbox/deliveries.ts')).resendDelivery, {
        id,
      }),
    );
}
