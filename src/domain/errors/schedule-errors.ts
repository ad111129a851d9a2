import { codeInSentence } from '../text/state-words.ts';
import { groupDigits } from '../text/counted.ts';
import { sentenceOf } from '../text/sentence.ts';
import { entry } from './entry.ts';

type OfSchedule = Readonly<{ scheduleId: string }>;
type OfRun = Readonly<{ scheduleId: string; nominal: string }>;
type OfFile = OfRun & Readonly<{ file: string; folder: string }>;

const again = ({ scheduleId, nominal }: OfRun): string =>
  `bursar schedule trigger ${scheduleId} --run ${nominal} --reason TEXT`;

/** Errors of the definition of a schedule, of a run, and of a run's file. */
export const SCHEDULE_ERRORS = {
  SCHEDULE_NOT_FOUND: entry<OfSchedule>({
    category: 'not-found',
    what: (f) => `There is no schedule ${f.scheduleId}.`,
    why: 'No schedule of that id was created.',
    fix: 'List the schedules with "bursar schedule list".',
  }),
  SCHEDULE_DELETED: entry<OfSchedule & Readonly<{ deletedAt: string }>>({
    category: 'not-found',
    what: (f) => `The schedule ${f.scheduleId} was deleted at ${f.deletedAt}.`,
    why: 'No run of it begins any more. Its past runs stay stored.',
    fix: (f) =>
      `"bursar schedule show ${f.scheduleId}" shows its last runs. "bursar schedule create ${f.scheduleId}" makes it again.`,
  }),
  SCHEDULE_ID_INVALID: entry<OfSchedule>({
    category: 'usage',
    what: (f) => `"${f.scheduleId}" cannot be the id of a schedule.`,
    why: 'An id has 1 to 48 letters, digits, dots, dashes or underscores. It starts with a letter or digit.',
    fix: 'Choose another id.',
  }),
  SCHEDULE_EXISTS: entry<OfSchedule>({
    category: 'usage',
    what: (f) => `The schedule ${f.scheduleId} exists already, with another definition.`,
    why: 'A create never changes a schedule.',
    fix: (f) =>
      `"bursar schedule show ${f.scheduleId}" shows it. To change it, delete it and create it again. Past runs do not happen again.`,
  }),
  CRON_INVALID: entry<Readonly<{ text: string; problem: string }>>({
    category: 'usage',
    what: (f) => `--cron "${f.text}" is no cron rule: ${f.problem}.`,
    why: 'A rule with another meaning would pay on another day.',
    fix: 'Write minute, hour, day of the month, month and weekday. "0 9 L * *" is 09:00 on the last day of each month. Or use --calendar.',
  }),
  CALENDAR_INVALID: entry<Readonly<{ text: string; problem: string }>>({
    category: 'usage',
    what: (f) => `--calendar "${f.text}" is no rule: ${f.problem}.`,
    why: 'A rule with another meaning would pay on another day.',
    fix: 'Write for example "monthly last 09:00", "weekly mon,thu 09:00", "weekdays 09:00" or "yearly 12-24 09:00".',
  }),
  ZONE_UNKNOWN: entry<Readonly<{ timezone: string }>>({
    category: 'usage',
    what: (f) => `"${f.timezone}" is no time zone.`,
    why: "Nine o'clock is another moment in each zone. Short names such as EST or CET follow the clocks of no place.",
    fix: 'Name a place, as in Europe/Berlin or America/New_York, or UTC.',
  }),
  HOLIDAYS_INVALID: entry<Readonly<{ file: string; problem: string }>>({
    category: 'usage',
    what: (f) => `The holiday file ${f.file} cannot be used: ${f.problem}.`,
    why: 'Runs could move to the wrong day, or not at all.',
    fix: 'Write a date such as 2026-12-25 on each line, and after a space its name. Lines that start with # are comments.',
  }),
  SCHEDULE_NEVER_RUNS: entry<Readonly<{ rule: string }>>({
    category: 'usage',
    what: (f) => `"${f.rule}" does not happen in the next ten years.`,
    why: 'The day may not exist, such as February 30th.',
    fix: 'Correct the rule. "bursar schedule preview" shows its runs.',
  }),
  SCHEDULE_TOO_OFTEN: entry<Readonly<{ rule: string; first: string; second: string }>>({
    category: 'usage',
    what: (f) => `"${f.rule}" runs at ${f.first} and at ${f.second}, less than five minutes apart.`,
    why: '"* 9 * * *" is every minute from 09:00 to 09:59. That is not useful for payments.',
    fix: 'Give the minute, as in "0 9 * * *".',
  }),
  LEAD_TOO_LONG: entry<Readonly<{ first: string; second: string }>>({
    category: 'usage',
    what: (f) =>
      `With this --lead the run for ${f.second} would begin before the one for ${f.first} is due.`,
    why: 'Runs do not overlap, so the later one would always be missed.',
    fix: 'Give a shorter --lead.',
  }),
  FILE_PATTERN_INVALID: entry<Readonly<{ pattern: string; problem: string }>>({
    category: 'usage',
    what: (f) => `--file "${f.pattern}" cannot be used: ${f.problem}.`,
    why: 'A schedule takes files from one folder, and no person checks them before.',
    fix: 'Write a path below that folder, such as payroll-{date}.csv or rent/{yyyy}-{MM}*.csv. {date}, {yyyy}, {MM}, {dd}, {HH} and {mm} are the time of the run.',
  }),
  SCHEDULE_FILE_MISSING: entry<OfFile>({
    category: 'file',
    what: (f) => `There is no file ${f.file} in ${f.folder}.`,
    why: 'A run without a file fails.',
    fix: (f) => `Put the file there and start the run with "${again(f)}".`,
  }),
  SCHEDULE_FILE_SEVERAL: entry<OfFile & Readonly<{ names: string }>>({
    category: 'file',
    what: (f) => `Several files in ${f.folder} match ${f.file}: ${f.names}.`,
    why: 'It is not clear which of them is to be paid.',
    fix: (f) =>
      `Leave one of them there, or put the date into the pattern. Then start the run with "${again(f)}".`,
  }),
  SCHEDULE_FILE_OUTSIDE: entry<OfFile>({
    category: 'file',
    what: (f) => `${f.file} is outside of ${f.folder}.`,
    why: 'A schedule takes files only from that folder. A link may not point out of it.',
    fix: (f) => `Put the file itself there, and start the run with "${again(f)}".`,
  }),
  SCHEDULE_FILE_UNCHANGED: entry<OfFile & Readonly<{ earlier: string }>>({
    category: 'file',
    what: (f) => `${f.file} is the same file as that of the run for ${f.earlier}.`,
    why: 'Probably the new file is missing. The same file again would pay each person twice.',
    fix: (f) =>
      `Put the new file there and start the run with "${again(f)}". If the same file is to be paid each time, create the schedule with --allow-unchanged.`,
  }),
  SCHEDULE_RUN_UNKNOWN: entry<OfSchedule & Readonly<{ time: string }>>({
    category: 'usage',
    what: (f) => `The schedule ${f.scheduleId} has no run at ${f.time}.`,
    why: 'The name of a run is its local time by the rule, so that it cannot happen twice. Temporal\'s own "Trigger" has no such name.',
    fix: (f) =>
      `Start a run with "bursar schedule trigger ${f.scheduleId} --run TIME --reason TEXT". "bursar schedule show ${f.scheduleId}" lists the runs.`,
  }),
  SCHEDULE_RUN_TAKEN: entry<OfRun & Readonly<{ state: string; batchId: string | null }>>({
    category: 'usage',
    what: (f) =>
      `The run of ${f.scheduleId} for ${f.nominal} has already begun (${codeInSentence(f.state)}).`,
    why: 'A run happens at most once.',
    fix: (f) =>
      f.batchId === null
        ? `"bursar schedule show ${f.scheduleId}" shows it.`
        : `"bursar status ${f.batchId}" shows its batch.`,
  }),
  SCHEDULE_RUN_AHEAD: entry<OfRun & Readonly<{ next: string }>>({
    category: 'usage',
    what: (f) =>
      `The run of ${f.scheduleId} for ${f.nominal} is in the future, and is not the next one.`,
    why: 'A person can start past runs, and the next one before its time.',
    fix: (f) => `The next one is ${f.next}.`,
  }),
  SCHEDULE_RUN_EARLY: entry<OfRun & Readonly<{ begins: string }>>({
    category: 'usage',
    what: (f) =>
      `The run of ${f.scheduleId} for ${f.nominal} begins at ${f.begins}, and not before.`,
    why: 'Temporal\'s own "Backfill" also starts future runs, and stores no person and no reason.',
    fix: (f) => `The schedule begins it then. To pay it before: ${again(f)}`,
  }),
  SCHEDULE_RUN_MISSED: entry<OfRun & Readonly<{ reason: string }>>({
    category: 'operator',
    what: (f) => `The run of ${f.scheduleId} for ${f.nominal} is missed: ${sentenceOf(f.reason)}`,
    why: 'After its catch-up time a run is never paid by itself.',
    fix: (f) => `To pay it all the same: ${again(f)}`,
  }),
  SCHEDULE_RUN_STOPPED: entry<OfRun & Readonly<{ by: string }>>({
    category: 'operator',
    what: (f) =>
      `The run of ${f.scheduleId} for ${f.nominal} was ended before its batch began: ${f.by}.`,
    why: 'It paid nothing.',
    fix: (f) => `To pay it all the same: ${again(f)}`,
  }),
  SCHEDULE_BATCH_REJECTED: entry<
    OfRun & Readonly<{ batchId: string; problem: string; mayRepeat: boolean }>
  >({
    category: 'file',
    what: (f) => `Batch ${f.batchId} of the run for ${f.nominal} was rejected: ${f.problem}`,
    why: 'A run with a rejected file fails. It paid nothing.',
    fix: (f) =>
      f.mayRepeat
        ? `Correct the file, then: ${again(f)}`
        : 'Correct the file, and pay it with "bursar submit FILE". The store has too little about this batch to start the run again.',
  }),
  BATCH_NOT_FOLLOWED: entry<Readonly<{ batchId: string }>>({
    category: 'operator',
    what: (f) => `The workflow of batch ${f.batchId} was ended by force.`,
    why: 'Its sent payments continue, and no workflow follows them.',
    fix: (f) => `Continue it: bursar recover ${f.batchId}`,
  }),
  BACKFILL_TOO_LARGE: entry<Readonly<{ runs: string; max: string }>>({
    category: 'usage',
    what: (f) =>
      `Between these dates ${groupDigits(f.runs)} runs did not happen. At most ${groupDigits(f.max)} can start at once.`,
    why: 'A mistyped year would start hundreds of batches.',
    fix: 'Give a shorter time.',
  }),
  SCHEDULE_TEMPORAL_UNTOLD: entry<OfSchedule & Readonly<{ done: string; reason: string }>>({
    category: 'unreachable',
    what: (f) =>
      `Schedule ${f.scheduleId} is ${f.done}, and Temporal does not show it yet: ${f.reason}`,
    why: 'The store has it, and the store decides: no run begins any more.',
    fix: 'Run the command again when Temporal answers. Then its own pages show it too.',
  }),
  SCHEDULE_NOT_CONFIRMED: entry<Readonly<{ expected: string }>>({
    category: 'said-no',
    what: (f) => `"${f.expected}" was not typed. Nothing was changed.`,
    why: 'A schedule pays without a person, so a person must check it before.',
    fix: 'Run the command again to do it.',
  }),
  SCHEDULE_UNCONFIRMED: entry<Readonly<{ expected: string }>>({
    category: 'usage',
    what: 'The command was not confirmed.',
    why: 'There is no terminal for the question, and --yes was not given.',
    fix: 'Check the preview, and add --yes.',
  }),
};
