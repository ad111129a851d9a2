import { createApprovalStore } from './control/approvals.ts';
import { createAuditStore } from './audit/log.ts';
import { createBalanceStore } from './funds/balances.ts';
import { createBatchStore } from './batches/batches.ts';
import { createChunkWriter } from './chunk-writes/writer.ts';
import { createChunkStore } from './batches/chunks.ts';
import { createSearchStore } from './batches/search.ts';
import { createFigureStore } from './figures/read-figures.ts';
import { createFundStore } from './funds/claims.ts';
import type { Connection } from './database/db.ts';
import { accessTo } from './database/decide.ts';
import { withSnapshot } from './engine/snapshot.ts';
import { wordsOf } from './engine/words.ts';
import { keepWritable } from './database/writable.ts';
import { createHoldStore } from './control/holds.ts';
import { createHistoryStore } from './rows/fingerprints.ts';
import { createIdentityStore } from './restore/identity.ts';
import { createRetentionStore } from './retention/retention.ts';
import { createRestoreStore } from './restore/restores.ts';
import { createRecheckStore } from './recheck/rechecks.ts';
import { createLineageStore } from './batches/resends.ts';
import { createWithdrawalLookupStore } from './settlement/withdrawal-lookups.ts';
import { createOwnWalletStore } from './housekeeping/own-wallets.ts';
import { createPayeeStore } from './payees/payees.ts';
import { createNoticeStore } from './notices/notices.ts';
import { createNotificationStore } from './housekeeping/notifications.ts';
import { createCreateLeaseStore } from './sending/create-leases.ts';
import { createPaceStore } from './sending/pace.ts';
import { createLookupVerificationStore } from './sending/lookup-verification.ts';
import { createRecordStore } from './audit/records.ts';
import { createScheduleTotals } from './schedules/totals.ts';
import { createScheduleRunStore } from './schedules/runs.ts';
import { createScheduleStore } from './schedules/schedules.ts';
import { createSendStore } from './sending/sends.ts';
import { createSettlementStore } from './settlement/settlements.ts';
import { openConnection, openReader } from './engine/open.ts';
import { observedAccess, type StoreObserver } from './observed.ts';
import { createStagingStore } from './rows/staging.ts';
import { createTransactionStore } from './settlement/transactions.ts';
import { createSubscriptionStore } from './webhooks/subscriptions.ts';
import { createHealthCheckStore } from './housekeeping/health-checks.ts';
import { createWriteProbe } from './housekeeping/write-probe.ts';

/** The parts of a store, by noun. */
export type StoreParts = ReturnType<typeof partsOn>;

export type Store = StoreParts &
  Readonly<{
    /** Runs `work` with a store whose reads come from one moment. Nothing else of this program may use the store meanwhile. */
    snapshot<Result>(work: (store: StoreParts) => Promise<Result>): Promise<Result>;
    close(): Promise<void>;
  }>;

/**
 * Opens the store of `store.url`. `nowMs` is the time of records that carry no time of their own. `observer` is called with the
 * times of reads and writes. @throws STORE_UNUSABLE, STORE_UNREACHABLE, STORE_TOO_NEW, STORE_TOO_OLD
 */
export const openStore = async (
  url: string,
  nowMs: () => number = Date.now,
  observer?: StoreObserver,
): Promise<Store> => storeOn(await openConnection(url), nowMs, observer);

/** Opens an existing store for reading, beside the connection that writes it. The engine refuses every write. @throws as `openStore` */
export const openStoreReader = async (url: string): Promise<Store> =>
  storeOn(await openReader(url), Date.now);

function storeOn(connection: Connection, nowMs: () => number, observer?: StoreObserver): Store {
  const store = {
    ...partsOn(connection, nowMs, observer),
    snapshot: <Result>(work: (store: StoreParts) => Promise<Result>): Promise<Result> =>
      withSnapshot(connection, (moment) => work(partsOn(moment, nowMs))),
    close: () => connection.destroy(),
  };
  return keepWritable(store, connection);
}

function partsOn(connection: Connection, nowMs: () => number, observer?: StoreObserver) {
  const plain = accessTo(connection);
  const access = observer === undefined ? plain : observedAccess(connection, plain, observer);
  const { db } = access;
  const writeChunk = createChunkWriter(access.decide, nowMs);
  const healthChecks = createHealthCheckStore(access);
  return {
    batches: createBatchStore(access, nowMs),
    staging: createStagingStore(access, nowMs),
    history: createHistoryStore(db),
    ownWallets: createOwnWalletStore(access, healthChecks),
    payees: createPayeeStore(access),
    chunks: createChunkStore(access, nowMs),
    sends: createSendStore(db, writeChunk),
    settlements: createSettlementStore(db, writeChunk),
    withdrawalLookups: createWithdrawalLookupStore(access),
    search: createSearchStore(db),
    lineage: createLineageStore(access),
    rechecks: createRecheckStore(access),
    funds: createFundStore(access),
    balances: createBalanceStore(access),
    holds: createHoldStore(access),
    scheduleTotals: createScheduleTotals(db),
    lookupVerification: createLookupVerificationStore(access),
    pace: createPaceStore(access),
    createLeases: createCreateLeaseStore(access),
    approvals: createApprovalStore(access),
    audit: createAuditStore(access),
    identity: createIdentityStore(access),
    records: createRecordStore(db),
    /** The first text of a batch that no reader can take; undefined: there is none. */
    badText: (batchId: string) => wordsOf(connection).findBadText(connection, batchId),
    /** Overwrites removed texts where they lie in the database. On a store in a file other writes wait meanwhile. */
    erase: () => wordsOf(connection).erase(connection),
    transactions: createTransactionStore(access),
    notifications: createNotificationStore(access),
    notices: createNoticeStore(access),
    subscriptions: createSubscriptionStore(access, healthChecks),
    watches: healthChecks,
    restores: createRestoreStore(access),
    retention: createRetentionStore(access),
    /** Not measured: its reads are no part of the work. */
    figures: createFigureStore(plain.db),
    /** Throws when nothing can be written. */
    probeWrite: createWriteProbe(access),
    schedules: createScheduleStore(access),
    scheduleRuns: createScheduleRunStore(access),
  };
}
