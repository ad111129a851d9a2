import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { checkControlTotals, totalsText } from '../../../src/domain/plan/control-totals.ts';
import {
  type Finding,
  type FindingCode,
  FINDINGS,
  fixOf,
  openFindings,
  type RaisedFindings,
  type Severity,
  severityOf,
} from '../../../src/domain/plan/finding.ts';
import { problemsOfFindings } from '../../../src/domain/plan/judge-file.ts';
import { NOTHING_RAISED } from '../../../src/domain/plan/rules.ts';

describe('control totals', () => {
  const found = { rows: 3, currencies: [{ currency: 'TRX', total: '10.5' }] };
  const two = { rows: 3, currencies: [...found.currencies, { currency: 'BTC', total: '1' }] };

  it.each([
    [{ expectCount: 3, expectTotals: ['10.50'] }, found],
    [{ expectCount: null, expectTotals: ['10.5:TRX'] }, found],
    [{ expectCount: null, expectTotals: [] }, two],
    [{ expectCount: null, expectTotals: ['1:BTC', '10.5:TRX'] }, two],
  ])('%j fits', (expected, file) => {
    expect(() => checkControlTotals(expected, file)).not.toThrow();
  });

  it.each([
    [{ expectCount: 4, expectTotals: [] }, found, 'CONTROL_TOTAL_COUNT'],
    [{ expectCount: null, expectTotals: ['10.51'] }, found, 'CONTROL_TOTAL_AMOUNT'],
    [{ expectCount: null, expectTotals: ['10.5:BTC'] }, found, 'CONTROL_TOTAL_AMOUNT'],
    [{ expectCount: null, expectTotals: ['10.5'] }, two, 'CONTROL_TOTAL_AMOUNT'],
    [{ expectCount: null, expectTotals: ['10.5:TRX'] }, two, 'CONTROL_TOTAL_AMOUNT'],
  ])('%j does not fit', (expected, file, code) => {
    expect(() => checkControlTotals(expected, file)).toThrow(expect.objectContaining({ code }));
  });

  it('that miss the sum of a file with refused rows say that these are not in it', () => {
    const expected = { expectCount: null, expectTotals: ['12'] };
    expect(() => checkControlTotals(expected, { ...found, refusedRows: 2 })).toThrow(
      expect.objectContaining({
        note: expect.objectContaining({
          fix: expect.stringMatching(
            /^Refused rows are not in this sum \(2\)\. Correct them first/,
          ),
        }),
      }),
    );
  });

  it('are written as people confirm them, in the order in which the file has them', () => {
    const text = two.currencies.map(({ total, currency }) => `${total}:${currency}`).join(',');
    expect(totalsText(two.currencies)).toBe(text);
    expect(totalsText([...two.currencies].reverse())).not.toBe(text);
  });
});

describe('findings', () => {
  const finding = (code: FindingCode): Finding => ({ code, count: 1, examples: [] });
  const open = (code: FindingCode, accepted: readonly FindingCode[], raised = NOTHING_RAISED) =>
    openFindings([finding(code)], accepted, raised).length === 1;

  it('that must be confirmed stay open until they are accepted by code', () => {
    expect(open('DUPLICATE_ROW', [])).toBe(true);
    expect(open('DUPLICATE_ROW', ['DUPLICATE_ROW'])).toBe(false);
    expect(open('DUPLICATE_ROW', ['UNKNOWN_NETWORK'])).toBe(true);
  });

  it('that only inform never stop a batch', () => {
    expect(open('FIRST_TIME_PAYEE', [])).toBe(false);
  });

  it('that block stay open, accepted or not', () => {
    expect(open('LIMIT_ROW', ['LIMIT_ROW'])).toBe(true);
  });

  const codes = Object.keys(FINDINGS) as FindingCode[];
  const raises = fc.record({
    confirm: fc.subarray(codes),
    block: fc.subarray(codes),
  });

  it('can be raised by settings and never lowered', () => {
    const order = ['info', 'confirm', 'block'];
    const rank = (code: FindingCode, raised: RaisedFindings) =>
      order.indexOf(severityOf(code, raised));
    fc.assert(
      fc.property(fc.constantFrom(...codes), raises, (code, raised) => {
        const least = raised.block.includes(code) ? 2 : raised.confirm.includes(code) ? 1 : 0;
        expect(rank(code, raised)).toBe(Math.max(rank(code, NOTHING_RAISED), least));
      }),
    );
  });

  it.each<[FindingCode, Severity, string]>([
    ['ADDRESS_BURN', 'confirm', 'Remove the rows, or accept.'],
    [
      'ADDRESS_BURN',
      'block',
      'Remove the rows. Your policy does not allow accepting this (findings.block).',
    ],
    ['LIMIT_ROW', 'block', 'Correct the amounts, or have the limit raised.'],
    ['TAG_MAY_BE_NEEDED', 'info', 'Ask the recipients whether their address needs one.'],
  ])('%s as %s names the next step', (code, severity, fix) => {
    expect(fixOf(code, { severity, accepted: false })).toBe(fix);
  });

  it.each<[FindingCode, Severity, string]>([
    ['ADDRESS_BURN', 'confirm', 'Remove the rows. This is accepted already.'],
    [
      'ADDRESS_BURN',
      'block',
      'Remove the rows. Your policy does not allow accepting this (findings.block).',
    ],
    ['LIMIT_ROW', 'block', 'Correct the amounts, or have the limit raised.'],
    ['TAG_MAY_BE_NEEDED', 'info', 'Ask the recipients whether their address needs one.'],
  ])('%s as %s that was accepted names the next step', (code, severity, fix) => {
    expect(fixOf(code, { severity, accepted: true })).toBe(fix);
  });

  it.each(codes)('%s is not offered for acceptance where it stops the batch', (code) => {
    const fixAs = (severity: Severity) => fixOf(code, { severity, accepted: false });
    expect(fixAs('block').replace('Your policy does not allow accepting this', '')).not.toContain(
      'accept',
    );
    expect(fixAs('confirm')).toMatch(/^[A-Z].*[^.]\.$/);
  });

  it('stop a plan with one error for those that block and one for those that wait', () => {
    const findings = ['FIRST_TIME_PAYEE', 'OVERLAP', 'DUPLICATE_ROW', 'LIMIT_BATCH'] as const;
    const raised = { confirm: ['FIRST_TIME_PAYEE'], block: ['OVERLAP'] } as const;
    const problems = problemsOfFindings(
      findings.map(finding),
      ['DUPLICATE_ROW', 'OVERLAP'],
      raised,
    );
    expect(problems.map(({ code, facts }) => [code, facts])).toEqual([
      ['FINDINGS_BLOCK', { codes: 'OVERLAP, LIMIT_BATCH' }],
      ['FINDINGS_NOT_ACCEPTED', { codes: 'FIRST_TIME_PAYEE' }],
    ]);
  });
});
