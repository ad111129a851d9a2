import { createApprovalStore } from './approvals.ts';
import { createAuditStore } from './audit.ts';
import { createBalanceStore } from './balances.ts';
import { createBatchStore } from './batches.ts';
import { createChunkStore } from './chunks.ts';
import { createFindStore } from './finds.ts';
import { createFundStore } from './funds.ts';
import { createGroupCommit } from './group-commit.ts';
import { createHoldStore } from './holds.ts';
import { createHistoryStore } from './history.ts';
import { createIdentityStore } from './identity.ts';
import { createLateStore } from './late.ts';
import { createLineageStore } from './lineage.ts';
import { createLookStore } from './looks.ts';
import { createOwnWalletStore } from './own-wallets.ts';
import { createNotificationStore } from './notifications.ts';
import { createPaceStore } from './pace.ts';
import { createProofStore } from './proofs.ts';
import { findBadText } from './readable.ts';
import { createRecordStore } from './records.ts';
import { createScheduleTotals } from './schedule-totals.ts';
import { createScheduleRunStore } from './schedule-runs.ts';
import { createScheduleStore } from './schedules.ts';
import { createSendStore } from './sends.ts';
import { createSettlementStore } from './settlements.ts';
import { openSqlite } from './sqlite.ts';
import { createStagingStore } from './staging.ts';
import { createTransactionStore } from './transactions.ts';
import { createSubscriptionStore } from './subscriptions.ts';
import { createWatchStore } from './watches.ts';

export type Store = Awaited<ReturnType<typeof openStore>>;

/**
 * Opens the store behind `store.url`. `nowMs` tells when something was written down of which nobody says when it happened.
 * Throws STORE_UNUSABLE when it cannot be opened and written.
 */
export async function openStore(url: string, nowMs: () => number = Date.now) {
  const db = await openSqlite(url);
  const write = createGroupCommit(db);
  const watches = createWatchStore(db);
  return {
    db,
    batches: createBatchStore(db, nowMs),
    staging: createStagingStore(db, nowMs),
    history: createHistoryStore(db),
    ownWallets: createOwnWalletStore(db, watches),
    chunks: createChunkStore(db, nowMs),
    sends: createSendStore(db, write, nowMs),
    settlements: createSettlementStore(db, write, nowMs),
    looks: createLookStore(db, write),
    finds: createFindStore(db),
    lineage: createLineageStore(db),
    late: createLateStore(db, write),
    funds: createFundStore(db),
    balances: createBalanceStore(db),
    holds: createHoldStore(db),
    scheduleTotals: createScheduleTotals(db),
    proofs: createProofStore(db),
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
    watches,
    schedules: createScheduleStore(db),
    scheduleRuns: createScheduleRunStore(db),
    close: () => db.destroy(),
  };
}
