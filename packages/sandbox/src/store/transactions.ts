import type { OperationCode } from '@bursar/merchant-api/spec';
import { formatDecimal, readDecimal } from '../core/decimal.ts';
import type { Withdrawal } from '../core/mass-payout.ts';
import type { Movement } from '../core/transactions.ts';
import type { Database } from './database.ts';
import {
  cutOf,
  type ListPart,
  offsetOf,
  type PageSortOrder,
  type StoredPage,
  type PageRequest,
  prepareByOrder,
} from './page.ts';
import { toWithdrawal, type WithdrawalRow } from './withdrawals.ts';

export type StoredMovement = Movement & Readonly<{ n: number }>;

/** A transaction is a top-up, or one withdrawal of a movement that paid withdrawals. */
export type StoredTransaction = Readonly<{
  movement: StoredMovement;
  withdrawal: Withdrawal | null;
}>;

/** ASSUMED: the spec does not show the names that `properties` accepts. */
export const TRANSACTION_PROPERTIES = ['createdDate', 'currency', 'opCode'] as const;

export type TransactionProperty = (typeof TRANSACTION_PROPERTIES)[number];

export type TransactionQuery = Readonly<{
  accounts: readonly string[];
  walletAddress: string | null;
  addressTo: string | null;
  opCodes: readonly OperationCode[] | null;
  currency: string | null;
  page: PageRequest<TransactionProperty>;
}>;

export type MovementRange = Readonly<{
  accounts: readonly string[];
  /** The range includes both ends. */
  firstMs: number;
  lastMs: number;
}>;

/**
 * Movements and their transactions. The transactions of a mass payout are read from its
 * withdrawals.
 * So a payment of a million withdrawals writes one row for the mass payout.
 */
export type Movements = Readonly<{
  /** Returns the number of the new movement. */
  insert(movement: Movement): number;
  /** Returns the movements of one account, or of all. */
  list(page: ListPart & Readonly<{ account?: string | undefined }>): StoredMovement[];
  /** Yields them one by one, so that memory does not grow with their number. */
  within(range: MovementRange): Iterable<StoredMovement>;
  transactions(query: TransactionQuery): StoredPage<StoredTransaction>;
}>;

export function createMovements(db: Database): Movements {
  const insert = db.prepare(`INSERT INTO movement VALUES (NULL, ${'?, '.repeat(9)}?)`);
  const within = db.prepare(
    `SELECT * FROM movement
     WHERE account IN (SELECT value FROM json_each(?)) AND at_ms BETWEEN ? AND ?`,
  );
  return {
    insert: (movement) => Number(insert.run(toColumns(movement)).lastInsertRowid),
    list({ account, ...part }) {
      const { isAfter, inOrder, start } = cutOf(part);
      const ofAccount = account === undefined ? '' : 'account = ? AND';
      const select = db.prepare(
        `SELECT * FROM movement WHERE ${ofAccount} ${isAfter} ORDER BY ${inOrder} LIMIT ?`,
      );
      const rows = select.all(...(account === undefined ? [] : [account]), start, part.limit);
      return (rows as MovementRow[]).map(toMovement);
    },
    *within({ accounts, firstMs, lastMs }) {
      for (const row of within.iterate(JSON.stringify(accounts), firstMs, lastMs)) {
        yield toMovement(row as MovementRow);
      }
    },
    transactions: createTransactions(db),
  };
}

/**
 * Whether the movement `m` paid a withdrawal `w`. `e` is the error of the withdrawal, if it has
 * one.
 */
const PAID_BY_MOVEMENT = `CASE WHEN m.is_resend THEN e.movement = m.n ELSE e.id IS NULL END`;

const PAID_WITHDRAWALS = `
  withdrawal w LEFT JOIN withdrawal_error e USING (mass_payout, position)
  WHERE w.mass_payout = m.mass_payout AND ${PAID_BY_MOVEMENT}`;

