import { describe, expect, it } from '@jest/globals';
import {
  throughputOf,
  type ThroughputReading,
  withReading,
} from '../../../src/domain/batch/throughput.ts';

/** Readings of a batch, by second and by the rows that have an outcome. */
const readings = (...points: (readonly [second: number, done: number])[]) =>
  points.reduce<readonly ThroughputReading[]>(
    (before, [second, done]) => withReading(before, { atMs: second * 1_000, done }),
    [],
  );

describe('the throughput of a batch', () => {
  it.each([
    ['nothing was read', readings()],
    ['one reading', readings([0, 5])],
    ['two readings that are close together', readings([0, 0], [2, 100])],
    ['no row got an outcome', readings([0, 7], [30, 7])],
    ['outcomes were taken back', readings([0, 7], [30, 5])],
  ])('is not known: %s', (_what, known) => {
    expect(throughputOf(known, 1_000)).toBeNull();
  });

  it('counts rows a second, and the time for the open rows', () => {
    expect(throughputOf(readings([0, 0], [10, 200]), 1_000)).toEqual({
      rowsPerSecond: 20,
      leftMs: 40_000,
    });
  });

  it('follows from the last minute alone', () => {
    const slowThenQuick = readings([0, 0], [600, 60], [630, 90], [660, 3_060]);
    expect(throughputOf(slowThenQuick, 6_060)).toEqual({ rowsPerSecond: 50, leftMs: 60_000 });
  });

  it('keeps no more readings than the minute has', () => {
    const every = readings(
      ...Array.from({ length: 500 }, (_, second) => [second, second] as const),
    );
    expect(every.length).toBeLessThanOrEqual(61);
  });
});
