import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createCurrencyTally } from '../../../src/domain/reconcile/currency-tally.ts';
import {
  differenceOfRow,
  differenceOfTransaction,
} from '../../../src/domain/reconcile/differences.ts';
import type { Payment } from '../../../src/domain/reconcile/payment.ts';
import { type Conclusion, createPaymentBook } from '../../../src/domain/reconcile/payment-book.ts';
import type { WalletTransaction } from '../../../src/domain/reconcile/wallet-transaction.ts';
import { type Outcome, OUTCOMES } from '../../../src/domain/settling/outcome.ts';

/** Few people and few amounts, so that rows are often alike. */
const payment: fc.Arbitrary<Payment> = fc.record({
  currency: fc.constantFrom('USDT_TRC20', 'BTC'),
  destination: fc.constantFrom('tron a', 'tron b', 'tron c'),
  amount: fc.constantFrom('1', '1.5', '20'),
});

type Row = Payment & Readonly<{ outcome: Outcome }>;

const rows = fc.array(
  fc.record({ payment, outcome: fc.constantFrom(...OUTCOMES) }).map((of) => ({
    ...of.payment,
    outcome: of.outcome,
  })),
  { minLength: 1, maxLength: 12 },
);

const made = (of: Payment, n: number): WalletTransaction => ({
  amount: of.amount,
  currency: of.currency,
  opCode: 'SETTLEMENT_MASS_WITHDRAWAL',
  addressTo: of.destination,
  atMs: n,
  hash: `hash ${n}`,
  serviceFee: '0.1',
  serviceFeeCurrency: of.currency,
});

/** A book of rows, and of just the transactions that they should have; `change` makes others of them. */
function bookOf(
  given: readonly Row[],
  change: (payments: readonly Payment[]) => readonly Payment[] = (payments) => payments,
): { conclusion: Conclusion; payments: readonly Payment[] } {
  const book = createPaymentBook();
  for (const [i, row] of given.entries()) book.addRow({ ...row, row: i + 2, sinceMs: 0 });
  const payments = change(given.filter(({ outcome }) => outcome === 'PAID'));
  for (const [n, one] of payments.entries()) book.addTransaction(one, made(one, n));
  return { conclusion: book.conclude(), payments };
}

/** Every difference that a person must look at, by what it is about. */
function differencesOf(given: readonly Row[], conclusion: Conclusion): string[] {
  const ofRows = given.flatMap((_, i) => differenceOfRow(conclusion.ofRow(i), true) ?? []);
  const ofTransactions = [...conclusion.unclaimed()].map((one) =>
    differenceOfTransaction(one, true),
  );
  return [...ofRows, ...ofTransactions].filter((code) => !code.startsWith('UNKNOWN_'));
}

const at = <Item>(items: readonly Item[], where: number): number => where % items.length;

describe('rows and transactions that belong together', () => {
  it('differ in nothing, and every PAID row has a transaction of its own', () => {
    fc.assert(
      fc.property(rows, (given) => {
        const { conclusion, payments } = bookOf(given);
        expect(differencesOf(given, conclusion)).toEqual([]);
        const hashes = given.flatMap((_, i) => conclusion.ofRow(i).transaction?.hash ?? []);
        expect(new Set(hashes).size).toBe(payments.length);
        for (const [i, row] of given.entries()) {
          const { transaction, equalRows } = conclusion.ofRow(i);
          expect(transaction !== undefined).toBe(row.outcome === 'PAID');
          if (transaction === undefined) continue;
          expect([transaction.amount, transaction.currency, transaction.addressTo]).toEqual([
            ...[row.amount, row.currency, row.destination],
          ]);
          const alike = given.filter(
            (other) =>
              other.amount === row.amount &&
              other.currency === row.currency &&
              other.destination === row.destination,
          );
          expect(equalRows).toBe(alike.length);
        }
      }),
    );
  });

  it('sum up to the same, fees included', () => {
    fc.assert(
      fc.property(rows, (given) => {
        const { conclusion } = bookOf(given);
        const tally = createCurrencyTally();
        for (const [i, { outcome, amount }] of given.entries()) {
          tally.addRow(outcome, amount);
          const { transaction } = conclusion.ofRow(i);
          if (transaction !== undefined) tally.addTransaction(transaction, amount);
        }
        const { count, amount } = tally.transactions();
        expect({ count, amount }).toEqual(tally.engine().PAID);
        expect(OUTCOMES.reduce((sum, of) => sum + tally.engine()[of].count, 0)).toBe(given.length);
        expect(tally.file().count).toBe(given.length);
      }),
    );
  });
});

