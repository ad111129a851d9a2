import { closeDatabase, openDatabase, transaction } from './database.ts';
import { createFaultTable, type FaultTable } from './faults.ts';
import { createLedger, type Ledger } from './ledger.ts';
import { createMassPayouts, type MassPayouts } from './mass-payouts.ts';
import { createRequests, type Requests } from './requests.ts';
import { createWebhookQueue, type WebhookQueue } from './webhooks.ts';
import { createWithdrawals, type Withdrawals } from './withdrawals.ts';

/** Everything that the sandbox must not forget, in one SQLite file that this process owns alone. */
export type Store = Readonly<{
  ledger: Ledger;
  massPayouts: MassPayouts;
  withdrawals: Withdrawals;
  requests: Requests;
  webhooks: WebhookQueue;
  faults: FaultTable;
  /** Makes all that `work` writes durable together, or nothing of it. Does not nest. */
  transaction<Result>(work: () => Result): Result;
  close(): void;
}>;

/**
 * Throws StoreUnusable when another process has the file or when SQLite cannot promise durability.
 */
export function openStore(path: string): Store {
  const db = openDatabase(path);
  const requests = createRequests(db);
  return {
    ledger: createLedger(db),
    massPayouts: createMassPayouts(db),
    withdrawals: createWithdrawals(db),
    requests,
    webhooks: createWebhookQueue(db),
    faults: createFaultTable(db),
    transaction: (work) => transaction(db, work),
    close() {
      requests.flush();
      closeDatabase(db);
    },
  };
}
