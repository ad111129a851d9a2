import type { Command } from 'commander';
import { actionOf, type AddCommands, collect, type RunCommand } from './add-commands.ts';
import { KEY, PASSPHRASE } from './key-option.ts';

const SCHEDULE = ['<schedule>', 'id of the schedule'] as const;
const REASON = ['--reason <text>', 'the reason; the audit log shows it'] as const;
const YES = ['--yes', 'do it without a confirmation'] as const;

/** The commands for recurring batches. */
export const addScheduleCommands: AddCommands = (program, run) => {
  const schedule = program
    .command('schedule')
    .helpCommand(false)
    .summary('pay a file again and again')
    .description('Pays a file again and again, at times that "bursar schedule preview" shows.');
  addMakingCommands(schedule, run);
  addLookingCommands(schedule, run);
  addChangingCommands(schedule, run);
  addRunCommands(schedule, run);
};

function addMakingCommands(schedule: Command, run: RunCommand): void {
  definitionOptions(
    schedule
      .command('create')
      .argument('<schedule>', 'id of the schedule; the ids of its batches begin with it')
      .summary('create a schedule')
      .description('Shows the runs of a schedule, asks you to confirm, and creates it.'),
  )
    .option(...YES)
    .option(...KEY)
    .option(...PASSPHRASE)
    .action(
      actionOf(run, async () => (await import('../commands/schedule/create.ts')).createSchedule),
    );
  definitionOptions(
    schedule
      .command('preview')
      .argument('[schedule]', 'id of a schedule; without it these flags define one')
      .summary('show when a schedule runs')
      .description('Shows the rules of a schedule and its next runs: local, zone and UTC.'),
  )
    .option('--count <number>', 'show this number of runs (10 by default)')
    .option('--from <date>', 'show the runs from that date on')
    .action(
      actionOf(run, async () => (await import('../commands/schedule/preview.ts')).previewSchedule),
    );
}

function addLookingCommands(schedule: Command, run: RunCommand): void {
  schedule
    .command('list')
    .description('list the schedules')
    .action(
      actionOf(run, async () => (await import('../commands/schedule/list.ts')).listSchedules),
    );
  schedule
    .command('show')
    .argument(...SCHEDULE)
    .description('show a schedule, its last runs and its next runs')
    .action(actionOf(run, async () => (await import('../commands/schedule/list.ts')).showSchedule));
}

function addChangingCommands(schedule: Command, run: RunCommand): void {
  schedule
    .command('pause')
    .argument(...SCHEDULE)
    .requiredOption('--note <text>', 'the reason; skipped runs show it')
    .description('begin no more runs of a schedule; runs that began continue')
    .action(
      actionOf(run, async () => (await import('../commands/schedule/change.ts')).pauseSchedule),
    );
  schedule
    .command('resume')
    .argument(...SCHEDULE)
    .description('begin runs again, and set up the schedule in Temporal where it is missing')
    .action(
      actionOf(run, async () => (await import('../commands/schedule/change.ts')).resumeSchedule),
    );
  schedule
    .command('delete')
    .argument(...SCHEDULE)
    .option(...YES)
    .description('end a schedule; its runs stay in the store')
    .action(
      actionOf(run, async () => (await import('../commands/schedule/change.ts')).deleteSchedule),
    );
}

function addRunCommands(schedule: Command, run: RunCommand): void {
  schedule
    .command('trigger')
    .argument(...SCHEDULE)
    .requiredOption('--run <time>', 'the run, by its local time: 2026-11-30T09:00')
    .requiredOption(...REASON)
    .option(...YES)
    .option(...KEY)
    .option(...PASSPHRASE)
    .description('start a run that did not happen, or the next one before its time')
    .action(
      actionOf(run, async () => (await import('../commands/schedule/trigger.ts')).triggerRun),
    );
  schedule
    .command('backfill')
    .argument(...SCHEDULE)
    .requiredOption('--from <date>', 'first date')
    .requiredOption('--to <date>', 'last date')
    .requiredOption(...REASON)
    .option(...YES)
    .option(...KEY)
    .option(...PASSPHRASE)
    .description('start the runs of some days that did not happen')
    .action(
      actionOf(run, async () => (await import('../commands/schedule/backfill.ts')).backfillRuns),
    );
}

/** The flags that define a schedule. */
const definitionOptions = (command: Command): Command =>
  command
    .option('--cron <rule>', 'five fields, such as "0 9 L * *"')
    .option('--calendar <rule>', '"monthly last 09:00", "weekly mon,thu 09:00", "daily 09:00" ...')
    .option('--timezone <zone>', 'zone of the times, such as Europe/Berlin')
    .option(
      '--shift <direction>',
      'business day for runs on weekends and holidays: none (the default), before or after',
    )
    .option('--weekend <days>', 'days without business (sat,sun by default)')
    .option('--holidays <file>', 'a file with a date and its name on each line')
    .option(
      '--file <pattern>',
      'file of each run, below schedule.folder, such as payroll-{date}.csv',
    )
    .option('--allow-unchanged', 'pay the same file each time')
    .option('--lead <duration>', 'begin this long before the due time, for approvals')
    .option('--catch-up <duration>', 'how late a run may begin (schedule.catch_up_ms by default)')
    .option('--currency <currency>', 'currency of rows without one')
    .option('--sheet <name>', 'the sheet to read, of a workbook with several')
    .option('--decimal-comma', 'read amounts with a decimal comma: 1234,56')
    .option('--column <column=name>', 'a column by its name in the file', collect)
    .option('--ignore-column <name>', 'do not read this column', collect)
    .option('--funds <choice>', 'too low a balance: fail, wait (a day) or wait:DURATION')
    .option('--canary <rows>', 'pay this number of rows of each currency first, and wait for them')
    .option(
      '--stop-loss <list>',
      'stop above this share or amount of failures: 5%, 1000:USDT_TRC20, or none',
    )
    .option('--skip-invalid', 'leave refused rows out and pay the others')
    .option('--expect-count <rows>', 'refuse a file unless it has this number of rows')
    .option('--expect-total <total>', 'refuse it unless it sums up to AMOUNT[:CURRENCY]', collect)
    .option('--accept <codes>', 'accept warnings by code', collect);
