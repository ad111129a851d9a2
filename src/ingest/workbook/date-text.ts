const DAY_MS = 86_400_000;

/** The day before the first, by the two calendars of workbooks. Excel counts a 29 February 1900 that never was. */
const DAY_0 = { from1900: Date.UTC(1899, 11, 30), from1904: Date.UTC(1904, 0, 1) } as const;

/** `from1900`: almost every workbook; `from1904`: some that were made on a Mac. */
export type Calendar = keyof typeof DAY_0;

/** A whole day that both calendars count alike with every spreadsheet: from 1 March 1900 to 31 December 9999. */
const WHOLE_DAY = /^(?:6[1-9]|[7-9]\d|[1-9]\d{2,5}|1\d{6}|2[0-8]\d{5}|29[0-4]\d{4}|295[0-6]\d{3})$/;

/**
 * Returns a stored day as it is shown: `46331` is `2026-11-05`. A time, and a day out of range, stays as it is stored.
 */
export function dateText(stored: string, calendar: Calendar): string {
  if (!WHOLE_DAY.test(stored)) return stored;
  return new Date(DAY_0[calendar] + Number(stored) * DAY_MS).toISOString().slice(0, 10);
}
