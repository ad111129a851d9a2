import { describe, expect, it } from '@jest/globals';
import type { BatchFees, FeeQuotes } from '../../../src/domain/fees/batch-fees.ts';
import { judgeFees } from '../../../src/domain/fees/drift.ts';
import type { FeeRules } from '../../../src/domain/plan/rules.ts';

const NONE: FeeRules = { driftMaxPercent: null, shareMaxPercent: null, totalMax: [] };
const DRIFT = { ...NONE, driftMaxPercent: '20' };
const SHARE = { ...NONE, shareMaxPercent: '5' };
const TOTAL = { ...NONE, totalMax: [{ currency: 'TRX', amount: '5' }] };

const trx = (fee: string, estimated = false): FeeQuotes => [{ currency: 'TRX', fee, estimated }];
const planned = (fee: string): BatchFees => ({ quotes: trx(fee) });

const judge = (rules: FeeRules, quotes: FeeQuotes, before: BatchFees | null) =>
  judgeFees({ totals: [{ currency: 'TRX', amount: '100' }], quotes, before, rules });

describe('fees at the due time', () => {
  it.each`
    was     | now         | kind
    ${'10'} | ${'10'}     | ${'within'}
    ${'10'} | ${'12'}     | ${'within'}
    ${'10'} | ${'12.001'} | ${'drift'}
    ${'10'} | ${'1'}      | ${'within'}
    ${'0'}  | ${'0.01'}   | ${'drift'}
    ${'0'}  | ${'0'}      | ${'within'}
  `('that were $was and are $now are $kind when 20 percent are allowed', ({ was, now, kind }) => {
    expect(judge(DRIFT, trx(String(now)), planned(String(was))).kind).toBe(kind);
  });

  it('may rise freely without a rule', () => {
    expect(judge(NONE, trx('1000'), planned('1')).kind).toBe('within');
  });

  it('are reported with the earlier fees', () => {
    expect(judge(DRIFT, trx('13', true), { quotes: trx('10', true) })).toEqual({
      kind: 'drift',
      reason: 'Fees are 13 TRX (estimated) now and were 10: more than 20 percent above.',
      facts: { fees: '13 TRX (estimated)', before: '10 TRX (estimated)' },
    });
  });

  it('are compared with those that a person accepted since', () => {
    const before = { ...planned('10'), accepted: { quotes: trx('20'), atMs: 1 } };
    expect(judge(DRIFT, trx('24'), before).kind).toBe('within');
    expect(judge(DRIFT, trx('24.1'), before).kind).toBe('drift');
  });

  it('are not compared with newer quotes that no person accepted', () => {
    const before = { ...planned('10'), newest: { quotes: trx('20'), atMs: 1 } };
    expect(judge(DRIFT, trx('20'), before).kind).toBe('drift');
  });

  it('stop the batch when the service no longer quotes them, until a person accepts that', () => {
    expect(judge(DRIFT, null, planned('10'))).toMatchObject({
      kind: 'drift',
      facts: { fees: 'not available', before: '10 TRX' },
    });
    const accepted = { quotes: null, atMs: 1 };
    expect(judge(DRIFT, null, { ...planned('10'), accepted }).kind).toBe('within');
  });

  it.each([
    ['were never quoted', DRIFT, null, { quotes: null }],
    ['are quoted for the first time', DRIFT, trx('10'), { quotes: null }],
    ['are not quoted any more and there is no rule', NONE, null, planned('10')],
  ])('stop nothing when they %s', (_why, rules, quotes, before) => {
    expect(judge(rules, quotes, before).kind).toBe('within');
  });

  it('are judged currency by currency', () => {
    const quotes = [...(trx('10') ?? []), { currency: 'BTC', fee: '2', estimated: false }];
    const before = {
      quotes: [...(trx('10') ?? []), { currency: 'BTC', fee: '1', estimated: false }],
    };
    expect(judge(DRIFT, quotes, before)).toMatchObject({
      kind: 'drift',
      reason: 'Fees are 2 BTC now and were 1: more than 20 percent above.',
    });
  });
});

describe('caps of fees', () => {
  it.each`
    rules    | fee       | kind
    ${SHARE} | ${'5'}    | ${'within'}
    ${SHARE} | ${'5.01'} | ${'above-cap'}
    ${TOTAL} | ${'5'}    | ${'within'}
    ${TOTAL} | ${'5.01'} | ${'above-cap'}
  `('hold $fee of 100 for $kind, with the first quote and at the due time', (line) => {
    const { rules, fee, kind } = line as { rules: FeeRules; fee: string; kind: string };
    expect(judge(rules, trx(fee), null).kind).toBe(kind);
    expect(judge(rules, trx(fee), planned(fee)).kind).toBe(kind);
  });

  it('are all named', () => {
    const rules = { ...DRIFT, ...SHARE, driftMaxPercent: '20', totalMax: TOTAL.totalMax };
    expect(judge(rules, trx('6'), planned('1'))).toMatchObject({
      kind: 'above-cap',
      reason:
        'Fees of 6 TRX are above 5 percent of 100. Fees of 6 TRX are above 5, the most that they may be. ' +
        'Fees are 6 TRX now and were 1: more than 20 percent above.',
    });
  });

  it('that a person accepted stop the batch again only when fees rise further', () => {
    const before = { ...planned('6'), accepted: { quotes: trx('6'), atMs: 1 } };
    const rules = { ...SHARE, driftMaxPercent: '20' };
    expect(judge(rules, trx('7.2'), before).kind).toBe('within');
    expect(judge(rules, trx('7.3'), before).kind).toBe('above-cap');
  });

  it('that a person accepted allow nothing more where no drift is allowed', () => {
    const before = { ...planned('6'), accepted: { quotes: trx('6'), atMs: 1 } };
    expect(judge(SHARE, trx('6'), before).kind).toBe('within');
    expect(judge(SHARE, trx('6.01'), before).kind).toBe('above-cap');
  });

  it('are not accepted by an acceptance of fees below them', () => {
    const before = { ...planned('3'), accepted: { quotes: trx('4.9'), atMs: 1 } };
    expect(judge({ ...SHARE, driftMaxPercent: '20' }, trx('5.1'), before).kind).toBe('above-cap');
  });

  it('judge nothing where the service quotes no fees', () => {
    expect(judge({ ...SHARE, ...TOTAL }, null, null)).toEqual({
      kind: 'within',
      note: 'Fees are not available, so no rule about them was applied.',
    });
  });
});
