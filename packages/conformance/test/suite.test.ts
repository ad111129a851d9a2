import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { tableIn } from '../src/readme.ts';
import { CHECKS, type TriedCheck } from '../src/suite.ts';
import { jsonOf, lineOf, markdownOf, summaryOf } from '../src/table.ts';
import { openOwnTrial, runTrial } from '../src/trial.ts';
import {
  OPERATIONS,
  EVENT_GROUPS,
  EVENT_TYPES,
  FEE_OPERATION_TYPES,
  FEE_TYPES,
  PAYOUT_STATES,
  USER_ROLES,
  OPERATION_CODES,
} from '@bursar/merchant-api/spec';
import { SANDBOX } from './support/own-runs.ts';

const textOf = (path: string): string =>
  readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

const ids = CHECKS.map(({ id }) => id);

describe('the conformance suite', () => {
  it('finds nothing broken in the sandbox, and its README shows the same table', async () => {
    const allowed = { patienceMs: 30_000, paymentsMax: 40, only: [] };
    const trial = await openOwnTrial(allowed, { program: SANDBOX, env: process.env });
    const tried = await runTrial(trial, { isSlow: false, only: [] });
    expect(tried.filter(({ verdict }) => verdict.kind === 'broken').map(lineOf)).toEqual([]);
    const lacking = tried.filter(
      ({ verdict }) =>
        verdict.kind === 'open' && !['specification', 'occasion'].includes(verdict.needs),
    );
    expect(lacking.map(lineOf)).toEqual([]);
    expect(markdownOf(tried)).toBe(tableIn(textOf('README.md')));
  });

  it('has the ids that it always had, each once', () => {
    const known = textOf('test/ids.txt').trim().split('\n');
    expect(new Set(known).size).toBe(known.length);
    expect(known).toEqual(known.toSorted());
    expect(ids.toSorted()).toEqual(known);
  });

  it('tries every operation', () => {
    const needed = new Set(CHECKS.flatMap(({ needs }) => needs));
    expect(OPERATIONS.filter((operation) => !needed.has(operation))).toEqual([]);
  });

  it.each([
    ['event types', EVENT_TYPES],
    ['groups of event types', EVENT_GROUPS],
    ['payout states', PAYOUT_STATES],
    ['operation codes', OPERATION_CODES],
    ['roles', USER_ROLES],
    ['operations with fees', FEE_OPERATION_TYPES],
    ['kinds of fees', FEE_TYPES],
    ['limits', ['3 minutes', '0 to 100', 'at least 1', '100 errors', '19', '30 s', '125430 s']],
  ])('names all %s in its sentences', (_words, names: readonly string[]) => {
    const words = new Set(CHECKS.flatMap(({ sentence }) => sentence.split(/[^A-Z0-9_]+/)));
    const sentences = CHECKS.map(({ sentence }) => sentence).join('\n');
    expect(names.filter((name) => !words.has(name) && !sentences.includes(name))).toEqual([]);
  });
});

const TRIED: readonly TriedCheck[] = [
  {
    check: { id: 'a.one', section: 'Errors', sentence: 'One | two.' },
    verdict: { kind: 'met', found: '400' },
  },
  {
    check: { id: 'a.two', section: 'Errors', sentence: 'Two.' },
    verdict: { kind: 'broken', expected: 'a string', came: '7' },
  },
  {
    check: { id: 'a.three', section: 'Errors', sentence: 'Three.' },
    verdict: { kind: 'open', needs: 'time', reason: 'too long' },
  },
];

describe('the output of a run', () => {
  it('has one line for each check for people, with the expected and the actual result', () => {
    expect(TRIED.map(lineOf)).toEqual([
      'met     a.one: One | two.\n        400',
      'BROKEN  a.two: Two.\n        expected a string; came 7',
      'open    a.three: Three.\n        too long',
    ]);
    expect(summaryOf(TRIED)).toBe('1 met, 1 BROKEN, 1 open');
  });

  it('is a table for documents, with remarks only where something is not met', () => {
    expect(markdownOf(TRIED).split('\n').slice(2, 5)).toEqual([
      '| Errors | One \\| two. | `a.one` | met |',
      '| Errors | Two. | `a.two` | BROKEN: expected a string; came 7 |',
      '| Errors | Three. | `a.three` | open: too long |',
    ]);
  });

  it('is one JSON document for programs', () => {
    expect(JSON.parse(jsonOf(TRIED, null))).toEqual({
      schema: 'bursar.conformance/v1',
      counts: { met: 1, broken: 1, open: 1 },
      shapes: {},
      missing: [],
      causes: [{ expected: 'a string', came: '7', checks: ['a.two'] }],
      choices: [],
      notTried: [{ needs: 'time', reason: 'too long', checks: ['a.three'] }],
      checks: [
        { ...TRIED[0]?.check, verdict: 'met', found: '400' },
        { ...TRIED[1]?.check, verdict: 'broken', expected: 'a string', came: '7' },
        { ...TRIED[2]?.check, verdict: 'open', needs: 'time', reason: 'too long' },
      ],
    });
  });
});
