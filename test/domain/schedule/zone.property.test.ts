import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { checkZone, resolveLocal } from '../../../src/domain/schedule/zone.ts';
import { instantsOf, instantWithoutJump, wallAt } from './support/intl-clock.ts';
import { iso } from './support/timings.ts';

const ZONES = [
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'Pacific/Apia',
  'Africa/Cairo',
  'America/Sao_Paulo',
  'UTC',
];

const resolve = (wall: string, timezone: string) =>
  resolveLocal(Temporal.PlainDateTime.from(wall), timezone);

const walls = fc
  .tuple(fc.integer({ min: 0, max: 40 * 366 }), fc.integer({ min: 0, max: 24 * 60 - 1 }))
  .map(([days, minutes]) =>
    new Date(Date.UTC(2005, 0, 1, 0, minutes) + days * 86_400_000).toISOString().slice(0, 16),
  );

const HOUR_MS = 3_600_000;
const offsetAt = (ms: number, timezone: string) => Date.parse(`${wallAt(ms, timezone)}Z`) - ms;

/** Times around every change of clocks of a zone are rare among all times, so they are looked for. */
function wallsNearChanges(timezone: string): string[] {
  const found: string[] = [];
  const hasChange = (ms: number, lengthMs: number) =>
    offsetAt(ms, timezone) !== offsetAt(ms + lengthMs, timezone);
  for (let day = Date.UTC(2009, 0, 1); day < Date.UTC(2027, 0, 1); day += 24 * HOUR_MS) {
    if (!hasChange(day, 24 * HOUR_MS)) continue;
    let ms = day;
    while (!hasChange(ms, HOUR_MS)) ms += HOUR_MS;
    for (let minutes = -120; minutes <= 180; minutes += 15) {
      const near = Date.parse(`${wallAt(ms, timezone)}Z`) + minutes * 60_000;
      found.push(new Date(near).toISOString().slice(0, 16));
    }
  }
  return found;
}

function expectOneInstant(wall: string, timezone: string): 'once' | 'twice' | 'never' {
  const { instantMs, isInGap, isTwice } = resolve(wall, timezone);
  const instants = instantsOf(wall, timezone);
  const [first] = instants;
  expect([wall, isInGap, isTwice]).toEqual([wall, instants.length === 0, instants.length > 1]);
  expect(`${wall} ${iso(instantMs)}`).toBe(
    `${wall} ${iso(first ?? instantWithoutJump(wall, timezone))}`,
  );
  if (instants.length > 1) return 'twice';
  return first === undefined ? 'never' : 'once';
}

describe.each(ZONES)('a local time in %s', (timezone) => {
  it('is one instant: the only one, the first of two, or as much later as the gap is long', () => {
    fc.assert(
      fc.property(walls, (wall) => void expectOneInstant(wall, timezone)),
      {
        numRuns: 300,
      },
    );
  });

  it('is so around every change of clocks', () => {
    const seen = wallsNearChanges(timezone).map((wall) => expectOneInstant(wall, timezone));
    const hasChanges = !['Asia/Kathmandu', 'UTC'].includes(timezone);
    expect(seen.includes('never')).toBe(hasChanges);
    expect(seen.includes('twice')).toBe(hasChanges);
  });
});

it('a skipped day is the day after it', () => {
  const { instantMs, local } = resolve('2011-12-30T09:00', 'Pacific/Apia');
  expect(local.toString()).toBe('2011-12-31T09:00:00');
  expect(iso(instantMs)).toBe('2011-12-30T19:00:00.000Z');
});

describe('a time zone', () => {
  it.each(['Europe/Berlin', 'America/Argentina/Buenos_Aires', 'Etc/GMT+5', 'UTC'])(
    '%s is one',
    (timezone) => expect(checkZone(timezone)).toBe(timezone),
  );

  it.each([
    ...['', ' ', 'EST', 'CET', 'GMT', 'local', '+02:00', 'UTC+2', 'Mars/Olympus', 'Europe/'],
    ...['Europe/Berlin ', '../etc/passwd', 'Europe/Berlin\u0000', 'Z', 'Europe\\Berlin'],
  ])('%j is none', (timezone) => {
    expect(() => checkZone(timezone)).toThrow(expect.objectContaining({ code: 'ZONE_UNKNOWN' }));
  });
});
