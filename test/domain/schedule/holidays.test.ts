import { expect, it } from '@jest/globals';
import { parseHolidays } from '../../../src/domain/schedule/holidays.ts';

it.each([
  ['2026-12-25 Christmas Day', 'Christmas Day'],
  ['2026-12-25;\tChristmas, Day ', 'Christmas, Day'],
  ['2026-12-25', ''],
  ['2026-12-25 ,;', ''],
  [`2026-12-25 ${'x'.repeat(100)}`, 'x'.repeat(60)],
  // A pattern that lets two parts of itself have the same spaces would take an hour for this line.
  [`2026-12-25${'\t'.repeat(900_000)}x\u2028y`, 'x\u2028y'],
])('a line of a holiday file is a date and its name', (line, name) => {
  expect(parseHolidays('days', `${line}\n`)).toEqual([{ date: '2026-12-25', name }]);
});
