import { expect } from '@jest/globals';
import {
  type Amount,
  formatAmount,
  parseAmount,
  subtractAmounts,
  sumAmounts,
} from '../../../src/domain/money/amount.ts';
import { parseSignedAmount } from '../../../src/domain/money/signed-amount.ts';
import { ledgerBalances, type LedgerWithdrawal, ledgerWithdrawals } from '../../support/oracle.ts';
import type { createReader } from './reader.ts';

/**
 * Holds the files that a reader made against the ledger of the sandbox: each row was paid once, nobody else was, and of each
 * currency nothing is gone but what was paid and its fees.
 */
export async function expectEverybodyPaidOnce({
  files,
  commands,
  sandboxUrl,
}: Pick<ReturnType<typeof createReader>, 'files' | 'commands' | 'sandboxUrl'>): Promise<void> {
  const withdrawals = await ledgerWithdrawals(sandboxUrl());
  const paid = withdrawals.filter(({ state }) => state === 'COMPLETED');
  const wanted = [...files]
    .filter(([path]) => path.endsWith('.csv'))
    .flatMap(([, csv]) => rowsOf(csv));
  expect(paid.map(paymentText).toSorted()).toEqual(wanted.toSorted());

  const balances = await ledgerBalances(sandboxUrl());
  expect(balances.length).toBeGreaterThan(0);
  for (const { currency, opening, balance, tiesOut } of balances) {
    const added = topUps(commands, currency);
    const gone = paid
      .filter((one) => one.currency === currency)
      .flatMap(({ amount, fee }) => [parseAmount(amount), parseSignedAmount(fee)]);
    const left = subtractAmounts(
      sumAmounts([parseSignedAmount(opening), ...added]),
      sumAmounts(gone),
    );
    expect([currency, balance, tiesOut]).toEqual([currency, formatAmount(left), true]);
  }
}

/** Rows of a file of the book, whose columns all have the same order. */
const rowsOf = (csv: string): string[] =>
  csv
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => line.split(',').slice(0, 3).join(' '));

const paymentText = ({ depositAddress, amount, currency }: LedgerWithdrawal): string =>
  `${depositAddress} ${amount} ${currency}`;

const topUps = (commands: readonly string[], currency: string): Amount[] =>
  commands.flatMap((command) => {
    const [, amount = '', topped] = /sandbox top-up (\S+) (\S+)/.exec(command) ?? [];
    return topped === currency ? [parseAmount(amount)] : [];
  });
