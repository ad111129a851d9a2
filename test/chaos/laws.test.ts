import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Evidence, LedgerRow, ToldBatch, ToldRow } from '../../chaos/evidence/evidence.ts';
import { keyOf } from '../../chaos/evidence/identity.ts';
import { brokenLaws, type LawName } from '../../chaos/evidence/laws.ts';
import { textOf, unitsOf } from '../../sim/money.ts';
import { idempotencyKeyOf } from '../../src/domain/sending/identity.ts';

const WINDOW_MS = 4_000;

const paid = (address: string, more: Partial<LedgerRow> = {}): LedgerRow => ({
  idempotencyKey: 'key-0',
  currency: 'USDT_TRC20',
  depositAddress: address,
  amount: '10.5',
  fee: '0.1',
  state: 'COMPLETED',
  ...more,
});

const row = (address: string) => ({ address, amount: '10.5', currency: 'USDT_TRC20' });

/** Two rows, of which one failed. */
const BATCH: ToldBatch = {
  batchId: 'march',
  state: 'PARTIAL',
  keys: ['key-0'],
  approvedAtMs: 1_000,
  isResend: false,
  rows: [row('one'), row('two')],
  told: [
    { ...row('one'), outcome: 'PAID' },
    { ...row('two'), outcome: 'FAILED' },
  ],
  resendable: ['two'],
  investigated: [],
};

const GOOD: Evidence = {
  batches: [BATCH],
  ledger: [paid('one'), paid('two', { state: 'FAILED' })],
  balances: [{ currency: 'USDT_TRC20', opening: '100', balance: '89.4', tiesOut: true }],
  creates: [{ atMs: 2_000, timestampMs: 1_900, idempotencyKey: 'key-0', status: 200 }],
  timestampWindowMs: WINDOW_MS,
  leaks: [],
  unproven: [],
  unsettled: [],
  crashes: [],
  recovered: 1,
  faults: { 'kill -9': 1 },
};

/** The batch whose report says something else of its first row, which was paid. */
const told = (more: Partial<ToldRow>): ToldBatch => ({
  ...BATCH,
  told: [{ ...row('one'), outcome: 'PAID', ...more }, ...BATCH.told.slice(1)],
});

/** What is left of the account. */
const left = (balance: string) => [
  { currency: 'USDT_TRC20', opening: '100', balance, tiesOut: true },
];

const create = (timestampMs: number, status: number | null) => ({
  atMs: timestampMs + 100,
  timestampMs,
  idempotencyKey: 'key-0',
  status,
});

const lawsOf = (evidence: Partial<Evidence>): LawName[] => [
  ...new Set(brokenLaws({ ...GOOD, ...evidence }).map(({ law }) => law)),
];

/** Of three rows two failed, which no law forbids the service to do. */
const FEW_PAID: Partial<Evidence> = {
  batches: [
    {
      ...BATCH,
      rows: [...BATCH.rows, row('three')],
      told: [...BATCH.told, { ...row('three'), outcome: 'FAILED' }],
    },
  ],
  ledger: [...GOOD.ledger, paid('three', { state: 'FAILED' })],
};

it('a run in which all is well keeps every law', () => {
  expect(brokenLaws(GOOD)).toEqual([]);
});

