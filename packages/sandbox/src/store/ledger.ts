import {
  add,
  type Decimal,
  formatDecimal,
  isNegative,
  readDecimal,
  sum,
  ZERO,
} from '../core/decimal.ts';
import type { LedgerEntry, LedgerKind } from '../core/ledger.ts';
import type { Database } from './database.ts';

export type Balance = Readonly<{
  account: string;
  currency: string;
  opening: Decimal;
  amount: Decimal;
}>;
export type NumberedEntry = LedgerEntry & Readonly<{ n: number }>;
export type LedgerPage = Readonly<{
  afterN: number;
  limit: number;
  account?: string | undefined;
  currency?: string | undefined;
}>;

/**
 * Balances and every change of them. A balance always equals its opening plus the sum of its
 * entries.
 */
export type SandboxLedger = Readonly<{
  /** Sets the first balances of an account. Later calls for the same account change nothing. */
  open(account: string, openings: ReadonlyMap<string, Decimal>): void;
  balanceOf(account: string, currency: string): Decimal;
  balances(account?: string): readonly Balance[];
  /** Writes entries and changes the balances. Throws when a balance would become negative. */
  post(entries: readonly LedgerEntry[]): void;
  page(page: LedgerPage): NumberedEntry[];
  /** Adds up all entries of one balance. It does not use the stored balance. */
  sumOf(account: string, currency: string): Decimal;
}>;

export function createLedger(db: Database): SandboxLedger {
  const readAmount = db.prepare('SELECT amount FROM balance WHERE account = ? AND currency = ?');
  const balances = createBalances(db);
  const isOpen = db.prepare('SELECT 1 AS found FROM balance WHERE account = ? LIMIT 1');
  const insertBalance = db.prepare('INSERT INTO balance VALUES (?1, ?2, ?3, ?3)');
  const writeBalance = db.prepare(
    `INSERT INTO balance VALUES (?1, ?2, '0', ?3)
     ON CONFLICT (account, currency) DO UPDATE SET amount = ?3`,
  );
  const append = db.prepare(
    `INSERT INTO ledger (at_ms, account, currency, kind, amount, mass_payout_id, withdrawal_id)
     SELECT value->>0, value->>1, value->>2, value->>3, value->>4, value->>5, value->>6
     FROM json_each(?) ORDER BY key`,
  );
  const select = db.prepare(
    `SELECT * FROM ledger
     WHERE n > ?1 AND (?2 IS NULL OR account = ?2) AND (?3 IS NULL OR currency = ?3)
     ORDER BY n LIMIT ?4`,
  );
  const amounts = db.prepare('SELECT amount FROM ledger WHERE account = ? AND currency = ?');

  const balanceOf = (account: string, currency: string): Decimal => {
    const row = readAmount.get(account, currency) as { amount: string } | undefined;
    return row === undefined ? ZERO : readDecimal(row.amount);
  };

  return {
    balanceOf,
    open(account, openings) {
      if (isOpen.get(account) !== undefined) return;
      balances.forget(account);
      for (const [currency, amount] of openings) {
        insertBalance.run(account, currency, formatDecimal(amount));
      }
    },
    balances: balances.read,
    post(entries) {
      if (entries.length === 0) return;
      append.run(JSON.stringify(entries.map(toColumns)));
      for (const { account, currency, amount } of changesOf(entries)) {
        balances.forget(account);
        const changed = add(balanceOf(account, currency), amount);
        if (isNegative(changed)) throw new Error(`The balance in ${currency} became negative.`);
        writeBalance.run(account, currency, formatDecimal(changed));
      }
    },
    page: ({ afterN, limit, account, currency }) =>
      (select.all(afterN, account ?? null, currency ?? null, limit) as EntryRow[]).map(toEntry),
    sumOf: (account, currency) =>
      sum(
        (amounts.all(account, currency) as { amount: string }[]).map(({ amount }) =>
          readDecimal(amount),
        ),
      ),
  };
}

/** No other process writes to this file, so balances are cached until this process changes them. */
function createBalances(db: Database) {
  const list = db.prepare(
    `SELECT * FROM balance WHERE ?1 IS NULL OR account = ?1 ORDER BY account, currency`,
  );
  const known = new Map<string, readonly Balance[]>();
  const readAgain = (account: string | null): Balance[] =>
    (list.all([account]) as BalanceRow[]).map(toBalance);

  return {
    forget: (account: string): void => void known.delete(account),
    /** Returns the same list until a balance changes. */
    read(account?: string): readonly Balance[] {
      if (account === undefined) return readAgain(null);
      const found = known.get(account);
      if (found !== undefined) return found;
      const balances = readAgain(account);
      // A transaction may be rolled back, so values that were read inside one are not cached.
      if (!db.inTransaction) known.set(account, balances);
      return balances;
    },
  };
}

type BalanceRow = { account: string; currency: string; opening: string; amount: string };
type EntryRow = {
  n: number;
  at_ms: number;
  account: string;
  currency: string;
  kind: LedgerKind;
  amount: string;
  mass_payout_id: string | null;
  withdrawal_id: string | null;
};

const toBalance = ({ account, currency, opening, amount }: BalanceRow): Balance => ({
  account,
  currency,
  opening: readDecimal(opening),
  amount: readDecimal(amount),
});

const toEntry = (row: EntryRow): NumberedEntry => ({
  n: row.n,
  atMs: row.at_ms,
  account: row.account,
  currency: row.currency,
  kind: row.kind,
  amount: readDecimal(row.amount),
  massPayoutId: row.mass_payout_id,
  withdrawalId: row.withdrawal_id,
});

const toColumns = (entry: LedgerEntry): unknown[] => [
  entry.atMs,
  entry.account,
  entry.currency,
  entry.kind,
  formatDecimal(entry.amount),
  entry.massPayoutId,
  entry.withdrawalId,
];

type BalanceChange = Readonly<{ account: string; currency: string; amount: Decimal }>;

/** Sums the entries of each balance into one change. */
function changesOf(entries: readonly LedgerEntry[]): Iterable<BalanceChange> {
  const changes = new Map<string, BalanceChange>();
  for (const { account, currency, amount } of entries) {
    const key = JSON.stringify([account, currency]);
    const so = changes.get(key)?.amount ?? ZERO;
    changes.set(key, { account, currency, amount: add(so, amount) });
  }
  return changes.values();
}
