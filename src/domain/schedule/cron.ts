import { Cron } from 'croner';
import { Temporal } from 'temporal-polyfill';
import { BursarError } from '../errors/bursar-error.ts';

/**
 * Cron over the wall clock: the library runs in UTC, so that no change of clocks affects it. Only `zone.ts` turns a
 * wall-clock time into an instant of a zone.
 */
const open = (cron: string): Cron =>
  new Cron(cron, { mode: '5-part', timezone: 'UTC', paused: true });

/** What `?` means depends on when it is read. A seventh and an eighth character such as `+`, `#`, `W` and `L` are croner's. */
const ALLOWED = /^[\dA-Za-z*,/#+\- ]+$/;

/** A field of days that leaves days out. */
const isChoosy = (field: string | undefined): boolean => field !== '*';

/** Checks cron of five fields and writes it with single spaces. Throws CRON_INVALID. */
export function checkCron(text: string): string {
  const cron = text.trim().split(/\s+/).join(' ');
  const fields = cron.split(' ');
  if (fields.length !== 5) throw invalid(text, 'it must have five fields');
  if (!ALLOWED.test(cron)) throw invalid(text, 'it has a character that cron does not know');
  const [, , day, , weekday] = fields;
  if (isChoosy(day) && isChoosy(weekday) && weekday?.startsWith('+') !== true) {
    throw invalid(
      text,
      'it chooses days of the month and of the week, which some programs take as "one of both" and others as "both"; write + before the weekday (+FRI) for "both"',
    );
  }
  try {
    open(cron);
  } catch (cause) {
    throw invalid(text, cause instanceof Error ? cause.message : String(cause));
  }
  return cron;
}

const invalid = (text: string, problem: string): BursarError =>
  new BursarError('CRON_INVALID', { text, problem });

/** The wall-clock times that a cron matches after `after`, in order. Ends where the calendar does. */
export function* wallTimesAfter(
  cron: string,
  after: Temporal.PlainDateTime,
): Generator<Temporal.PlainDateTime> {
  const pattern = open(cron);
  for (let next = pattern.nextRun(`${after.toString()}Z`); next !== null; ) {
    yield Temporal.PlainDateTime.from(next.toISOString().slice(0, 'yyyy-mm-ddThh:mm'.length));
    next = pattern.nextRun(next);
  }
}
