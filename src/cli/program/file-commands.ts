import type { Command } from 'commander';
import type { PlanFlags } from '../commands/plan.ts';
import type { SubmitFlags } from '../commands/submit.ts';
import type { AddCommands } from './add-commands.ts';

/** The commands that take a merchant's file. */
export const addFileCommands: AddCommands = (program, run) => {
  program.commandsGroup('Paying:');
  batchOptions(
    program
      .command('plan')
      .summary('show what paying a file would do')
      .description('Checks a file and shows what paying it would do. Nothing is sent or stored.'),
  )
    .option('--online', 'ask the service for balance and fees')
    .action((file: string, flags: Omit<PlanFlags, 'file'>) =>
      run(async () => (await import('../commands/plan.ts')).plan, { file, ...flags }),
    );

  batchOptions(
    program
      .command('submit')
      .summary('pay a file')
      .description('Checks a file, asks for confirmation, pays it and waits for the end.'),
  )
    .option('--funds <choice>', 'too low a balance: fail, wait (a day) or wait:DURATION', 'fail')
    .option('--before-scheduled', 'take the money before batches whose time has not come')
    .option('--confirm <totals>', 'confirm the totals: TOTAL:CURRENCY, several with commas')
    .option('--yes', 'pay without being asked')
    .option('--wait', 'wait for the end of the batch (the default)')
    .option('--detach', 'start the batch and leave it (exit code 8)')
    .option('--timeout <duration>', 'wait at most so long: 30s, 15m, 2h, 3d (exit code 8)')
    .option('--no-preflight', 'do not read the balance before the start')
    .action((file: string, flags: Omit<SubmitFlags, 'file'>) =>
      run(async () => (await import('../commands/submit.ts')).submit, { file, ...flags }),
    );
};

/** What `plan` and `submit` have in common. */
const batchOptions = (command: Command): Command =>
  command
    .argument('<file>', '.csv or .csv.gz file, or - for standard input')
    .option('--id <id>', 'id of the batch; by default file name and hash')
    .option('--currency <currency>', 'currency of rows that name none')
    .option('--at <instant>', 'start to pay at that time, such as 2026-12-01T09:00:00+01:00')
    .option('--execution-date <instant>', 'let the service pay at that time')
    .option('--skip-invalid', 'leave refused rows out and pay the others')
    .option('--expect-count <rows>', 'refuse the file unless it has so many rows')
    .option('--expect-total <total>', 'refuse it unless it sums up to AMOUNT[:CURRENCY]', collect)
    .option('--accept <codes>', 'accept findings by code', collect);

/** Gathers the values of a flag that may be given several times. */
const collect = (value: string, before: readonly string[] = []): string[] => [...before, value];
