import { createHash } from 'node:crypto';
import { BursarError } from '../../domain/errors/bursar-error.ts';
import { parseHolidays } from '../../domain/schedule/holidays.ts';
import type { Holidays } from '../../domain/schedule/timing.ts';
import { counted } from '../../domain/text/counted.ts';

/** The name of a holiday file, and its text. */
export type HolidayFile = Readonly<{ file: string; text: string }>;

/** Bytes of a holiday file; one day takes about thirty. */
export const HOLIDAYS_BYTES_MAX = 1_000_000;

/** The days of a holiday file: the schedule keeps them, not the file. @throws HOLIDAYS_INVALID */
export function holidaysOf({ file, text }: HolidayFile): Holidays {
  const bytes = Buffer.from(text);
  if (bytes.length > HOLIDAYS_BYTES_MAX) throw holidaysTooLarge(file);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { file, sha256, days: parseHolidays(file, text.replace(/^\uFEFF/, '')) };
}

export const holidaysTooLarge = (file: string): BursarError =>
  new BursarError('HOLIDAYS_INVALID', {
    file,
    problem: `it has more than ${counted(HOLIDAYS_BYTES_MAX, 'byte')}`,
  });
