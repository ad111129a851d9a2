import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { anyText } from './any-text.ts';

const SAMPLES = 20_000;

it('any text holds characters of one to four bytes, no half of one, and names that make trouble', () => {
  const texts = fc.sample(anyText(), { numRuns: SAMPLES, seed: 1 });
  const characters = texts.flatMap((text) => [...text]);
  const lengths = new Set(characters.map((character) => Buffer.byteLength(character)));
  expect([...lengths].toSorted((one, other) => one - other)).toEqual([1, 2, 3, 4]);
  expect(characters.some((character) => /^[\ud800-\udfff]$/u.test(character))).toBe(false);
  expect(texts).toContain('__proto__');
});

it.each([
  ['\u{d7ff}', true],
  ['\u{e000}', true],
  ['\u{10ffff}', true],
  ['\ud800', false],
  ['\udfff', false],
])('any text may be %j: %s', (text, isPossible) => {
  expect(anyText().canShrinkWithoutContext(text)).toBe(isPossible);
});
