/** How a run on a weekend or a holiday is moved. */
export const SHIFTS = ['none', 'before', 'after'] as const;
export type Shift = (typeof SHIFTS)[number];

/** A day off, `2026-12-25`, and its name; the name may be empty. */
export type Holiday = Readonly<{ date: string; name: string }>;

/** A holiday file as it was when the schedule was created: a later change of the file changes nothing. */
export type Holidays = Readonly<{ file: string; sha256: string; days: readonly Holiday[] }>;

/** A schedule, and its rule as cron of five fields, over the wall clock of the zone. */
export type ScheduleRule = Readonly<{ scheduleId: string; cron: string }>;

/** When a schedule runs. Everything that decides a run's instant is in here, and nothing else is. */
export type Timing = ScheduleRule &
  Readonly<{
    /** The rule as a person wrote it, for people. */
    rule: string;
    /** IANA name, as in `Europe/Berlin`. */
    timezone: string;
    shift: Shift;
    /** Days of the week without business, 1 (Monday) to 7 (Sunday). */
    weekend: readonly number[];
    holidays: Holidays | null;
    /** How long before its due time a run begins, so that people can approve. Milliseconds. */
    leadMs: number;
    /** How late after its due time a run may still begin by itself. Milliseconds. */
    catchUpMs: number;
  }>;

export type MarkCode = 'WEEKEND' | 'HOLIDAY' | 'DST_GAP' | 'DST_OVERLAP' | 'SAME_TIME';

/** Why a run differs from the time of its rule. */
export type Mark = Readonly<{ code: MarkCode; text: string }>;

/** One run. Instants are milliseconds since 1970. */
export type Run = Readonly<{
  /** Local date and time of the rule, `2026-11-30T09:00`: the purpose of the run, and its identity. */
  nominal: string;
  /** When it pays. */
  dueAtMs: number;
  /** When its file is taken: the due time less the lead. */
  startAtMs: number;
  /** After this it does not begin by itself. */
  latestStartMs: number;
  marks: readonly Mark[];
}>;
