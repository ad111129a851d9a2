import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  checkFilePattern,
  filePlaceOf,
  patternOf,
} from '../../../src/domain/schedule/file-pattern.ts';

const NOMINAL = '2026-05-31T09:30';

describe('the pattern of a file', () => {
  it.each<{ pattern: string; meant: string }>`
    pattern                           | meant
    ${'payroll.csv'}                  | ${'payroll.csv'}
    ${'payroll-{date}.csv'}           | ${'payroll-2026-05-31.csv'}
    ${'{yyyy}/{MM}/rent-{dd}.csv.gz'} | ${'2026/05/rent-31.csv.gz'}
    ${'a-{date}T{HH}{mm}-*.CSV'}      | ${'a-2026-05-31T0930-*.CSV'}
    ${'..payroll.csv'}                | ${'..payroll.csv'}
  `('$pattern is $meant', ({ pattern, meant }) => {
    expect(checkFilePattern(pattern)).toBe(pattern);
    expect(patternOf(pattern, NOMINAL)).toBe(meant);
  });

  it.each([
    ...['', '/etc/payroll.csv', '../payroll.csv', 'a/../../payroll.csv', './payroll.csv'],
    ...['a//b.csv', 'a/ /b.csv', '~/payroll.csv', '~root/payroll.csv', 'C:/payroll.csv'],
    ...['a\\b.csv', '..\\b.csv', 'a\u0000.csv', 'a\n.csv', 'a\u202E.csv', '*/payroll.csv'],
    ...['{year}.csv', '{date.csv', 'date}.csv', '{{date}}.csv', '{MM', 'payroll', 'payroll.xlsx'],
    ...['payroll.csv/', 'payroll.csv.part', `${'x'.repeat(200)}.csv`],
  ])('%j is refused', (pattern) => {
    expect(() => checkFilePattern(pattern)).toThrow(
      expect.objectContaining({ code: 'FILE_PATTERN_INVALID' }),
    );
  });

  it('that passes never leads out of its folder', () => {
    const bits = fc.constantFrom('..', '.', '/', 'a', '{date}', '*', '\\', '~', '{', '.csv', ' ');
    fc.assert(
      fc.property(fc.array(bits, { maxLength: 8 }), (parts) => {
        const pattern = `${parts.join('')}.csv`;
        try {
          checkFilePattern(pattern);
        } catch {
          return;
        }
        const { folders, name } = filePlaceOf(pattern, NOMINAL);
        for (const part of [...folders, name]) {
          expect(['', '.', '..']).not.toContain(part.trim());
          expect(part).not.toMatch(/[/\\]/);
        }
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('a star', () => {
  it.each<{ pattern: string; name: string; fits: boolean }>`
    pattern       | name             | fits
    ${'p-*.csv'}  | ${'p-1.csv'}     | ${true}
    ${'p-*.csv'}  | ${'p-.csv'}      | ${true}
    ${'p-*.csv'}  | ${'xp-1.csv'}    | ${false}
    ${'p-*.csv'}  | ${'p-1.csv.gz'}  | ${false}
    ${'p-*.csv'}  | ${'p.csv'}       | ${false}
    ${'*.csv'}    | ${'.hidden.csv'} | ${false}
    ${'.*.csv'}   | ${'.hidden.csv'} | ${true}
    ${'*a*b.csv'} | ${'xaxb.csv'}    | ${true}
    ${'*a*b.csv'} | ${'xbxa.csv'}    | ${false}
    ${'a*a.csv'}  | ${'a.csv'}       | ${false}
    ${'a.b*.csv'} | ${'aXb1.csv'}    | ${false}
  `('$pattern and $name: $fits', ({ pattern, name, fits }) => {
    expect(filePlaceOf(pattern, NOMINAL).matches?.(name)).toBe(fits);
  });

  it.each(['p-\n.csv', 'p-\u001B[2J.csv', 'p-\u202Evsc.csv'])('does not mean %j', (name) => {
    expect(filePlaceOf('p-*.csv', NOMINAL).matches?.(name)).toBe(false);
  });

  it('takes no time for a name that was made to take it', () => {
    const { matches } = filePlaceOf(`${'*a'.repeat(90)}.csv`, NOMINAL);
    expect(matches?.(`${'a'.repeat(250)}x`)).toBe(false);
  });

  it('is the only reason to list a folder', () => {
    expect(filePlaceOf('a/b-{dd}.csv', NOMINAL)).toEqual({
      folders: ['a'],
      name: 'b-31.csv',
      matches: null,
    });
  });
});