describe('a law is broken by', () => {
  it.each<[string, LawName[], Partial<Evidence>]>([
    [
      'a row that is paid twice',
      ['I1', 'I2', 'I3'],
      { ledger: [...GOOD.ledger, paid('one')], balances: left('78.8') },
    ],
    [
      'a row that is paid by two batches',
      ['I1', 'I2', 'I3'],
      {
        ledger: [...GOOD.ledger, paid('one', { idempotencyKey: 'key-9' })],
        balances: left('78.8'),
      },
    ],
    [
      'a row that was paid, and is reported as FAILED',
      ['I2', 'I3', 'I9'],
      { batches: [told({ outcome: 'FAILED' })] },
    ],
    [
      'a row that was paid, and is reported as NOT_SENT',
      ['I2', 'I3', 'I9'],
      { batches: [told({ outcome: 'NOT_SENT' })] },
    ],
    ['a row with an unknown outcome', ['I2', 'I9'], { batches: [told({ outcome: 'UNKNOWN' })] }],
    [
      'a word that is no outcome',
      ['I2', 'I3', 'I9'],
      { batches: [told({ outcome: 'IN_FLIGHT' })] },
    ],
    [
      'a row that is reported as PAID, and was not',
      ['I2', 'I3'],
      {
        ledger: [paid('one', { state: 'FAILED' }), paid('two', { state: 'FAILED' })],
        balances: left('100'),
      },
    ],
    ['a row that is reported as FAILED, and was never sent', ['I2'], { ledger: [paid('one')] }],
    [
      'a report that forgets a row',
      ['I2'],
      { batches: [{ ...BATCH, told: BATCH.told.slice(0, 1) }] },
    ],
    ['a report with another amount', ['I2'], { batches: [told({ amount: '10.50' })] }],
    [
      'a report with another currency',
      ['I2', 'I3'],
      { batches: [told({ currency: 'USDC_ERC20' })] },
    ],
    [
      'a payment of another amount than the file has',
      ['I2', 'I3'],
      {
        ledger: [paid('one', { amount: '10.51' }), paid('two', { state: 'FAILED' })],
        balances: left('89.39'),
      },
    ],
    [
      'a payment in another currency than the file has',
      ['I2', 'I3'],
      {
        ledger: [paid('one', { currency: 'USDC_ERC20' }), paid('two', { state: 'FAILED' })],
        balances: [...left('100'), { ...left('89.4')[0]!, currency: 'USDC_ERC20' }],
      },
    ],
    [
      'a payment to a recipient of no file',
      ['I2', 'I3'],
      { ledger: [...GOOD.ledger, paid('nobody')], balances: left('78.8') },
    ],
    ['money that is gone', ['I3'], { balances: left('89.3') }],
    [
      'a ledger that does not tie out',
      ['I3'],
      { balances: [{ ...left('89.4')[0]!, tiesOut: false }] },
    ],
    ['a run in which hardly any row was paid', ['I9'], FEW_PAID],
    ['a paid row that is offered again', ['I4'], { batches: [{ ...BATCH, resendable: ['one'] }] }],
    [
      'a create that is signed while the one before could be accepted',
      ['I5'],
      { creates: [create(2_000, null), create(2_000 + WINDOW_MS, 200)] },
    ],
    [
      'an attempt that arrives twice, even after a refusal',
      ['I5'],
      { creates: [create(2_000, 429), create(2_000, 200)] },
    ],
    [
      'a create that leaves before the approval',
      ['I6'],
      { creates: [{ ...create(900, 200), atMs: 999 }] },
    ],
    [
      'a create of a batch without approval',
      ['I6'],
      { batches: [{ ...BATCH, approvedAtMs: undefined }] },
    ],
    ['a secret in a log', ['I7'], { leaks: ['logs/worker-a.1.log: the API secret'] }],
    ['a batch that does not end', ['I8'], { unsettled: ['march is still PAYING'] }],
    ['a run in which nothing was in doubt', ['I9'], { recovered: 0 }],
    ['a fault that did not happen', ['I10'], { faults: { 'kill -9': 1, 'disk full': 0 } }],
    ['a record that was changed', ['audit'], { unproven: ['march TAMPERED'] }],
    ['a process that crashed', ['alive'], { crashes: ['worker-a ended by itself'] }],
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
  ])('%s', (_what, evidence) => {
    expect(lawsOf(evidence)).toEqual([]);
  });
});

it('a row with an unknown outcome explains the money that left for it, and needs an investigation', () => {
  const [first, second] = [[], ['one']].map((investigated) =>
    brokenLaws({ ...GOOD, batches: [{ ...told({ outcome: 'UNKNOWN' }), investigated }] }),
  );
  expect(second?.map(({ law }) => law)).toEqual(['I2', 'I9']);
  expect(first?.length).toBe(3);
});

it.each([
  ['a resend that offers it anew', { isResend: true, resendable: ['three'] }, []],
  ['a resend that forgets it', { isResend: true, resendable: [] }, ['I2']],
  ['a first batch', { isResend: false, resendable: ['three'] }, ['I2']],
])('a row that was never sent may be NOT_SENT for %s: %j breaks %j', (_who, as, broken) => {
  const april: ToldBatch = {
    ...BATCH,
    batchId: 'april',
    keys: ['key-1'],
    rows: [row('three')],
    told: [{ ...row('three'), outcome: 'NOT_SENT' }],
    ...as,
  };
  // One of three rows was paid, which I9 calls little.
  expect(lawsOf({ batches: [BATCH, april] })).toEqual([...broken, 'I9']);
});

it.each([
  ['0', 0n],
  ['-0.000000000000000001', -1n],
  ['90071992547409931.5', 90_071_992_547_409_931_500_000_000_000_000_000n],
])('reads and writes the amount %s by itself', (text, units) => {
  expect([unitsOf(text), textOf(units)]).toEqual([units, text]);
});

it.each(['', '1e3', ' 1', '.5', '1.', '0.0000000000000000001'])(
  'refuses "%s" as an amount',
  (text) => {
    expect(() => unitsOf(text)).toThrow('is no amount');
  },
);

it('works out the keys of chunks as the engine does, by another way', () => {
  fc.assert(
    fc.property(
      fc.record({
        account: fc.string(),
        batchId: fc.string(),
        chunk: fc.nat(),
        generation: fc.nat(),
      }),
      (named) => expect(keyOf(named)).toBe(idempotencyKeyOf(named)),
    ),
  );
});
