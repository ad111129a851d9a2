import { formatDecimal, readDecimal } from '../core/decimal.ts';
import type { FateCode } from '../core/fates.ts';
import type {
  FailureStatus,
  Withdrawal,
  WithdrawalFailure,
  WithdrawalRequest,
} from '../core/mass-payout.ts';
import type { WalkedWithdrawal, FailingWithdrawal } from '../core/walk.ts';
import type { Database } from './database.ts';
import { rowOrNull } from './row.ts';

/** The withdrawals of mass payouts. The number of the mass payout and a position identify each. */
export type Withdrawals = WithdrawalFailures &
  Readonly<{
    insert(massPayout: number, withdrawals: readonly WithdrawalRequest[]): void;
    get(massPayout: number, position: number): Withdrawal | null;
    all(massPayout: number): Withdrawal[];
    /** Returns the withdrawals after a position, at most `limit` of them. */
    page(massPayout: number, after: number, limit: number): Withdrawal[];
    /** Returns the withdrawals whose address has a code with a special result. */
    fated(massPayout: number): Withdrawal[];
  }>;

/** Withdrawals that failed, and their later results. */
export type WithdrawalFailures = Readonly<{
  failures(massPayout: number): WithdrawalFailure[];
  failure(massPayout: number, position: number): WithdrawalFailure | null;
  /** Returns withdrawals that failed and were not sent again, after a position. */
  failedPage(massPayout: number, after: number, limit: number): Withdrawal[];
  failedCount(massPayout: number): number;
  /** Returns withdrawals that failed and are not paid yet. `isResent`: they were sent again. */
  unpaid(massPayout: number): UnpaidWithdrawal[];
  fail(massPayout: number, failing: readonly FailingWithdrawal[]): void;
  resend(massPayout: number, resent: readonly WalkedWithdrawal[]): void;
  /** Marks failed withdrawals as paid by this movement. */
  resolve(massPayout: number, resolved: readonly WalkedWithdrawal[], movement: number): void;
}>;

export type UnpaidWithdrawal = Withdrawal & Readonly<{ isResent: boolean }>;

const NO_LIMIT = -1;

export function createWithdrawals(db: Database): Withdrawals {
  const insert = db.prepare(
    `INSERT INTO withdrawal
     SELECT ?1, key + 1, value->>0, value->>1, value->>2, value->>3 FROM json_each(?2)`,
  );
  const get = db.prepare('SELECT * FROM withdrawal WHERE mass_payout = ? AND position = ?');
  const page = db.prepare(
    'SELECT * FROM withdrawal WHERE mass_payout = ? AND position > ? ORDER BY position LIMIT ?',
  );
  const fated = db.prepare(
    'SELECT * FROM withdrawal WHERE mass_payout = ? AND fate IS NOT NULL ORDER BY position',
  );
  const readPage = (massPayout: number, after: number, limit: number): Withdrawal[] =>
    (page.all(massPayout, after, limit) as WithdrawalRow[]).map(toWithdrawal);
  return {
    insert: (massPayout, withdrawals) =>
      void insert.run(massPayout, JSON.stringify(withdrawals.map(toColumns))),
    get: (massPayout, position) => rowOrNull(get.get(massPayout, position), toWithdrawal),
    all: (massPayout) => readPage(massPayout, 0, NO_LIMIT),
    page: readPage,
    fated: (massPayout) => (fated.all(massPayout) as WithdrawalRow[]).map(toWithdrawal),
    ...createFailures(db),
  };
}

function createFailures(db: Database): WithdrawalFailures {
  const list = db.prepare('SELECT * FROM withdrawal_error WHERE mass_payout = ? ORDER BY position');
  const get = db.prepare('SELECT * FROM withdrawal_error WHERE mass_payout = ? AND position = ?');
  const insert = db.prepare(
    `INSERT INTO withdrawal_error (mass_payout, position, message, resent)
     SELECT ?1, value->>0, value->>1, 0 FROM json_each(?2) ORDER BY key`,
  );
  const isFailed = 'mass_payout = ? AND movement IS NULL AND resent = 0';
  const failedPage = db.prepare(
    `SELECT withdrawal.* FROM withdrawal_error JOIN withdrawal USING (mass_payout, position)
     WHERE ${isFailed} AND position > ? ORDER BY position LIMIT ?`,
  );
  const failedCount = db.prepare(
    `SELECT count(*) AS count FROM withdrawal_error WHERE ${isFailed}`,
  );
  const unpaid = db.prepare(
    `SELECT withdrawal.*, resent
     FROM withdrawal_error JOIN withdrawal USING (mass_payout, position)
     WHERE mass_payout = ? AND movement IS NULL ORDER BY position`,
  );
  const resend = db.prepare(
    `UPDATE withdrawal_error SET resent = 1
     WHERE mass_payout = ?1 AND position IN (SELECT value FROM json_each(?2))`,
  );
  const resolve = db.prepare(
    `UPDATE withdrawal_error SET movement = ?3
     WHERE mass_payout = ?1 AND position IN (SELECT value FROM json_each(?2))`,
  );
  return {
    failures: (massPayout) => (list.all(massPayout) as FailureRow[]).map(toFailure),
    failure: (massPayout, position) => rowOrNull(get.get(massPayout, position), toFailure),
    fail(massPayout, failing) {
      if (failing.length === 0) return;
      const columns = failing.map(({ position, message }) => [position, message]);
      insert.run(massPayout, JSON.stringify(columns));
    },
    failedPage: (massPayout, after, limit) =>
      (failedPage.all(massPayout, after, limit) as WithdrawalRow[]).map(toWithdrawal),
    failedCount: (massPayout) => (failedCount.get(massPayout) as { count: number }).count,
    unpaid: (massPayout) =>
      (unpaid.all(massPayout) as UnpaidRow[]).map((row) => ({
        ...toWithdrawal(row),
        isResent: row.resent === 1,
      })),
    resend: (massPayout, resent) => void resend.run(massPayout, positionsOf(resent)),
    resolve: (massPayout, resolved, movement) =>
      void resolve.run(massPayout, positionsOf(resolved), movement),
  };
}

export type WithdrawalRow = {
  position: number;
  address: string;
  amount: string;
  comment: string | null;
  fate: FateCode | null;
};
type UnpaidRow = WithdrawalRow & { resent: number };
type FailureRow = {
  id: number;
  position: number;
  message: string;
  resent: number;
  movement: number | null;
};

const positionsOf = (withdrawals: readonly WalkedWithdrawal[]): string =>
  JSON.stringify(withdrawals.map(({ position }) => position));

const toColumns = ({ depositAddress, amount, comment, fate }: WithdrawalRequest): unknown[] => [
  depositAddress,
  formatDecimal(amount),
  comment,
  fate,
];

export const toWithdrawal = ({
  position,
  address,
  amount,
  comment,
  fate,
}: WithdrawalRow): Withdrawal => ({
  position,
  depositAddress: address,
  amount: readDecimal(amount),
  comment,
  fate,
});

const toFailure = (row: FailureRow): WithdrawalFailure => ({
  errorId: row.id,
  position: row.position,
  message: row.message,
  status: statusOf(row),
});

function statusOf({ resent, movement }: FailureRow): FailureStatus {
  if (movement !== null) return 'RESOLVED';
  return resent === 1 ? 'RESENT' : 'FAILED';
}
