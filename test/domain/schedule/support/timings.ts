import type { Timing } from '../../../../src/domain/schedule/timing.ts';

export const timing = (more: Partial<Timing> = {}): Timing => ({
  scheduleId: 'rent',
  rule: 'a rule',
  cron: '0 9 L * *',
  timezone: 'Europe/Berlin',
  shift: 'none',
  weekend: [6, 7],
  holidays: null,
  leadMs: 0,
  catchUpMs: 600_000,
  ...more,
});

export const holidays = (...days: readonly string[]) => ({
  file: 'days.txt',
  sha256: 'abc',
  days: days.map((day) => ({ date: day.slice(0, 10), name: day.slice(11) })),
});

export const at = (text: string): number => Date.parse(text);
export const iso = (instantMs: number): string => new Date(instantMs).toISOString();