describe('every fault in the transactions is named', () => {
  const paid = rows.filter((given) => given.some(({ outcome }) => outcome === 'PAID'));

  it('a missing transaction', () => {
    fc.assert(
      fc.property(paid, fc.nat(), (given, where) => {
        const { conclusion } = bookOf(given, (all) => all.filter((_, i) => i !== at(all, where)));
        expect(differencesOf(given, conclusion)).toContain('ROW_WITHOUT_TRANSACTION');
      }),
    );
  });

  it('an extra transaction: to a row that was paid, or to one that was not', () => {
    fc.assert(
      fc.property(paid, fc.nat(), (given, where) => {
        const { conclusion } = bookOf(given, (all) => [...all, all[at(all, where)] as Payment]);
        const names = [...given.entries()].flatMap(([i]) => {
          const finding = conclusion.ofRow(i);
          const mayTakeIt = finding.outcome !== 'PAID' && finding.transaction !== undefined;
          return mayTakeIt ? [finding.outcome] : [];
        });
        // One that is taken by a row in flight, or of which nobody knew, is no difference but an answer.
        const isTaken = names.includes('IN_FLIGHT') || names.includes('UNKNOWN');
        const found = differencesOf(given, conclusion);
        expect(found).toEqual(
          isTaken ? [] : [expect.stringMatching(/^(PAID_AGAIN|UNPAID_ROW_PAID)$/)],
        );
      }),
    );
  });

  it.each<readonly [string, (of: Payment) => Payment]>([
    ['a smaller amount', (of) => ({ ...of, amount: '0.5' })],
    ['another currency', (of) => ({ ...of, currency: 'TRX' })],
  ])('a transaction with %s', (_what, change) => {
    fc.assert(
      fc.property(paid, fc.nat(), (given, where) => {
        const { conclusion } = bookOf(given, (all) =>
          all.map((of, i) => (i === at(all, where) ? change(of) : of)),
        );
        expect(differencesOf(given, conclusion)).toEqual(
          expect.arrayContaining(['ROW_WITHOUT_TRANSACTION', 'OTHER_AMOUNT']),
        );
      }),
    );
  });

  it('a transaction to another recipient', () => {
    fc.assert(
      fc.property(paid, fc.nat(), (given, where) => {
        const { conclusion } = bookOf(given, (all) =>
          all.map((of, i) => (i === at(all, where) ? { ...of, destination: 'tron z' } : of)),
        );
        expect(differencesOf(given, conclusion)).toContain('ROW_WITHOUT_TRANSACTION');
      }),
    );
  });

  it('a row that counts as unpaid and was paid', () => {
    fc.assert(
      fc.property(payment, fc.constantFrom<Outcome>('FAILED', 'NOT_SENT'), (of, outcome) => {
        const given = [{ ...of, outcome }];
        const { conclusion } = bookOf(given, () => [of]);
        expect(differencesOf(given, conclusion)).toEqual(['UNPAID_ROW_PAID']);
      }),
    );
  });
});

describe('a book', () => {
  const PAYMENT = { currency: 'BTC', destination: 'tron a', amount: '1' };

  it('keeps nothing of payments to others', () => {
    const book = createPaymentBook();
    book.addRow({ ...PAYMENT, row: 2, outcome: 'PAID', sinceMs: 0 });
    const other = { ...PAYMENT, destination: 'tron z' };
    expect(book.addTransaction(other, made(other, 1))).toBe(false);
    expect(book.addTransaction(PAYMENT, made(PAYMENT, 2))).toBe(true);
    expect([...book.conclude().unclaimed()]).toEqual([]);
  });

  it('drops transactions, and not rows, before a list is read again', () => {
    const book = createPaymentBook();
    book.addRow({ ...PAYMENT, row: 2, outcome: 'PAID', sinceMs: 0 });
    const stray = { ...PAYMENT, amount: '3' };
    book.addTransaction(PAYMENT, made(PAYMENT, 1));
    book.addTransaction(stray, made(stray, 2));
    book.forgetTransactions();
    const conclusion = book.conclude();
    expect(conclusion.ofRow(0).transaction).toBeUndefined();
    expect([...conclusion.unclaimed()]).toEqual([]);
  });

  it('leaves the payments of another batch to it, even amounts that this one does not have', () => {
    const book = createPaymentBook();
    book.addRow({ ...PAYMENT, row: 2, outcome: 'PAID', sinceMs: 0 });
    const other = { ...PAYMENT, amount: '3' };
    for (const [n, one] of [PAYMENT, PAYMENT, other].entries()) {
      book.addTransaction(one, made(one, n));
    }
    for (const one of [PAYMENT, other]) book.addClaim({ ...one, kind: 'certain' });
    book.addClaim({ ...PAYMENT, destination: 'tron z', kind: 'certain' });
    const conclusion = book.conclude();
    expect([...conclusion.unclaimed()]).toEqual([]);
    expect([conclusion.ofOthers, conclusion.short]).toEqual([2, 0]);
  });

  it('names the rows that may lack a transaction, when another batch has a right to theirs', () => {
    const book = createPaymentBook();
    for (const row of [2, 3]) book.addRow({ ...PAYMENT, row, outcome: 'PAID', sinceMs: 0 });
    for (const n of [1, 2]) book.addTransaction(PAYMENT, made(PAYMENT, n));
    book.addClaim({ ...PAYMENT, kind: 'certain' });
    const conclusion = book.conclude();
    expect(conclusion.short).toBe(1);
    const codes = [0, 1].map((index) => differenceOfRow(conclusion.ofRow(index), true));
    expect(codes).toEqual(['ROW_CONTESTED', 'ROW_CONTESTED']);
  });

  it('takes the hash in the record of a withdrawal', () => {
    const book = createPaymentBook();
    for (const row of [2, 3]) book.addRow({ ...PAYMENT, row, outcome: 'PAID', sinceMs: 0 });
    for (const n of [1, 2]) book.addTransaction(PAYMENT, made(PAYMENT, n));
    book.knowHash(0, 'hash 2');
    const { ofRow } = book.conclude();
    expect([ofRow(0), ofRow(1)]).toMatchObject([
      { certainty: 'hash', transaction: { hash: 'hash 2' } },
      { certainty: 'equal', transaction: { hash: 'hash 1' } },
    ]);
  });

  it('names a row to the same address that lacks its transaction', () => {
    const book = createPaymentBook();
    book.addRow({ ...PAYMENT, row: 2, outcome: 'FAILED', sinceMs: 0 });
    book.addRow({ ...PAYMENT, amount: '7', row: 3, outcome: 'PAID', sinceMs: 0 });
    const stray = { ...PAYMENT, amount: '6.9' };
    book.addTransaction(stray, made(stray, 1));
    expect([...book.conclude().unclaimed()]).toMatchObject([
      { equalRow: undefined, missingRow: 3, transaction: { amount: '6.9' } },
    ]);
  });
});
