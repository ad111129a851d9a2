import { describe, expect, it } from '@jest/globals';
import type { Evidence, LedgerRow, ToldBatch } from '../../chaos/evidence/evidence.ts';
import { brokenLaws, type LawName } from '../../chaos/evidence/laws.ts';

const WINDOW_MS = 4_000;

const paid = (address: string, more: Partial<LedgerRow> = {}): LedgerRow => ({
  ...{ idempotencyKey: 'key-0', currency: 'USDT_TRC20', depositAddress: address },
  ...{ amount: '10.5', fee: '0.1', state: 'COMPLETED' },
  ...more,
});

const row = (address: string) => ({ address, amount: '10.5', currency: 'USDT_TRC20' });

/** Two rows, of which one failed. */
const BATCH: ToldBatch = {
  ...{ batchId: 'march', state: 'PARTIAL', keys: ['key-0'], approvedAtMs: 1_000, dossiers: 0 },
  rows: [row('one'), row('two')],
  told: [
    { address: 'one', amount: '10.5', outcome: 'PAID' },
    { address: 'two', amount: '10.5', outcome: 'FAILED' },
  ],
  resendable: ['two'],
};

const GOOD: Evidence = {
  batches: [BATCH],
  ledger: [paid('one'), paid('two', { state: 'FAILED' })],
  balances: [{ currency: 'USDT_TRC20', opening: '100', balance: '89.4', tiesOut: true }],
  creates: [{ atMs: 2_000, timestampMs: 1_900, idempotencyKey: 'key-0', status: 200 }],
  timestampWindowMs: WINDOW_MS,
  ...{ leaks: [], unproven: [], unsettled: [], recovered: 1, faults: { 'kill -9': 1 } },
};

const told = (outcome: string): ToldBatch => ({
  ...BATCH,
  told: [{ address: 'one', amount: '10.5', outcome }, ...BATCH.told.slice(1)],
});

const create = (timestampMs: number, status: number | null) => ({
  ...{ atMs: timestampMs + 100, timestampMs, idempotencyKey: 'key-0', status },
});

const lawsOf = (evidence: Partial<Evidence>): LawName[] => [
  ...new Set(brokenLaws({ ...GOOD, ...evidence }).map(({ law }) => law)),
];

it('a run in which all is well keeps every law', () => {
  expect(brokenLaws(GOOD)).toEqual([]);
});

describe('a law is broken by', () => {
  it.each<[string, LawName[], Partial<Evidence>]>([
    ['a row that is paid twice', ['I1', 'I2', 'I3'], { ledger: [...GOOD.ledger, paid('one')] }],
    [
      'a row that is paid by two batches',
      ['I1', 'I2', 'I3'],
      { ledger: [...GOOD.ledger, paid('one', { idempotencyKey: 'key-9' })] },
    ],
    ['a row that was paid, and is told as FAILED', ['I2'], { batches: [told('FAILED')] }],
    ['a row that was paid, and is told as NOT_SENT', ['I2'], { batches: [told('NOT_SENT')] }],
    ['an UNKNOWN row without a dossier', ['I2'], { batches: [told('UNKNOWN')] }],
    ['a word that is no outcome', ['I2'], { batches: [told('IN_FLIGHT')] }],
    [
      'a row that is told as PAID, and was not',
      ['I2'],
      {
        ledger: [paid('one', { state: 'FAILED' }), paid('two', { state: 'FAILED' })],
        balances: [{ currency: 'USDT_TRC20', opening: '100', balance: '100', tiesOut: true }],
      },
    ],
    ['a report that forgets a row', ['I2'], { batches: [{ ...BATCH, told: BATCH.told.slice(1) }] }],
    [
      'a report that tells another amount',
      ['I2'],
      {
        batches: [
          {
            ...BATCH,
            told: [{ address: 'one', amount: '10.50', outcome: 'PAID' }, ...BATCH.told.slice(1)],
          },
        ],
      },
    ],
    [
      'a payment of another amount than the file has',
      ['I2', 'I3'],
      { ledger: [paid('one', { amount: '10.51' }), paid('two', { state: 'FAILED' })] },
    ],
    [
      'a payment to somebody who is in no file',
      ['I2', 'I3'],
      { ledger: [...GOOD.ledger, paid('nobody')] },
    ],
    [
      'money that is gone',
      ['I3'],
      { balances: [{ currency: 'USDT_TRC20', opening: '100', balance: '89.3', tiesOut: true }] },
    ],
    [
      'a ledger that does not tie out',
      ['I3'],
      { balances: [{ currency: 'USDT_TRC20', opening: '100', balance: '89.4', tiesOut: false }] },
    ],
    ['a paid row that is offered again', ['I4'], { batches: [{ ...BATCH, resendable: ['one'] }] }],
    [
      'a create that is signed while the one before could be accepted',
      ['I5'],
      { creates: [create(2_000, null), create(2_000 + WINDOW_MS, 200)] },
    ],
    [
      'a create that leaves before the approval',
      ['I6'],
      { creates: [{ ...create(900, 200), atMs: 999 }] },
    ],
    [
      'a create of a batch that nobody approved',
      ['I6'],
      { batches: [{ ...BATCH, approvedAtMs: undefined }] },
    ],
    ['a secret in a log', ['I7'], { leaks: ['logs/worker-a.1.log: the API secret'] }],
    ['a batch that does not end', ['I8'], { unsettled: ['march is still PAYING'] }],
    ['a run in which nothing was in doubt', ['I9'], { recovered: 0 }],
    ['a fault that did not happen', ['I10'], { faults: { 'kill -9': 1, 'disk full': 0 } }],
    ['a record that was changed', ['audit'], { unproven: ['march TAMPERED'] }],
  ])('%s', (_what, laws, evidence) => {
    expect(lawsOf(evidence)).toEqual(laws);
  });
});

describe('no law is broken by', () => {
  it.each<[string, Partial<Evidence>]>([
    [
      'a create that is signed when the one before is too old',
      { creates: [create(2_000, null), create(2_001 + WINDOW_MS, 200)] },
    ],
    [
      'a create that is signed after a refusal',
      { creates: [create(2_000, 429), create(2_500, 200)] },
    ],
    [
      'an UNKNOWN row with a dossier, whatever became of it',
      { batches: [{ ...told('UNKNOWN'), dossiers: 1 }] },
    ],
  ])('%s', (_what, evidence) => {
    expect(lawsOf(evidence)).toEqual([]);
  });
});
