import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { nextSlot, retryAtMs, retryWaitMs, type Slot } from '../../../src/domain/sending/pace.ts';

const YEAR_MS = 31_536_000_000;

describe('a slot', () => {
  it.each<[string, number | undefined, number, Slot]>([
    ['is now, when none was taken', undefined, 1_000, { slotMs: 1_000, waitMs: 0 }],
    ['follows the last one', 1_000, 1_000, { slotMs: 1_250, waitMs: 250 }],
    [
      'follows the last one, however late the request',
      1_000,
      1_100,
      { slotMs: 1_250, waitMs: 150 },
    ],
    ['that was not taken in time is lost', 1_000, 9_000, { slotMs: 9_000, waitMs: 0 }],
    ['can be a minute away', 60_750, 1_000, { slotMs: 61_000, waitMs: 60_000 }],
    ['is not taken more than a minute ahead', 60_751, 1_000, { slotMs: undefined, waitMs: 30_000 }],
    ['that a wrong clock gave out does not count', 9_000_000, 1_000, { slotMs: 1_000, waitMs: 0 }],
  ])('%s', (_sentence, lastMs, nowMs, slot) => {
    expect(nextSlot(lastMs, { intervalMs: 250, nowMs })).toEqual(slot);
  });

  it('has the whole interval to the one before, and 30 a second are 30 a second', () => {
    const intervalMs = 1_000 / 30;
    let lastMs = 1_800_000_000_000;
    for (let n = 1; n <= 1_800; n += 1) {
      const { slotMs } = nextSlot(lastMs, { intervalMs, nowMs: lastMs });
      lastMs = slotMs ?? 0;
    }
    expect(Math.abs(lastMs - 1_800_000_060_000)).toBeLessThan(1);
  });

  it('is never nearer than the interval to another one, whenever requests come', () => {
    const rate = fc.double({ min: 0.02, max: 2_000, noNaN: true });
    const gaps = fc.array(fc.integer({ min: 0, max: 5_000 }), { maxLength: 200 });
    fc.assert(
      fc.property(rate, gaps, (requestsPerSecond, gapsMs) => {
        const intervalMs = 1_000 / requestsPerSecond;
        let nowMs = 1_800_000_000_000;
        let lastMs: number | undefined;
        for (const gapMs of gapsMs) {
          nowMs += gapMs;
          const { slotMs, waitMs } = nextSlot(lastMs, { intervalMs, nowMs });
          expect(waitMs).toBeLessThanOrEqual(60_000);
          if (slotMs === undefined) continue;
          // A number of this size has a quarter of a microsecond.
          if (lastMs !== undefined) expect(slotMs - lastMs).toBeGreaterThan(intervalMs - 0.001);
          lastMs = slotMs;
        }
      }),
    );
  });
});

describe('a time that the service names', () => {
  it.each<[string, number | null, number, number]>([
    ['counts from now', null, 7_000, 8_000],
    ['is a minute at most, though the service named a year', null, YEAR_MS, 61_000],
    ['does not shorten one that was named before', 50_000, 7_000, 50_000],
    ['lengthens one that was named before', 5_000, 7_000, 8_000],
    ['takes the place of one from a wrong clock', YEAR_MS, 7_000, 8_000],
  ])('%s', (_sentence, knownMs, retryAfterMs, atMs) => {
    expect(retryAtMs(knownMs, { retryAfterMs, nowMs: 1_000 })).toBe(atMs);
  });

  it.each<[string, number | null, number]>([
    ['when none was named', null, 0],
    ['when it has passed', 900, 0],
    ['when it comes', 8_000, 7_000],
    ['when it is from a wrong clock', YEAR_MS, 0],
  ])('holds requests back as long as it should: %s', (_when, atMs, waitMs) => {
    expect(retryWaitMs(atMs, 1_000)).toBe(waitMs);
  });
});
