import type { Differences } from '../../domain/reconcile/differences.ts';
import type { PaymentBook } from '../../domain/reconcile/payment-book.ts';
import type { Outcome } from '../../domain/settling/outcome.ts';
import type { ReportRow } from '../../domain/report/report.ts';
import type { Payout } from '@bursar/merchant-api';
import { isAboutObject, type Read } from './patient-reads.ts';

/** A row whose withdrawal the service has named; `index` is its number in the book. */
export type NamedRow = Readonly<{ index: number; row: ReportRow }>;

/** Withdrawals that are looked up. The transactions of the others are matched by recipient and amount. */
export const WITHDRAWALS_MAX = 1_000;

type Deps = Readonly<{
  read: Read;
  book: PaymentBook;
  differences: Differences;
}>;

/**
 * Looks up the withdrawals that the service named when the batch was settled. Their hashes make matches certain, and
 * some may have been sent again since.
 */
export async function readWithdrawals(deps: Deps, rows: readonly NamedRow[]): Promise<void> {
  for (const { index, row } of rows.slice(0, WITHDRAWALS_MAX)) {
    const record = await lookAt(deps.read, row.withdrawalId);
    if (record === undefined) continue;
    if (record.transactionHash) deps.book.knowHash(index, record.transactionHash);
    if (!contradicts(row.outcome, record.state)) continue;
    deps.differences.add('WITHDRAWAL_CHANGED', row.currency, {
      row: row.row,
      withdrawalId: record.id,
      amount: row.amount,
      detail: `${row.outcome} in the batch, ${record.state} in the record`,
    });
  }
}

/** The record of a withdrawal; undefined when the service does not show it. */
async function lookAt(read: Read, id: string): Promise<Payout | undefined> {
  try {
    const found = await read((api, call) => api.lookup({ id }, call));
    return found.kind === 'payout' && found.id === id ? found : undefined;
  } catch (error) {
    if (isAboutObject(error)) return undefined;
    throw error;
  }
}

/** States of a record that contradict an outcome. */
const CONTRADICTIONS: Readonly<Record<Outcome, readonly string[]>> = {
  PAID: ['FAILED', 'CANCELED'],
  FAILED: ['COMPLETED'],
  NOT_SENT: ['COMPLETED'],
  UNKNOWN: ['COMPLETED', 'FAILED', 'CANCELED'],
  IN_FLIGHT: [],
};

const contradicts = (outcome: Outcome, state: string): boolean =>
  CONTRADICTIONS[outcome].includes(state);
