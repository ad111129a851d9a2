import type { Command } from 'commander';
import { actionOf, type AddCommands } from './add-commands.ts';
import { KEY, PASSPHRASE } from './key-option.ts';

/** The commands that take a merchant's file. */
export const addFileCommands: AddCommands = (program, run) => {
  program.commandsGroup('Paying:');
  batchOptions(
    program
      .command('plan')
      .summary('show what paying a file would do')
      .description(
        'Checks a file and shows its payments. It sends and stores nothing. The plan is written to a file, for comparison, approval and submit.',
      )
      .argument('<file>', FILE),
  )
    .option('--online', 'read balance and fees from the service')
    .option(
      '--out <file>',
      'write the plan there; by default to plan.json in the folder of the batch',
    )
    .option('--no-out', 'write no plan')
    .action(actionOf(run, async () => (await import('../commands/plan.ts')).plan));

  batchOptions(
    program
      .command('submit')
      .summary('pay a file')
      .description('Checks a file, asks you to confirm, pays it and waits for the end.')
      .argument('[file]', `${FILE}; with --plan, by default the file of the plan`)
      .hook('preAction', (submit) => {
        const isNamed = submit.args.length > 0 || submit.getOptionValue('plan') !== undefined;
        if (!isNamed) submit.error("error: missing required argument 'file'");
      }),
  )
    .option('--plan <file>', 'pay exactly this plan, or nothing')
    .option('--confirm <totals>', 'confirm the totals: TOTAL:CURRENCY, several with commas')
    .option('--yes', 'pay without a confirmation')
    .option(...KEY)
    .option(...PASSPHRASE)
    .option('--wait', 'wait for the end of the batch (the default)')
    .option('--detach', 'start the batch and do not wait (exit code 8)')
    .option('--timeout <duration>', 'wait at most this long: 30s, 15m, 2h, 3d (exit code 8)')
    .option('--no-preflight', 'do not read the balance before the start')
    .action(actionOf(run, async () => (await import('../commands/submit.ts')).submit));

  program
    .command('template')
    .option('--xlsx', 'a workbook, whose columns are formatted as text')
    .option('--out <file>', 'write it there; without it a CSV is printed')
    .summary('print an example file to fill in')
    .description('Prints or writes an example file with all columns. It pays nothing as it is.')
    .action(actionOf(run, async () => (await import('../commands/template.ts')).template));
};

const FILE = '.csv, .csv.gz or .xlsx file, or - for standard input';

/** The flags that `plan` and `submit` share. */
const batchOptions = (command: Command): Command =>
  readingOptions(command.option('--id <id>', 'id of the batch; by default file name and hash'))
    .option('--at <instant>', 'start to pay at that time, such as 2026-12-01T09:00:00+01:00')
    .option('--execution-date <instant>', 'let the service pay at that time')
    .option('--follow-links', 'the file or the plan may be a symbolic link')
    .option('--skip-invalid', 'leave refused rows out and pay the others')
    .option('--expect-count <rows>', 'refuse the file unless it has this number of rows')
    .option('--expect-total <total>', 'refuse it unless it sums up to AMOUNT[:CURRENCY]', collect)
    .option('--accept <codes>', 'accept warnings by code', collect)
    .option(
      '--funds <choice>',
      'too low a balance: fail (the default), wait (a day) or wait:DURATION',
    )
    .option('--before-scheduled', 'may use money reserved for scheduled batches')
    .option('--canary <rows>', 'pay this number of rows of each currency first, and wait for them')
    .option(
      '--stop-loss <list>',
      'stop above this share or amount of failures: 5%, 1000:USDT_TRC20, or none',
    );

/** The flags by which a file is read. */
export const readingOptions = (command: Command): Command =>
  command
    .option('--currency <currency>', 'currency of rows without one')
    .option('--sheet <name>', 'the sheet to read, of a workbook with several')
    .option('--decimal-comma', 'read amounts with a decimal comma: 1234,56')
    .option(
      '--column <column=name>',
      'a column by its name in the file: address="To wallet"',
      collect,
    )
    .option('--ignore-column <name>', 'do not read this column', collect);

/** Gathers the values of a flag that may be given several times. */
const collect = (value: string, before: readonly string[] = []): string[] => [...before, value];
