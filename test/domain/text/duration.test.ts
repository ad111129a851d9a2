import { expect, it } from '@jest/globals';
import { durationText, roughDurationText } from '../../../src/domain/text/duration.ts';

it.each([
  [1, '1 millisecond'],
  [1_500, '1,500 milliseconds'],
  [2_000, '2 seconds'],
  [60_000, '1 minute'],
  [5_400_000, '90 minutes'],
  [129_600_000, '36 hours'],
  [86_400_000, '1 day'],
  [259_200_000, '3 days'],
])('%i milliseconds are exactly %s', (ms, text) => expect(durationText(ms)).toBe(text));

it.each([
  [0, '0 seconds'],
  [-5, '0 seconds'],
  [999, '0 seconds'],
  [1_000, '1 second'],
  [90_000, '1 minute 30 seconds'],
  [600_000, '10 minutes'],
  [90_061_000, '1 day 1 hour'],
])('%i milliseconds are about %s', (ms, text) => expect(roughDurationText(ms)).toBe(text));
