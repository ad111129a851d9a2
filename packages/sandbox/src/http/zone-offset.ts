import { z } from 'zod';
import { Text } from './fields.ts';
import { Int32, Int64 } from './integers.ts';

const MONTHS = [
  'JANUARY',
  'FEBRUARY',
  'MARCH',
  'APRIL',
  'MAY',
  'JUNE',
  'JULY',
  'AUGUST',
  'SEPTEMBER',
  'OCTOBER',
  'NOVEMBER',
  'DECEMBER',
] as const;

const DAYS_OF_WEEK = [
  'MONDAY',
  'TUESDAY',
  'WEDNESDAY',
  'THURSDAY',
  'FRIDAY',
  'SATURDAY',
  'SUNDAY',
] as const;

/** ASSUMED: times of a transition may be local, without an offset. */
const LocalDateTime = z.iso.datetime({ offset: true, local: true });

const DurationUnit = z.strictObject({
  durationEstimated: z.boolean().optional(),
  timeBased: z.boolean().optional(),
  dateBased: z.boolean().optional(),
});

const Duration = z.strictObject({
  seconds: Int64.optional(),
  nano: Int32.optional(),
  zero: z.boolean().optional(),
  negative: z.boolean().optional(),
  units: z.array(DurationUnit).optional(),
});

const Transition = z.strictObject({
  overlap: z.boolean().optional(),
  gap: z.boolean().optional(),
  dateTimeAfter: LocalDateTime.optional(),
  dateTimeBefore: LocalDateTime.optional(),
  instant: LocalDateTime.optional(),
  duration: Duration.optional(),
});

const LocalTime = z.strictObject({
  hour: Int32.optional(),
  minute: Int32.optional(),
  second: Int32.optional(),
  nano: Int32.optional(),
});

const TransitionRule = z.strictObject({
  month: z.enum(MONTHS).optional(),
  timeDefinition: z.enum(['UTC', 'WALL', 'STANDARD']).optional(),
  dayOfWeek: z.enum(DAYS_OF_WEEK).optional(),
  dayOfMonthIndicator: Int32.optional(),
  localTime: LocalTime.optional(),
  midnightEndOfDay: z.boolean().optional(),
});

/**
 * Spec: "Report request", `zoneOffset`. Only the fields that it lists as required are so.
 * The sandbox checks the value and does not use it, because the dates of a report carry their own
 * offset.
 */
export const ZoneOffset = z.strictObject({
  totalSeconds: Int32.optional(),
  id: Text.optional(),
  rules: z
    .strictObject({
      fixedOffset: z.boolean().optional(),
      transitions: z.array(Transition).optional(),
      transitionRules: z.array(TransitionRule).optional(),
    })
    .optional(),
});
