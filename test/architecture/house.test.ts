import { describe, expect, it } from '@jest/globals';
import { read, sourceFiles } from './repository.ts';

const FILE_LINES_MAX = 300;

const sources = sourceFiles().map((file) => ({ file, text: read(file) }));

/** The places where a pattern is found, as `file:line`. */
function placesOf(pattern: RegExp): string[] {
  return sources.flatMap(({ file, text }) =>
    text.split('\n').flatMap((line, index) => (pattern.test(line) ? [`${file}:${index + 1}`] : [])),
  );
}

describe('every source file', () => {
  it('is checked', () => {
    expect(sources.length).toBeGreaterThan(50);
    expect(placesOf(/export/).length).toBeGreaterThan(50);
  });

  it(`has at most ${FILE_LINES_MAX} lines`, () => {
    const long = sources.filter(({ text }) => text.split('\n').length > FILE_LINES_MAX + 1);
    expect(long.map(({ file }) => file)).toEqual([]);
  });

  it('is finished', () => {
    expect(placesOf(/\b(TODO|FIXME|XXX)\b|not implemented/)).toEqual([]);
  });

  it('that talks to Temporal does so through the codec', () => {
    expect(placesOf(/new Client\(/).length).toBeGreaterThan(3);
    expect(placesOf(/new Client\((?!.*\bdataConverter\b)/)).toEqual([]);
    expect(placesOf(/Worker\.create\(/)).toHaveLength(
      placesOf(/dataConverter: workerConverter/).length,
    );
  });

  it('that holds the state of a workflow neither calls Temporal nor reads a clock', () => {
    const places = placesOf(/@temporalio|Date\.now|\bfrom '\.\.\/(?!\.\.)/);
    expect(places.some((place) => place.startsWith('src/workflows/batch/'))).toBe(true);
    expect(places.filter((place) => place.startsWith('src/workflows/state/'))).toEqual([]);
  });

  it('reads secrets where the mode of their file is checked', () => {
    const readers = placesOf(/readFile(Sync)?\(/).map((place) => place.replace(/:\d+$/, ''));
    const suspects = placesOf(/\b(secret|token|key|ring)\w*File\b/i)
      .map((place) => place.replace(/:\d+$/, ''))
      // The suite runs against a test service, with a secret that is worth nothing.
      .filter((file) => readers.includes(file) && !file.startsWith('packages/conformance/'));
    expect(placesOf(/readPrivateFile\(/).length).toBeGreaterThan(4);
    expect(suspects).toEqual([]);
  });

  it('marks an assumption so that one search finds them all', () => {
    expect(placesOf(/\bASSUMED: /).length).toBeGreaterThan(0);
    expect(placesOf(/\b(ASSUMPTION|Assumption|assumption|Assumed|assumed):/)).toEqual([]);
  });
});
