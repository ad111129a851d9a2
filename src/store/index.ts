import { createApprovalStore } from './control/approvals.ts';
import { createAuditStore } from './audit/log.ts';
import { createBalanceStore } from './funds/balances.ts';
import { createBatchStore } from './batches/batches.ts';
import { createChunkStore } from './batches/chunks.ts';
import { createSearchStore } from './batches/search.ts';
import { createFundStore } from './funds/claims.ts';
import { createGroupCommit } from './database/group-commit.ts';
import { createHoldStore } from './control/holds.ts';
import { createHistoryStore } from './rows/fingerprints.ts';
import { createIdentityStore } from './restore/identity.ts';
import { createRestoreStore } from './restore/restores.ts';
import { createRecheckStore } from './recheck/rechecks.ts';
import { createLineageStore } from './batches/resends.ts';
import { createWithdrawalLookupStore } from './settlement/withdrawal-lookups.ts';
import { createOwnWalletStore } from './housekeeping/own-wallets.ts';
import { createNotificationStore } from './housekeeping/notifications.ts';
import { createPaceStore } from './sending/pace.ts';
import { createLookupVerificationStore } from './sending/lookup-verification.ts';
import { findBadText } from './database/bad-text.ts';
import { createRecordStore } from './audit/records.ts';
import { createScheduleTotals } from './schedules/totals.ts';
import { createScheduleRunStore } from './schedules/runs.ts';
import { createScheduleStore } from './schedules/schedules.ts';
import { createSendStore } from './sending/sends.ts';
import { createSettlementStore } from './settlement/settlements.ts';
import { openSqlite } from './database/sqlite.ts';
import { createStagingStore } from './rows/staging.ts';
import { createTransactionStore } from './settlement/transactions.ts';
import { createSubscriptionStore } from './webhooks/subscriptions.ts';
import { createHealthCheckStore } from './housekeeping/health-checks.ts';

export type Store = Awaited<ReturnType<typeof openStore>>;

/**
 * Opens the store of `store.url`. `nowMs` is the time of records that carry no time of their own. Throws STORE_UNUSABLE
 * when it cannot be opened and written.
 */
export async function openStore(url: string, nowMs: () => number = Date.now) {
  const db = await openSqlite(url);
  const write = createGroupCommit(db);
  const healthChecks = createHealthCheckStore(db);
  return {
    db,
    batches: createBatchStore(db, nowMs),
    staging: createStagingStore(db, nowMs),
    history: createHistoryStore(db),
    ownWallets: createOwnWalletStore(db, healthChecks),
    chunks: createChunkStore(db, nowMs),
    sends: createSendStore(db, write, nowMs),
    settlements: createSettlementStore(db, write, nowMs),
    withdrawalLookups: createWithdrawalLookupStore(db, write),
    search: createSearchStore(db),
    lineage: createLineageStore(db),
    rechecks: createRecheckStore(db, write),
    funds: createFundStore(db),
    balances: createBalanceStore(db),
    holds: createHoldStore(db),
    scheduleTotals: createScheduleTotals(db),
    lookupVerification: createLookupVerificationStore(db),
    pace: createPaceStore(db),
    approvals: createApprovalStore(db, write),
    audit: createAuditStore(db, write),
    identity: createIdentityStore(db),
    records: createRecordStore(db),
    /** See `readable.ts`. */
    badText: (batchId: string) => findBadText(db, batchId),
    transactions: createTransactionStore(db, write),
    notifications: createNotificationStore(db),
    subscriptions: createSubscriptionStore(db),
    watches: healthChecks,
    restores: createRestoreStore(db),
    schedules: createScheduleStore(db),
    scheduleRuns: createScheduleRunStore(db),
    close: () => db.destroy(),
  };
}
