import { describe, expect, it } from '@jest/globals';
import { nextFirstReadMs, type TimedReads } from '../../../src/domain/settling/first-read.ts';

const BOUNDS = { minMs: 5_000, maxMs: 300_000 };

const after = (delayMs: number | null, ...reads: readonly TimedReads[]): number | null =>
  reads.reduce<number | null>((delay, read) => nextFirstReadMs(delay, read, BOUNDS), delayMs);

const endedAt = (...endedAgesMs: number[]): TimedReads => ({ endedAgesMs, openAgesMs: [] });
const openAt = (...openAgesMs: number[]): TimedReads => ({ endedAgesMs: [], openAgesMs });
const SILENT: TimedReads = { endedAgesMs: [], openAgesMs: [] };

describe('the delay of the first read', () => {
  it.each<[string, number | null, TimedReads[], number]>([
    ['is half of the age at which the canary was found at its end', null, [endedAt(800)], 400],
    [
      'is halved while all first reads find an end',
      16_000,
      [endedAt(16_000), endedAt(8_000)],
      4_000,
    ],
    [
      'comes to 0 at a service that pays at once',
      800,
      Array.from({ length: 10 }, () => endedAt(1)),
      0,
    ],
    ['is a poll after a canary that was read in vain at once', null, [openAt(20)], 5_000],
    [
      'follows a canary that is read in vain',
      null,
      [openAt(1_000), openAt(6_000), openAt(16_000)],
      32_000,
    ],
    ['does not shrink for a young one that was read in vain', 32_000, [openAt(200)], 32_000],
    [
      'grows though others were at their end',
      8_000,
      [{ endedAgesMs: [9_000], openAgesMs: [9_000] }],
      18_000,
    ],
    ['stays after reads without an answer', 8_000, [SILENT], 8_000],
    ['is a poll where the first read had no answer', null, [SILENT], 5_000],
    ['has a limit', 0, [openAt(9_000_000)], 300_000],
  ])('%s', (_what, delayMs, reads, expected) => {
    expect(after(delayMs, ...reads)).toBe(expected);
  });
});
