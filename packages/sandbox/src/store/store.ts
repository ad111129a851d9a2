import { type Commits, createCommits } from './commits.ts';
import { closeDatabase, openDatabase } from './database.ts';
import { createDeliveryQueue, type DeliveryQueue } from './deliveries.ts';
import { createFaultTable, type FaultTable } from './faults.ts';
import { createLedger, type SandboxLedger } from './ledger.ts';
import { createMassPayouts, type MassPayouts } from './mass-payouts.ts';
import { createOverrides, type Overrides } from './overrides.ts';
import { createPoisonedKeys, type PoisonedKeys } from './poisoned-keys.ts';
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
  close(): void;
}> &
  Commits;

export type StoreLimits = Readonly<{
  /** The most entries of the request log. Null: any number. */
  requestsKept: number | null;
}>;

const NO_LIMITS: StoreLimits = { requestsKept: null };

/**
 * Throws StoreUnusable when another process uses the file or when SQLite cannot guarantee
 * durability.
 */
export function openStore(path: string, { requestsKept }: StoreLimits = NO_LIMITS): SandboxStore {
  const db = openDatabase(path);
  const requests = createRequests(db, requestsKept);
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
    ...createCommits(db),
    close() {
      requests.flush();
      closeDatabase(db);
    },
  };
}
