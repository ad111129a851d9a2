import { describe, expect, it } from '@jest/globals';
import { STEPS } from '../../../src/domain/audit/actions.ts';
import { auditSentence } from '../../../src/domain/audit/sentences.ts';

const DIGEST = `sha256:3bdf1c2a${'0'.repeat(56)}`;

const sentence = (action: string, detail: Readonly<Record<string, unknown>> = {}, actor = 'bob') =>
  auditSentence({ actor, action, detail, batchId: 'payroll' });

describe('an entry of the audit log as a sentence', () => {
  it.each([
    [
      'approve',
      { subject: DIGEST, reason: 'checked with HR', signed: true },
      'bob approved batch payroll (digest 3bdf1c2a...): checked with HR',
    ],
    [
      'approve-rejected',
      { code: 'APPROVAL_BY_SUBMITTER' },
      /tried to approve .*\(not allowed, APP/,
    ],
    [
      'hold',
      { n: 1, kind: 'STOP_LOSS', reason: 'x' },
      /put batch payroll on hold \(stop loss, hold/,
    ],
    [
      'submit',
      { digest: DIGEST, rows: 2, totals: ['1234.5:USDT_TRC20', '7:BTC'] },
      'bob submitted batch payroll (digest 3bdf1c2a..., 2 rows, 1,234.50 USDT (TRC20), 7.00 BTC)',
    ],
    [
      'resolve',
      { chunk: 3, kind: 'not-created', reason: 'not in the portal' },
      'bob answered for a request with an unclear result in batch payroll (not created, chunk 3): not in the portal',
    ],
    [
      'send',
      { chunk: 3, n: 2, rows: 40, total: '167.0055:USDC_ERC20', idempotencyKey: 'k' },
      'bob sent a request in batch payroll (chunk 3, attempt 2, 40 rows, 167.0055 USDC (ERC20))',
    ],
    ['end', { state: 'PARTIAL' }, 'bob ended batch payroll (partly paid)'],
  ])('%s names its batch, its facts and its reason', (action, detail, expected) => {
    if (typeof expected === 'string') expect(sentence(action, detail)).toBe(expected);
    else expect(sentence(action, detail)).toMatch(expected);
  });

  it('has a sentence for every step of the engine', () => {
    expect(STEPS.length).toBeGreaterThan(25);
    expect(STEPS.filter((step) => sentence(step).startsWith(`bob ${step} in`))).toEqual([]);
  });

  it('shows an action of a later version by its code, and ignores facts of another form', () => {
    expect(sentence('new-act', { digest: 1, chunk: null, totals: 'x', rows: {} })).toBe(
      'bob new act in batch payroll',
    );
    expect(auditSentence({ actor: 'eve', action: 'two', batchId: null, detail: {} })).toBe(
      'eve two',
    );
  });
});