/** Movements that match. `hits` is the number of their transactions that match. */
const MATCHING = `
  SELECT *, CASE
      WHEN ?5 IS NULL THEN transactions
      WHEN mass_payout IS NULL THEN wallet_address = ?5
      ELSE (SELECT count(*) FROM ${PAID_WITHDRAWALS} AND w.address = ?5)
    END AS hits
  FROM movement m
  WHERE account IN (SELECT value FROM json_each(?1))
    AND (?2 IS NULL OR wallet_address = ?2)
    AND (?3 IS NULL OR op_code IN (SELECT value FROM json_each(?3)))
    AND (?4 IS NULL OR currency = ?4)`;

const SORT_COLUMNS: Readonly<Record<TransactionProperty, string>> = {
  createdDate: 'at_ms',
  currency: 'currency',
  opCode: 'op_code',
};

/**
 * A page is found by counting over movements. There are a thousand times as many withdrawals.
 * Only the filter `addressTo` reads every withdrawal of the account.
 */
function createTransactions(db: Database): Movements['transactions'] {
  const count = db.prepare(`SELECT coalesce(sum(hits), 0) AS count FROM (${MATCHING})`);
  const placed = prepareByOrder(db, placedText);
  const withdrawals = prepareByOrder(db, withdrawalsText);
  return (query) => {
    const { accounts, walletAddress, addressTo, opCodes, currency, page } = query;
    const filters = [
      JSON.stringify(accounts),
      walletAddress,
      opCodes === null ? null : JSON.stringify(opCodes),
      currency,
      addressTo,
    ];
    const [first, end] = [offsetOf(page), offsetOf(page) + page.pageSize];
    const { count: totalElements } = count.get(...filters) as { count: number };
    if (first >= totalElements) return { items: [], totalElements };
    const movements = placed(page).all(...filters, first, end) as PlacedRow[];
    const items = movements.flatMap((row): StoredTransaction[] => {
      const movement = toMovement(row);
      if (row.mass_payout === null) return [{ movement, withdrawal: null }];
      const skipped = Math.max(0, first - row.before);
      const taken = Math.min(row.hits, end - row.before) - skipped;
      const rows = withdrawals(page).all(row.n, addressTo, taken, skipped) as WithdrawalRow[];
      return rows.map((each) => ({ movement, withdrawal: toWithdrawal(each) }));
    });
    return { items, totalElements };
  };
}

/** The movements of a page in its order. `before` is the number of transactions before each. */
function placedText({ property, sort }: PageSortOrder<TransactionProperty>): string {
  const order = `ORDER BY ${SORT_COLUMNS[property]} ${sort}, at_ms ${sort}, n ${sort}`;
  return `SELECT * FROM (
      SELECT *, sum(hits) OVER (${order} ROWS UNBOUNDED PRECEDING) - hits AS before
      FROM (${MATCHING}) WHERE hits > 0
    ) WHERE before < ?7 AND before + hits > ?6 ORDER BY before`;
}

/** The withdrawals of movement ?1. */
const withdrawalsText = ({ sort }: PageSortOrder<TransactionProperty>): string =>
  `SELECT w.* FROM movement m, ${PAID_WITHDRAWALS} AND m.n = ?1 AND (?2 IS NULL OR w.address = ?2)
   ORDER BY w.position ${sort} LIMIT ?3 OFFSET ?4`;

type MovementRow = {
  n: number;
  at_ms: number;
  account: string;
  wallet_address: string;
  currency: string;
  op_code: OperationCode;
  mass_payout: number | null;
  is_resend: number;
  transactions: number;
  amount: string;
  fee: string;
};
type PlacedRow = MovementRow & { hits: number; before: number };

const toColumns = (movement: Movement): unknown[] => [
  movement.atMs,
  movement.account,
  movement.walletAddress,
  movement.currency,
  movement.opCode,
  movement.massPayout,
  movement.isResend ? 1 : 0,
  movement.transactions,
  formatDecimal(movement.amount),
  formatDecimal(movement.fee),
];

const toMovement = (row: MovementRow): StoredMovement => ({
  n: row.n,
  atMs: row.at_ms,
  account: row.account,
  walletAddress: row.wallet_address,
  currency: row.currency,
  opCode: row.op_code,
  massPayout: row.mass_payout,
  isResend: row.is_resend === 1,
  transactions: row.transactions,
  amount: readDecimal(row.amount),
  fee: readDecimal(row.fee),
});
