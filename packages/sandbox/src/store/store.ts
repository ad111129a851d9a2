import { type AdminChanges, createAdminChanges } from './admin-changes.ts';
import { closeDatabase, type Database, openDatabase, transaction } from './database.ts';
import { createDeliveryQueue, type DeliveryQueue } from './deliveries.ts';
import { createFaultTable, type FaultTable } from './faults.ts';
import { createLedger, type SandboxLedger } from './ledger.ts';
import { createMassPayouts, type MassPayouts } from './mass-payouts.ts';
import { createOverrides, type Overrides } from './overrides.ts';
import { createRequests, type Requests } from './requests.ts';
import { createSubscriptionTable, type SubscriptionTable } from './subscriptions.ts';
import { createMovements, type Movements } from './transactions.ts';
import { createWallets, type Wallets } from './wallets.ts';
import { createWithdrawals, type Withdrawals } from './withdrawals.ts';

/** The durable state of the sandbox, in one SQLite file that this process owns alone. */
export type SandboxStore = Readonly<{
  ledger: SandboxLedger;
  massPayouts: MassPayouts;
  withdrawals: Withdrawals;
  wallets: Wallets;
  movements: Movements;
  requests: Requests;
  subscriptions: SubscriptionTable;
  deliveries: DeliveryQueue;
  faults: FaultTable;
  overrides: Overrides;
  poisonedKeys: PoisonedKeys;
  adminChanges: AdminChanges;
  /** Copies the whole store into a new file. */
  copyTo(file: string): void;
  close(): void;
}> &
  Commits;

export type StoreLimits = Readonly<{
  /** The most entries of the request log. Null: any number. */
  requestsKept: number | null;
  /** The file is removed when the sandbox stops, so nothing waits for the disk. */
  isTemporary?: boolean;
}>;

const NO_LIMITS: StoreLimits = { requestsKept: null };

/**
 * Throws StoreUnusable when another process uses the file or when SQLite cannot guarantee
 * durability.
 */
export function openStore(path: string, limits: StoreLimits = NO_LIMITS): SandboxStore {
  const db = openDatabase(path, limits.isTemporary);
  const requests = createRequests(db, limits.requestsKept);
  return {
    ledger: createLedger(db),
    massPayouts: createMassPayouts(db),
    withdrawals: createWithdrawals(db),
    wallets: createWallets(db),
    movements: createMovements(db),
    requests,
    subscriptions: createSubscriptionTable(db),
    deliveries: createDeliveryQueue(db),
    faults: createFaultTable(db),
    overrides: createOverrides(db),
    poisonedKeys: createPoisonedKeys(db),
    adminChanges: createAdminChanges(db),
    ...createCommits(db),
    copyTo(file) {
      requests.flush();
      db.prepare('VACUUM INTO ?').run(file);
    },
    close() {
      requests.flush();
      closeDatabase(db);
    },
  };
}

type Commits = Readonly<{
  /** Commits everything that `work` writes, or nothing of it. Transactions do not nest. */
  transaction<Result>(work: () => Result): Result;
  /**
   * Runs `work` once the present transaction is committed, and never if it is rolled back. Without
   * a transaction it runs at once.
   */
  afterCommit(work: () => void): void;
}>;

export function createCommits(db: Database): Commits {
  // The answer of the database, whether a transaction is open, takes longer than most work in one.
  let waiting: (() => void)[] | null = null;
  return {
    transaction(work) {
      const mine: (() => void)[] = [];
      waiting = mine;
      try {
        const result = transaction(db, work);
        waiting = null;
        for (const each of mine) each();
        return result;
      } finally {
        waiting = null;
      }
    },
    afterCommit(work) {
      if (waiting === null) work();
      else waiting.push(work);
    },
  };
}

/**
 * Idempotency keys of requests that the sandbox answered with 500, for the mode
 * `poisoned-after-500`.
 */
type PoisonedKeys = Readonly<{
  add(account: string, idempotencyKey: string): void;
  has(account: string, idempotencyKey: string): boolean;
}>;

function createPoisonedKeys(db: Database): PoisonedKeys {
  const insert = db.prepare('INSERT OR IGNORE INTO poisoned_key VALUES (?, ?)');
  const find = db.prepare(
    'SELECT 1 AS found FROM poisoned_key WHERE account = ? AND idempotency_key = ?',
  );
  return {
    add: (account, idempotencyKey) => void insert.run(account, idempotencyKey),
    has: (account, idempotencyKey) => find.get(account, idempotencyKey) !== undefined,
  };
}
