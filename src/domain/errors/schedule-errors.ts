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
    why: 'Nothing of it begins any more. What it did stays written down.',
    fix: (f) =>
      `Look at its last runs with "bursar schedule show ${f.scheduleId}", or make it again with "bursar schedule create ${f.scheduleId}".`,
  }),
  SCHEDULE_ID_INVALID: entry<OfSchedule>({
    category: 'usage',
    what: (f) => `"${f.scheduleId}" cannot be the id of a schedule.`,
    why: 'An id has 1 to 48 letters, digits, dots, dashes or underscores, and starts with a letter or digit; the ids of its batches are made of it.',
    fix: 'Choose another id.',
  }),
  SCHEDULE_EXISTS: entry<OfSchedule>({
    category: 'usage',
    what: (f) => `The schedule ${f.scheduleId} exists already, with another definition.`,
    why: 'A schedule is never changed in silence.',
    fix: (f) =>
      `Look at it with "bursar schedule show ${f.scheduleId}". To change it, delete it and create it again: runs that happened do not happen again.`,
  }),
  CRON_INVALID: entry<Readonly<{ text: string; problem: string }>>({
    category: 'usage',
    what: (f) => `--cron "${f.text}" is no cron rule: ${f.problem}.`,
    why: 'A rule that is read in another way than it was meant pays on another day.',
    fix: 'Write minute, hour, day of the month, month and weekday, such as "0 9 L * *" for 09:00 on the last day of each month, or use --calendar.',
  }),
  CALENDAR_INVALID: entry<Readonly<{ text: string; problem: string }>>({
    category: 'usage',
    what: (f) => `--calendar "${f.text}" is no rule: ${f.problem}.`,
    why: 'A rule that is read in another way than it was meant pays on another day.',
    fix: 'Write for example "monthly last 09:00", "weekly mon,thu 09:00", "weekdays 09:00" or "yearly 12-24 09:00".',
  }),
  ZONE_UNKNOWN: entry<Readonly<{ timezone: string }>>({
    category: 'usage',
    what: (f) => `"${f.timezone}" is no time zone.`,
    why: "Nine o'clock is another moment in each zone, and short names such as EST or CET do not follow the clocks of any place.",
    fix: 'Name a place, as in Europe/Berlin or America/New_York, or UTC.',
  }),
  HOLIDAYS_INVALID: entry<Readonly<{ file: string; problem: string }>>({
    category: 'usage',
    what: (f) => `The holiday file ${f.file} cannot be used: ${f.problem}.`,
    why: 'Runs would be moved to the wrong day, or not at all.',
    fix: 'Write a date such as 2026-12-25 on each line, and after a space what it is called; lines that start with # say nothing.',
  }),
  SCHEDULE_NEVER_RUNS: entry<Readonly<{ rule: string }>>({
    category: 'usage',
    what: (f) => `"${f.rule}" does not happen in the next ten years.`,
    why: 'No calendar has such a day, as February 30th.',
    fix: 'Correct the rule; "bursar schedule preview" shows what a rule means.',
  }),
  SCHEDULE_TOO_OFTEN: entry<Readonly<{ rule: string; first: string; second: string }>>({
    category: 'usage',
    what: (f) => `"${f.rule}" runs at ${f.first} and at ${f.second}, less than five minutes apart.`,
    why: '"* 9 * * *" is every minute from 09:00 to 09:59; nobody means that for a payout.',
    fix: 'Give the minute, as in "0 9 * * *".',
  }),
  LEAD_TOO_LONG: entry<Readonly<{ first: string; second: string }>>({
    category: 'usage',
    what: (f) =>
      `With this --lead the run for ${f.second} would begin before the one for ${f.first} is due.`,
    why: 'Runs do not overlap: the later one would always be missed.',
    fix: 'Give a shorter --lead.',
  }),
  FILE_PATTERN_INVALID: entry<Readonly<{ pattern: string; problem: string }>>({
    category: 'usage',
    what: (f) => `--file "${f.pattern}" cannot be used: ${f.problem}.`,
    why: 'Scheduled files are taken from one folder, without anybody looking on.',
    fix: 'Write a path below that folder, such as payroll-{date}.csv or rent/{yyyy}-{MM}*.csv; {date}, {yyyy}, {MM}, {dd}, {HH} and {mm} stand for the time that the run is for.',
  }),
  SCHEDULE_FILE_MISSING: entry<OfFile>({
    category: 'file',
    what: (f) => `There is no file ${f.file} in ${f.folder}.`,
    why: 'A run without a file is a failure, never an empty payout.',
    fix: (f) => `Put the file there and start the run with "${again(f)}".`,
  }),
  SCHEDULE_FILE_SEVERAL: entry<OfFile & Readonly<{ names: string }>>({
    category: 'file',
    what: (f) => `Several files in ${f.folder} look like ${f.file}: ${f.names}.`,
    why: 'Which of them is meant must not depend on how their names are sorted.',
    fix: (f) =>
      `Leave one of them there, or name the date in the pattern; then start the run with "${again(f)}".`,
  }),
  SCHEDULE_FILE_OUTSIDE: entry<OfFile>({
    category: 'file',
    what: (f) => `${f.file} leads out of ${f.folder}.`,
    why: 'Scheduled files are taken from that folder and nowhere else; a link may not point out of it.',
    fix: (f) => `Put the file itself there, and start the run with "${again(f)}".`,
  }),
  SCHEDULE_FILE_UNCHANGED: entry<OfFile & Readonly<{ earlier: string }>>({
    category: 'file',
    what: (f) => `${f.file} is the very file that the run for ${f.earlier} took.`,
    why: 'Whoever should have written a new one did not; paying it again pays everybody twice.',
    fix: (f) =>
      `Put the new file there and start the run with "${again(f)}". If one file is meant to be paid each time, create the schedule with --allow-unchanged.`,
  }),
  SCHEDULE_RUN_UNKNOWN: entry<OfSchedule & Readonly<{ time: string }>>({
    category: 'usage',
    what: (f) => `The schedule ${f.scheduleId} has no run at ${f.time}.`,
    why: 'A run is named by the local time that the rule says, so that it cannot happen twice; Temporal\'s own "Trigger" names none.',
    fix: (f) =>
      `Start a run with "bursar schedule trigger ${f.scheduleId} --run TIME --reason TEXT"; "bursar schedule show ${f.scheduleId}" lists them.`,
  }),
  SCHEDULE_RUN_TAKEN: entry<OfRun & Readonly<{ state: string; batchId: string | null }>>({
    category: 'usage',
    what: (f) =>
      `The run of ${f.scheduleId} for ${f.nominal} has already begun (${codeInSentence(f.state)}).`,
    why: 'A run happens at most once.',
    fix: (f) =>
      f.batchId === null
        ? `See what becomes of it with "bursar schedule show ${f.scheduleId}".`
        : `Look at its batch with "bursar status ${f.batchId}".`,
  }),
  SCHEDULE_RUN_AHEAD: entry<OfRun & Readonly<{ next: string }>>({
    category: 'usage',
    what: (f) => `The run of ${f.scheduleId} for ${f.nominal} lies ahead, and is not the next one.`,
    why: 'Runs of the past can be started by hand, and the next one before its time.',
    fix: (f) => `The next one is ${f.next}.`,
  }),
  SCHEDULE_RUN_EARLY: entry<OfRun & Readonly<{ begins: string }>>({
    category: 'usage',
    what: (f) =>
      `The run of ${f.scheduleId} for ${f.nominal} begins at ${f.begins}, and not before.`,
    why: 'Temporal\'s own "Backfill" also starts runs that lie ahead; it asks for no reason, and nobody would be named.',
    fix: (f) => `Leave it to its schedule, which begins it then. To pay it before: ${again(f)}`,
  }),
  SCHEDULE_RUN_MISSED: entry<OfRun & Readonly<{ reason: string }>>({
    category: 'operator',
    what: (f) => `The run of ${f.scheduleId} for ${f.nominal} is missed: ${sentenceOf(f.reason)}`,
    why: 'A run that is late beyond its catch-up time is never paid by itself.',
    fix: (f) => `If it is to be paid after all: ${again(f)}`,
  }),
  SCHEDULE_RUN_STOPPED: entry<OfRun & Readonly<{ by: string }>>({
    category: 'operator',
    what: (f) =>
      `The run of ${f.scheduleId} for ${f.nominal} was ended before its batch began: ${f.by}.`,
    why: 'Nothing of it was paid.',
    fix: (f) => `If it is to be paid after all: ${again(f)}`,
  }),
  SCHEDULE_BATCH_REJECTED: entry<
    OfRun & Readonly<{ batchId: string; problem: string; mayRepeat: boolean }>
  >({
    category: 'file',
    what: (f) => `Batch ${f.batchId} of the run for ${f.nominal} was rejected: ${f.problem}`,
    why: 'A file that is rejected is a failure of its run; nothing of it was paid.',
    fix: (f) =>
      f.mayRepeat
        ? `Correct what is wrong, then: ${again(f)}`
        : 'Correct what is wrong, and pay its file with "bursar submit FILE". Too little is known of this batch to begin the run again.',
  }),
  BATCH_NOT_FOLLOWED: entry<Readonly<{ batchId: string }>>({
    category: 'operator',
    what: (f) => `The workflow of batch ${f.batchId} was ended by force.`,
    why: 'What it sent is on its way, and nobody follows it.',
    fix: (f) => `Go on with it: bursar recover ${f.batchId}`,
  }),
  BACKFILL_TOO_LARGE: entry<Readonly<{ runs: string; max: string }>>({
    category: 'usage',
    what: (f) =>
      `Between these dates lie ${groupDigits(f.runs)} runs that did not happen; ${groupDigits(f.max)} can be started at once.`,
    why: 'A mistyped year would start hundreds of payouts.',
    fix: 'Choose a shorter time.',
  }),
  SCHEDULE_TEMPORAL_UNTOLD: entry<OfSchedule & Readonly<{ done: string; reason: string }>>({
    category: 'unreachable',
    what: (f) => `Schedule ${f.scheduleId} is ${f.done}, but Temporal was not told: ${f.reason}`,
    why: 'It is written down, and that counts: nothing of the schedule begins any more, whatever Temporal does.',
    fix: 'Run the command again when Temporal is there, so that its own pages show it too.',
  }),
  SCHEDULE_NOT_CONFIRMED: entry<Readonly<{ expected: string }>>({
    category: 'said-no',
    what: (f) => `"${f.expected}" was not typed; nothing was changed.`,
    why: 'A schedule pays without anybody looking on, so somebody must have looked before.',
    fix: 'Run the command again when it is wanted.',
  }),
  SCHEDULE_UNCONFIRMED: entry<Readonly<{ expected: string }>>({
    category: 'usage',
    what: 'The command was not confirmed.',
    why: 'There is no terminal to ask at, and --yes was not given.',
    fix: 'Look at the preview, and add --yes.',
  }),
};
