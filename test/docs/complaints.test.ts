import { describe, expect, it } from '@jest/globals';
import { read } from '../architecture/repository.ts';
import { citedIn, isTestThere } from './support/cited-tests.ts';

/** How many complaints there are. */
const COMPLAINTS = 38;

const rows = read('docs/complaints.md')
  .split('\n')
  .filter((line) => /^\| C\d+ \|/.test(line))
  .map((line) => line.split(' | '))
  .map(([no = '', complaint = '', answer = '', proof = '']) => ({
    no: no.slice(2),
    complaint,
    answer,
    proof,
  }));

/** A file and the names of tests that stand behind it. */
const cited = rows.flatMap(({ no, proof }) => citedIn(proof).map((test) => ({ no, ...test })));

describe('the table of complaints', () => {
  it('has each of them once, in order', () => {
    expect(rows.map(({ no }) => no)).toEqual(
      Array.from({ length: COMPLAINTS }, (_, i) => `C${i + 1}`),
    );
  });

  it('has for each complaint the rule against it, and its proof or the gap', () => {
    const poor = rows.filter(
      ({ no, complaint, answer, proof }) =>
        complaint === '' ||
        answer === '' ||
        !(proof.includes('missing: ') || cited.some((one) => one.no === no)),
    );
    expect(poor.map(({ no }) => no)).toEqual([]);
  });

  it('cites tests that exist', () => {
    expect(cited.length).toBeGreaterThan(rows.length);
    expect(cited.filter((test) => !isTestThere(test))).toEqual([]);
  });
});
