import type { RowNumber } from '../rows/row.ts';
import type { Outcome } from '../settling/outcome.ts';
import {
  type BookRow,
  createFindings,
  createRowColumns,
  createTransactionColumns,
} from './book-columns.ts';
import { createChains, NONE } from './chains.ts';
import { createKeyTable } from './key-table.ts';
import { type Certainty, matchClass } from './match-class.ts';
import { createNumberList } from './number-list.ts';
import { keyOfDestination, keyOfPayment, type Payment } from './payment.ts';
import type { WalletTransaction } from './wallet-transaction.ts';

/** A row of another batch that may have been paid to a recipient of this one; see `OtherClaims`. */
export type OtherClaim = Payment & Readonly<{ kind: 'certain' | 'possible' }>;

/** The result for one row. */
export type RowMatch = Readonly<{
  /** As `addRow` received it: an open batch may have gone on since. */
  outcome: Outcome;
  transaction: WalletTransaction | undefined;
  certainty: Certainty | undefined;
  /** Rows of the batch that are alike, this one included. */
  equalRows: number;
  /** Whether another batch has a right to its transaction as well, as there are too few. */
  isContested: boolean;
}>;

/** A transaction to a recipient of the file that belongs neither to a row nor to another batch. */
export type UnclaimedTransaction = NearbyRows & Readonly<{ transaction: WalletTransaction }>;

/** The rows that a transaction without a row may belong to. */
export type NearbyRows = Readonly<{
  /** A row of this same payment; undefined: every row differs in amount or currency. */
  equalRow: RowNumber | undefined;
  /** A PAID row to the same destination that has no transaction. */
  missingRow: RowNumber | undefined;
}>;

export type Conclusion = Readonly<{
  /** By the number that `addRow` gave. */
  ofRow(index: number): RowMatch;
  unclaimed(): Iterable<UnclaimedTransaction>;
  /** Transactions that were left to other batches. */
  ofOthers: number;
  /** PAID rows whose transactions other batches have a right to as well; see `ClassMatch`. */
  short: number;
}>;

/**
 * Rows and transactions by payment. About 150 bytes a row and 250 a transaction to one of its destinations; other
 * transactions are not kept. Time grows with rows, transactions and claims alone.
 */
export type PaymentBook = Readonly<{
  /** Answers with a number for the row: 0, 1, 2 ... */
  addRow(row: BookRow): number;
  /** The hash that the service's own record of the row's withdrawal has. */
  knowHash(index: number, hash: string): void;
  /** Returns false when the file has no recipient at that destination. */
  addTransaction(payment: Payment, transaction: WalletTransaction): boolean;
  addClaim(claim: OtherClaim): void;
  /** Before a list is read once more. */
  forgetTransactions(): void;
  conclude(): Conclusion;
}>;

export function createPaymentBook(): PaymentBook {
  const columns = createColumns();
  const { classes, destinations, rows, rowsOfClass, rowsOfDestination, claims } = columns;
  let transactions = createTransactionColumns();
  return {
    addRow(row) {
      const destination = destinations.add(keyOfDestination(row.destination));
      rowsOfClass.add(columns.classOf(row, destination));
      rowsOfDestination.add(destination);
      return rows.add(row);
    },
    knowHash: (index, hash) => rows.knowHash(index, hash),
    addTransaction(payment, transaction) {
      const destination = destinations.find(keyOfDestination(payment.destination));
      if (destination === NONE) return false;
      transactions.add(columns.classOf(payment, destination), transaction);
      return true;
    },
    addClaim(claim) {
      const number = classes.find(keyOfPayment(claim));
      if (number !== NONE) claims[claim.kind].raise(number);
    },
    forgetTransactions() {
      transactions = createTransactionColumns();
    },
    conclude: () => conclude(columns, transactions),
  };
}

type Columns = ReturnType<typeof createColumns>;
type Transactions = ReturnType<typeof createTransactionColumns>;

function createColumns() {
  const classes = createKeyTable();
  const destinationOfClass = createNumberList();
  return {
    classes,
    destinationOfClass,
    destinations: createKeyTable(),
    rows: createRowColumns(),
    rowsOfClass: createChains(),
    rowsOfDestination: createChains(),
    claims: { certain: createCounts(), possible: createCounts() },
    /** The number of a payment's class, which may be new. */
    classOf(payment: Payment, destination: number): number {
      const number = classes.add(keyOfPayment(payment));
      if (number === destinationOfClass.length()) destinationOfClass.push(destination);
      return number;
    },
  };
}

/** Counts that are 0 at first. */
function createCounts() {
  const counts = createNumberList();
  const at = (index: number): number => (index < counts.length() ? counts.at(index) : 0);
  return {
    at,
    raise(index: number): void {
      while (counts.length() <= index) counts.push(0);
      counts.set(index, counts.at(index) + 1);
    },
  };
}

function conclude(columns: Columns, transactions: Transactions): Conclusion {
  const { classes, rows, rowsOfClass, claims } = columns;
  const findings = createFindings(rows.length());
  const unclaimed: { classNumber: number; transaction: number }[] = [];
  let [ofOthers, short] = [0, 0];
  for (let classNumber = 0; classNumber < classes.size(); classNumber += 1) {
    const indexes = rowsOfClass.membersOf(classNumber);
    const match = matchClass({
      rows: indexes.map((index) => rows.at(index)),
      transactions: transactions.ofClass(classNumber),
      others: {
        certain: claims.certain.at(classNumber),
        possible: claims.possible.at(classNumber),
      },
    });
    findings.keep(indexes, match);
    for (const { index } of match.unclaimed) unclaimed.push({ classNumber, transaction: index });
    ofOthers += match.ofOthers;
    short += match.short;
  }
  const missingRow = createMissingRows(columns, findings);
  return {
    ofOthers,
    short,
    ofRow(index) {
      const transaction = findings.transactionOf(index);
      const isFound = transaction !== NONE;
      return {
        outcome: rows.at(index).outcome,
        transaction: isFound ? transactions.at(transaction) : undefined,
        certainty: isFound ? findings.certaintyOf(index) : undefined,
        equalRows: findings.equalRowsOf(index),
        isContested: findings.isContested(index),
      };
    },
    *unclaimed() {
      for (const { classNumber, transaction } of unclaimed) {
        const equal = rowsOfClass.firstOf(classNumber);
        yield {
          transaction: transactions.at(transaction),
          equalRow: equal === NONE ? undefined : rows.numberOf(equal),
          missingRow: missingRow(columns.destinationOfClass.at(classNumber)),
        };
      }
    },
  };
}

/** Finds for a destination the first PAID row that has no transaction; each destination is searched once. */
function createMissingRows(
  { rows, rowsOfDestination }: Columns,
  findings: ReturnType<typeof createFindings>,
): (destination: number) => RowNumber | undefined {
  const known = new Map<number, RowNumber | undefined>();
  return (destination) => {
    if (known.has(destination)) return known.get(destination);
    const missing = rowsOfDestination
      .membersOf(destination)
      .find((index) => rows.at(index).outcome === 'PAID' && findings.transactionOf(index) === NONE);
    const row = missing === undefined ? undefined : rows.numberOf(missing);
    known.set(destination, row);
    return row;
  };
}
