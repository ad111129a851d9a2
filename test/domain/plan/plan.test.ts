import { describe, expect, it } from '@jest/globals';
import { checkControlTotals, totalsText } from '../../../src/domain/plan/control-totals.ts';
import { openFindings } from '../../../src/domain/plan/finding.ts';

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

  it('are written in the order of the currencies and amounts as people confirm them', () => {
    expect(totalsText(two.currencies)).toBe('1:BTC,10.5:TRX');
  });
});

describe('findings', () => {
  const finding = (code: 'DUPLICATE_ROW' | 'ADDRESS_WITHOUT_CHECKSUM') => ({
    code,
    count: 1,
    examples: [],
  });

  it('that must be confirmed stay open until they are accepted by code', () => {
    expect(openFindings([finding('DUPLICATE_ROW')], [])).toHaveLength(1);
    expect(openFindings([finding('DUPLICATE_ROW')], ['DUPLICATE_ROW'])).toHaveLength(0);
    expect(openFindings([finding('DUPLICATE_ROW')], ['UNKNOWN_NETWORK'])).toHaveLength(1);
  });

  it('that only inform never stop a batch', () => {
    expect(openFindings([finding('ADDRESS_WITHOUT_CHECKSUM')], [])).toHaveLength(0);
  });
});
