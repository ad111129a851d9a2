import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { causesOf } from '../src/causes.ts';
import { differencesJson, differencesOf, differencesText, readRun } from '../src/diff.ts';
import { readCommand, UsageError } from '../src/options.ts';
import type { ProbeFindings } from '../src/probes/probe.ts';
import { documentOf, reportOf } from '../src/report.ts';
import { readShapes } from '../src/shape-options.ts';
import type { TriedCheck } from '../src/suite.ts';
import { jsonOf } from '../src/table.ts';
import { DEFAULT_SHAPES } from '@bursar/merchant-api/spec';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';

const checked = (id: string, verdict: TriedCheck['verdict']): TriedCheck => ({
  check: { id, section: 'Errors', sentence: `The sentence of ${id}.` },
  verdict,
});
const broken = (id: string, expected: string, came: string): TriedCheck =>
  checked(id, { kind: 'broken', expected, came });
const open = (id: string, needs: 'specification' | 'operation' | 'payments', reason: string) =>
  checked(id, { kind: 'open', needs, reason });

const TRIED = [
  checked('a.met', { kind: 'met' }),
  broken('a.one', 'that the request is accepted', '500 trace 12345678'),
  broken('b.two', 'that the request is accepted', '500 trace 87654321'),
  broken('auth.sign.value', 'that the request is refused', '200 {}'),
  broken('auth.sign.required', 'that the request is refused', '200 {}'),
  broken('envelope.timestamp.past', 'that the request is refused', '200 {}'),
  open('c.choice', 'specification', 'accepted'),
  open('d.one', 'operation', 'REPORT is not there'),
  open('d.two', 'operation', 'REPORT is not there'),
  open('e.one', 'payments', 'no payments'),
];
const FINDINGS: ProbeFindings = {
  shapes: DEFAULT_SHAPES,
  found: { timestampUnit: 'ms', accountIn: ['ACCOUNT', 'MASS_GET'] },
  missing: new Map([['REPORT', { at: 'POST /r', came: '404 NO', isDocumented: false }]]),
};

describe('the causes of broken checks', () => {
  it('join checks to which the service did the same, whatever the ids in its answers are', () => {
    expect(causesOf(TRIED).map(({ checks }) => checks)).toEqual([
      ['a.one', 'b.two'],
      ['auth.sign.value', 'auth.sign.required'],
      ['envelope.timestamp.past'],
    ]);
  });
});

describe('the report for people', () => {
  const report = reportOf(TRIED, FINDINGS);

  it('has breaches, then choices, then what was not tried, then the counts', () => {
    const titles = report.split('\n').filter((line) => /^\S/.test(line));
    expect(titles).toEqual([
      'How this service is called',
      'BROKEN: the service does something else than the specification says',
      'Choices: the specification leaves the point open',
      'Not tried',
      '1 met, 5 BROKEN, 4 open',
    ]);
  });

  it('has one line for each cause, with the sentences under it, and one for each lack', () => {
    expect(report).toContain(
      [
        '  BROKEN  expected that the request is refused; came 200 {}',
        '    auth.sign.value: The sentence of auth.sign.value.',
        '    auth.sign.required: The sentence of auth.sign.required.',
      ].join('\n'),
    );
    expect(report).toContain('  open  REPORT is not there: 2 sentences\n');
    expect(report).toContain('  open  no payments: e.one\n');
  });

  it('has at most 80 columns', () => {
    const long = broken('f.long', 'x '.repeat(80).trim(), 'y '.repeat(80).trim());
    const widths = reportOf([long], null)
      .split('\n')
      .map(({ length }) => length);
    expect(Math.max(...widths)).toBeLessThanOrEqual(80);
  });

  it('names six checks of a cause, and counts the others', () => {
    const many = Array.from({ length: 9 }, (_, n) => broken(`g.${n}`, 'a', 'b'));
    expect(reportOf(many, null)).toContain('    g.5: The sentence of g.5.\n    and 3 more');
  });
});

