import { actionOf, type AddCommands, collect } from './add-commands.ts';

/** The commands that see that everything around the batches is well. */
export const addUpkeepCommands: AddCommands = (program, run) => {
  program.commandsGroup('Maintaining:');
  program
    .command('doctor')
    .option('--send-test', 'send a test notification to every target, by a worker')
    .summary('check the whole set-up')
    .description('Checks the whole set-up, and prints a fix for each fault. It moves no money.')
    .action(actionOf(run, async () => (await import('../commands/doctor.ts')).doctor));
  program
    .command('probe')
    .option(
      '--mass-payout <id>',
      'a mass payout of the account; by default the newest of the store',
    )
    .option('--key <uuid>', 'its idempotency key')
    .option('--endpoint <operation=path>', 'path of an operation; may be given again', collect)
    .option('--openapi <file>', 'a file or an address with an OpenAPI document of the service')
    .option('--write', 'write what was found into bursar.toml')
    .option('--dry-run', 'with --write: show the change, and make none')
    .summary('test how the service behaves')
    .description(
      'Tests points that the specification of the service leaves open, with at most 60 reads. It creates nothing and moves no money.',
    )
    .action(actionOf(run, async () => (await import('../commands/probe.ts')).probe));
  program
    .command('support-bundle')
    .argument('<batch>', 'id of the batch')
    .option('--with-addresses', 'show addresses, and the amounts of rows')
    .summary('print the facts of a batch for support')
    .description(
      'Prints one JSON object with the facts of a batch, for support. It has no secret and no signature.',
    )
    .action(
      actionOf(run, async () => (await import('../commands/support-bundle.ts')).supportBundle),
    );
  addStoreCommands(program, run);
  addRetentionCommands(program, run);
  const webhooks = program
    .command('webhooks')
    .helpCommand(false)
    .summary('the webhook subscription of the bridge')
    .description('The webhook subscription of the bridge, for changes at the service.');
  webhooks
    .command('ensure')
    .option('--events <types>', 'event types, with commas; by default all of payouts and top-ups')
    .option('--dry-run', 'print the changes, and make none')
    .description('make the subscription, or repair it')
    .action(
      actionOf(run, async () => (await import('../commands/webhooks/ensure.ts')).ensureWebhooks),
    );
  webhooks
    .command('status')
    .description('show how webhooks arrive')
    .action(
      actionOf(run, async () => (await import('../commands/webhooks/status.ts')).webhookStatus),
    );
  program
    .command('ui')
    .helpCommand(false)
    .summary("links into Temporal's web UI")
    .command('views')
    .description('print links to lists of batches; the web UI keeps them as saved views')
    .action(actionOf(run, async () => (await import('../commands/ui-views.ts')).uiViews));
};

const addStoreCommands: AddCommands = (program, run) => {
  const load = () => import('../commands/store.ts');
  const store = program
    .command('store')
    .helpCommand(false)
    .summary('tables, state and backups of the store')
    .description('The database of every batch (store.url): its tables, its state and its backups.');
  store
    .command('migrate')
    .description('make the tables, or change them to those of this version')
    .action(actionOf(run, async () => (await load()).migrateStore));
  store
    .command('check')
    .description('check that the store works and keeps its data (exit code 2: a fault)')
    .action(actionOf(run, async () => (await load()).checkStoreState));
  store
    .command('backup')
    .argument('<file>', 'a new file')
    .description('copy the whole store into a file, while programs run')
    .action(actionOf(run, async () => (await load()).backUp));
  store
    .command('restore')
    .argument('<file>', 'a file that "bursar store backup" made')
    .description('fill an empty store from a backup, of SQLite or PostgreSQL')
    .action(actionOf(run, async () => (await load()).restore));
};

const addRetentionCommands: AddCommands = (program, run) => {
  program
    .command('archive')
    .argument('<batch>', 'id of the ended batch')
    .requiredOption('--out <place>', 'a folder, or s3://BUCKET/PREFIX; the archive is below it')
    .summary('copy the proofs of a batch')
    .description(
      [
        'Copies the file, the newest report and the audit log of an ended batch into a folder.',
        'The archive proves the batch without the store: bursar verify BATCH --archive PLACE',
      ].join('\n'),
    )
    .action(actionOf(run, async () => (await import('../commands/archive.ts')).archive));
  program
    .command('prune')
    .option(
      '--older-than <age>',
      'time since the newest report, such as 400d (the default); at least 30d',
    )
    .option('--dry-run', 'only list the batches (the default)')
    .option('--yes', 'remove it')
    .summary('remove the rows of old batches, and keep the proof of payment')
    .description(
      [
        'Removes copies of files, rows, payloads and report lines of finished batches.',
        'The proofs of payment stay, and the same file is still refused.',
      ].join('\n'),
    )
    .action(actionOf(run, async () => (await import('../commands/prune.ts')).pruneBatches));
  program
    .command('forget')
    .argument('<address>', 'an address, as the submitted files have it')
    .option('--dry-run', 'list the batches (the default)')
    .option('--yes', 'remove their rows')
    .summary('remove the rows of every batch that paid to an address')
    .description(
      [
        'Removes the rows of each batch with an address, as prune does. Then no file of Bursar has the address.',
        'Exit code 8: a batch with the address must keep its rows for now.',
      ].join('\n'),
    )
    .action(actionOf(run, async () => (await import('../commands/prune.ts')).forgetAddress));
};
