import { actionOf, type AddCommands } from './add-commands.ts';

/** The commands that see that everything around the batches is well. */
export const addUpkeepCommands: AddCommands = (program, run) => {
  program.commandsGroup('Looking after it:');
  program
    .command('doctor')
    .option('--send-test', 'send a test notification to every target, by a worker')
    .summary('check everything that a set-up needs')
    .description(
      'Checks everything that a set-up needs, and says how to mend what it lacks. It moves no money.',
    )
    .action(actionOf(run, async () => (await import('../commands/doctor.ts')).doctor));
  program
    .command('support-bundle')
    .argument('<batch>', 'id of the batch')
    .option('--with-addresses', 'show addresses, and the amounts of rows')
    .summary('print what somebody who helps must know of a batch')
    .description(
      'Prints one JSON object with what is known of a batch, for somebody who helps: no secret and no signature is in it.',
    )
    .action(
      actionOf(run, async () => (await import('../commands/support-bundle.ts')).supportBundle),
    );
  const webhooks = program
    .command('webhooks')
    .helpCommand(false)
    .summary('the webhook subscription that leads to the bridge')
    .description('The webhook subscription by which the service tells our bridge of changes.');
  webhooks
    .command('ensure')
    .option(
      '--events <types>',
      'event types, with commas; by default all of payouts and of money that comes in',
    )
    .option('--dry-run', 'say what would be done, and do nothing')
    .description('make the subscription, or mend it')
    .action(
      actionOf(run, async () => (await import('../commands/webhooks/ensure.ts')).ensureWebhooks),
    );
  webhooks
    .command('status')
    .description('say how webhooks come')
    .action(
      actionOf(run, async () => (await import('../commands/webhooks/status.ts')).webhookStatus),
    );
  program
    .command('ui')
    .helpCommand(false)
    .summary("links into Temporal's web UI")
    .command('views')
    .description('print links to lists of batches, which the web UI keeps as saved views')
    .action(actionOf(run, async () => (await import('../commands/ui-views.ts')).uiViews));
};
