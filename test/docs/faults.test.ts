import { describe, expect, it } from '@jest/globals';
import { read } from '../architecture/repository.ts';
import { citedIn, isTestThere } from './support/cited-tests.ts';

/** How many faults the design names. */
const FAULTS = 90;

const rows = read('docs/faults.md')
  .split('\n')
  .filter((line) => /^\| \d+ \|/.test(line))
  .map((line) => line.replace(/^\| | \|$/g, '').split(' | '))
  .map(([no = '', fault = '', must = '', proof = '']) => ({
    no,
    fault,
    must,
    cited: citedIn(proof),
  }));

describe('the table of faults', () => {
  it('has each of them once, in order', () => {
    expect(rows.map(({ no }) => no)).toEqual(Array.from({ length: FAULTS }, (_, i) => `${i + 1}`));
  });

  it('has for each fault the required behaviour, and the tests that prove it', () => {
    const poor = rows.filter(
      ({ fault, must, cited }) => fault === '' || must === '' || cited.length === 0,
    );
    expect(poor.map(({ no }) => no)).toEqual([]);
  });

  it('cites tests that exist', () => {
    const lost = rows.flatMap(({ no, cited }) =>
      cited.filter((test) => !isTestThere(test)).map((test) => ({ no, ...test })),
    );
    expect(lost).toEqual([]);
  });
});
