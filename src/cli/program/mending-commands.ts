import { Option } from 'commander';
import { actionOf, type AddCommands, collect } from './add-commands.ts';
import { KEY, PASSPHRASE } from './key-option.ts';

/** The commands by which what went wrong is paid after all. */
export const addMendingCommands: AddCommands = (program, run) => {
  program.commandsGroup('Paying:');
  program
    .command('resend')
    .argument('<batch>', 'id of the ended batch; of several resends the newest')
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
    .option('--dry-run', 'show the payments, and start nothing')
    .option('--wait', 'wait for the end of the resend (the default)')
    .option('--detach', 'start the resend and do not wait (exit code 8)')
    .option('--timeout <duration>', 'wait at most this long: 30s, 15m, 2h, 3d (exit code 8)')
    .summary('pay failed rows again')
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
    .option('--store <age>', 'current (the default), older (restored from a copy) or empty (lost)')
    .option(
      '--confirm <totals>',
      'confirm the totals that may still be paid: TOTAL:CURRENCY, with commas',
    )
    .option('--yes', 'continue without a confirmation of the totals')
    .option(...KEY)
    .option(...PASSPHRASE)
    .option('--dry-run', 'show interrupted batches, and change nothing')
    .summary('continue batches that Temporal lost, or that were ended by force')
    .description(
      [
        'Finds open batches without a running workflow, and continues them from the store.',
        'No row is paid twice: each request is searched for at the service before it is sent. Sets up the schedules that Temporal lost.',
        'With --store older nothing is sent unless lookups are proven, and a person must resume each batch.',
        'With --store empty an empty store replaces a lost one, and running batches are read and planned again.',
      ].join('\n'),
    )
    .action(actionOf(run, async () => (await import('../commands/recover.ts')).recover));
};
