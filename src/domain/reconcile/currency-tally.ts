import { formatAmount } from '../money/amount.ts';
import { createTally, type RunningSum } from '../money/tally.ts';
import { SHOWN_OUTCOMES, type ShownOutcome } from '../settling/outcome.ts';
import { readAmount } from '../sending/verify.ts';
import type { Counted, CurrencyStatement, FeeSum } from './statement.ts';
import type { WalletTransaction } from './wallet-transaction.ts';

/** Adds up one currency of a statement. */
export type CurrencyTally = Readonly<{
  /** A row of the file; refused ones too, where their amount can be read. */
  addRow(outcome: ShownOutcome, amount: string): void;
  /** The transaction of a row, and the amount of the row. */
  addTransaction(transaction: WalletTransaction, amount: string): void;
  file(): Counted;
  engine(): CurrencyStatement['engine'];
  transactions(): NonNullable<CurrencyStatement['transactions']>;
  /** Whether every transaction has its fee, and all in one currency. */
  hasFeesIn(currency: string): boolean;
}>;

export function createCurrencyTally(): CurrencyTally {
  const outcomes = new Map(SHOWN_OUTCOMES.map((outcome) => [outcome, createCount()]));
  const [file, seen] = [createCount(), createCount()];
  const fees = { service: createFees(), network: createFees() };
  return {
    addRow(outcome, amount) {
      file.add(amount);
      outcomes.get(outcome)?.add(amount);
    },
    addTransaction(transaction, amount) {
      seen.add(amount);
      fees.service.add(transaction.serviceFee, transaction.serviceFeeCurrency);
      fees.network.add(transaction.networkFee, transaction.networkFeeCurrency);
    },
    file: file.end,
    engine: () =>
      Object.fromEntries(
        [...outcomes].map(([outcome, count]) => [outcome, count.end()]),
      ) as CurrencyStatement['engine'],
    transactions: () => ({
      ...seen.end(),
      serviceFees: fees.service.end(),
      networkFees: fees.network.end(),
    }),
    hasFeesIn: (currency) => fees.service.areAllIn(currency),
  };
}

function createCount() {
  const sum = createTally();
  let count = 0;
  return {
    add(amount: string): void {
      count += 1;
      const readable = readAmount(amount);
      if (readable !== undefined) sum.add(readable);
    },
    end: (): Counted => ({ count, amount: formatAmount(sum.total()) }),
  };
}

/** Sums of fees by the currency that they are in. */
function createFees() {
  const sums = new Map<string, RunningSum>();
  let isWhole = true;
  return {
    add(fee: string | undefined, currency: string | undefined): void {
      const amount = fee === undefined ? undefined : readAmount(fee);
      if (amount === undefined || currency === undefined) {
        isWhole = false;
        return;
      }
      const sum = sums.get(currency) ?? createTally();
      sums.set(currency, sum);
      sum.add(amount);
    },
    areAllIn: (currency: string): boolean => isWhole && sums.size === 1 && sums.has(currency),
    end: (): FeeSum[] =>
      [...sums].map(([currency, sum]) => ({ currency, amount: formatAmount(sum.total()) })),
  };
}
