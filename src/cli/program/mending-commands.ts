import { Option } from 'commander';
import { actionOf, type AddCommands, collect } from './add-commands.ts';
import { KEY, PASSPHRASE } from './key-option.ts';

/** The commands by which what went wrong is paid after all. */
export const addMendingCommands: AddCommands = (program, run) => {
  program.commandsGroup('Paying:');
  program
    .command('resend')
    .argument('<batch>', 'id of the batch that ended; of several resends the newest')
    .option('--id <id>', 'id of the resend; by default <batch>-r<number>')
    .option(
      '--confirm-not-paid-elsewhere',
      "I have checked that nobody re-sent these payments in the provider's own portal",
    )
    .addOption(new Option('--nothing-resent-elsewhere').hideHelp())
    .option(
      '--accept <codes>',
      'accept warnings by code, in addition to those of the batch',
      collect,
    )
    .option('--at <instant>', 'start to pay at that time, such as 2026-12-01T09:00:00+01:00')
    .option('--execution-date <instant>', 'let the service pay at that time')
    .option('--funds <choice>', 'too low a balance: fail, wait (a day) or wait:DURATION')
    .option('--confirm <totals>', 'confirm the totals: TOTAL:CURRENCY, several with commas')
    .option('--yes', 'pay without a confirmation of the totals')
    .option(...KEY)
    .option(...PASSPHRASE)
    .option('--dry-run', 'show what would be sent again, and start nothing')
    .option('--wait', 'wait for the end of the resend (the default)')
    .option('--detach', 'start the resend and leave it (exit code 8)')
    .option('--timeout <duration>', 'wait at most so long: 30s, 15m, 2h, 3d (exit code 8)')
    .summary('pay the rows again that provably failed')
    .description(
      [
        'Pays the rows of a batch again that failed, or that were never sent, in a new batch.',
        'Unknown rows are left out. Each row is checked again just before it is sent.',
      ].join('\n'),
    )
    .action(actionOf(run, async () => (await import('../commands/resend.ts')).resend));
  program
    .command('recover')
    .argument('[batch]', 'id of the batch; without it, all batches and schedules')
    .option(
      '--store <age>',
      'current (the default), older: it was brought back from a copy, or empty: it was lost',
    )
    .option('--confirm <totals>', 'confirm what may yet be paid: TOTAL:CURRENCY, with commas')
    .option('--yes', 'go on without a confirmation of the totals')
    .option(...KEY)
    .option(...PASSPHRASE)
    .option('--dry-run', 'show what was cut off, and change nothing')
    .summary('go on with what Temporal lost, or what was ended by force')
    .description(
      [
        'Finds open batches without a running workflow, and continues them from the store.',
        'Nobody is paid twice: each request is looked up before it is sent. Sets up the schedules that Temporal lost.',
        'With --store older nothing is sent unless lookups are proven, and each batch waits to be resumed.',
        'With --store empty an empty store takes the place of a lost one, and running batches are read and planned again.',
      ].join('\n'),
    )
    .action(actionOf(run, async () => (await import('../commands/recover.ts')).recover));
};
