import { describe, expect, it } from '@jest/globals';
import { checkControlTotals, totalsText } from '../../../src/domain/plan/control-totals.ts';
import { digestOf, type PlanFacts } from '../../../src/domain/plan/digest.ts';
import { openFindings } from '../../../src/domain/plan/finding.ts';

const PLAN: PlanFacts = {
  account: '0x0000000000000000000000000000000000000001',
  batchId: 'payroll',
  generation: 0,
  fileSha256: 'f',
  contentSha256: 'c',
  rows: 2,
  refusedRows: 0,
  at: null,
  executionDate: null,
  rowTag: 'append',
  accepted: ['UNKNOWN_NETWORK', 'DUPLICATE_ROW'],
  findings: [{ code: 'DUPLICATE_ROW', count: 1, examples: [] }],
  chunks: [
    { chunk: 0, currency: 'TRX', rowCount: 2, total: '3', rowsSha256: 'r', idempotencyKey: 'k' },
  ],
};

describe('the digest of a plan', () => {
  it('is the same for the same plan, in whatever order findings were accepted', () => {
    const accepted = [...PLAN.accepted].reverse();
    expect(digestOf({ ...PLAN, accepted })).toBe(digestOf(PLAN));
    expect(digestOf(PLAN)).toMatch(/^sha256:[0-9a-f]{64}$/);
  });

  const changes: [string, Partial<PlanFacts>][] = [
    ['account', { account: 'another' }],
    ['id', { batchId: 'payroll-2' }],
    ['generation', { generation: 1 }],
    ['file', { fileSha256: 'g' }],
    ['time', { at: '2026-12-01T09:00:00Z' }],
    ['execution date', { executionDate: '2026-12-01T09:00:00Z' }],
    ['accepted findings', { accepted: [] }],
    ['total', { chunks: PLAN.chunks.map((chunk) => ({ ...chunk, total: '4' })) }],
    ['rows', { chunks: PLAN.chunks.map((chunk) => ({ ...chunk, rowsSha256: 's' })) }],
    ['key', { chunks: PLAN.chunks.map((chunk) => ({ ...chunk, idempotencyKey: 'l' })) }],
  ];
  it.each(changes)('changes with the %s', (_name, change) => {
    expect(digestOf({ ...PLAN, ...change })).not.toBe(digestOf(PLAN));
  });
});

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