it('the document in Markdown has the same parts, and the table of all checks at its end', () => {
  const titles = documentOf(TRIED, FINDINGS, '| table |')
    .split('\n')
    .filter((line) => line.startsWith('##'));
  expect(titles).toEqual([
    '## How this service is called',
    '## BROKEN',
    '## Choices',
    '## Not tried',
    '## Every check',
  ]);
});

const parsed = (tried: readonly TriedCheck[], findings: ProbeFindings | null = null): unknown =>
  JSON.parse(jsonOf(tried, findings));

describe('the difference of two runs', () => {
  it('is empty for two equal runs', () => {
    expect(differencesOf(parsed(TRIED, FINDINGS), parsed(TRIED, FINDINGS))).toEqual([]);
    expect(differencesText([])).toBe('The two runs found the same.');
  });

  it('has operations that came, shapes, verdicts and choices that changed', () => {
    const after = TRIED.map((each) => {
      if (each.check.id === 'a.one') return checked('a.one', { kind: 'met' });
      if (each.check.id === 'c.choice') return open('c.choice', 'specification', 'refused: 400');
      return each;
    });
    const differences = differencesOf(
      parsed(TRIED, FINDINGS),
      parsed(after, { ...FINDINGS, found: { timestampUnit: 's' }, missing: new Map() }),
    );
    expect(differences).toEqual([
      { kind: 'operation', name: 'REPORT', before: 'is not there', after: null },
      { kind: 'shape', name: 'timestampUnit', before: 'ms', after: 's' },
      { kind: 'shape', name: 'accountIn', before: 'ACCOUNT,MASS_GET', after: null },
      { kind: 'verdict', name: 'a.one', before: 'broken', after: 'met' },
      { kind: 'choice', name: 'c.choice', before: 'accepted', after: 'refused: 400' },
    ]);
    expect(differencesText(differences)).toContain(
      'operation  REPORT came\nshape  timestampUnit\n  before: ms\n  after:  s\n',
    );
    expect(JSON.parse(differencesJson(differences))).toEqual({
      schema: 'bursar.conformance-diff/v1',
      differences,
    });
  });

  it('has checks that one of the versions of the suite does not have', () => {
    const differences = differencesOf(parsed(TRIED.slice(1)), parsed(TRIED));
    expect(differences).toEqual([{ kind: 'verdict', name: 'a.met', before: null, after: 'met' }]);
  });

  it('is refused for a file that is no result of a run', () => {
    const path = join(temporaryFolder(), 'other.json');
    writeFileSync(path, '{"schema":"another/v1"}');
    expect(() => readRun(path)).toThrow('bursar.conformance/v1');
    writeFileSync(path, 'met     a.one');
    expect(() => readRun(path)).toThrow(`${path} is no bursar.conformance/v1`);
  });
});

describe('the command line', () => {
  it('compares two files', () => {
    const args = ['diff', 'a.json', 'b.json', '--format', 'json'];
    expect(readCommand(args)).toEqual({
      kind: 'diff',
      before: 'a.json',
      after: 'b.json',
      format: 'json',
    });
    expect(readCommand(['--help'])).toEqual({ kind: 'help' });
  });

  it.each([
    [['diff', 'a.json']],
    [['diff', 'a', 'b', 'c']],
    [['diff', 'a', 'b', '--format', 'xml']],
    [['diff', '--only', 'a']],
  ])('refuses %j', (args) => {
    expect(() => readCommand(args)).toThrow(UsageError);
  });

  it('states shapes by their names in docs/shapes.md, and refuses others', () => {
    expect(readShapes(['massGetAccepts=flat', 'accountIn=ACCOUNT,MASS_GET'])).toEqual({
      massGetAccepts: 'flat',
      accountIn: ['ACCOUNT', 'MASS_GET'],
    });
    for (const wrong of ['massGetAccepts=all', 'size=big', 'accountIn=GUESS', 'pageBase']) {
      expect(() => readShapes([wrong])).toThrow(wrong);
    }
  });
});
